//! How memories were used before, as far as the trail tells.

use memdir::core::MemPath;
use memdir::recall::{Usage, Uses};
use memdir::store::Trail;

use super::{Event, Part};

/// What a line of [`Part::Read`] holds, as this program writes it.
const READ_MARK: &str = r#""part":"read""#;

/// How often each memory was shown and read.
pub(crate) fn usage(trail: &Trail) -> Usage {
    fold(trail.lines())
}

/// How often each memory was read, which is what weighs in recall: for hooks, which look at few lines of the trail.
pub(crate) fn reads(trail: &Trail) -> Usage {
    fold(trail.lines_with(READ_MARK).into_iter())
}

fn fold<'t>(lines: impl Iterator<Item = &'t str>) -> Usage {
    let mut usage = Usage::new();
    for event in lines.filter_map(Event::read) {
        let takes_back = event.takes_back();
        for path in event.surfaced.iter().filter_map(|shown| MemPath::parse(&shown.path).ok()) {
            let Uses { shown, read, .. } = usage.entry(path).or_default();
            match event.part {
                Part::Read => *read = read.saturating_add(1),
                _ if takes_back => *shown = shown.saturating_sub(1),
                Part::Recall | Part::SessionStart | Part::Other => *shown = shown.saturating_add(1),
            }
        }
    }
    usage
}
