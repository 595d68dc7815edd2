//! How memories were used before, as far as the trail tells.

use memdir::core::MemPath;
use memdir::recall::{Usage, Uses};
use memdir::store::Trail;

use super::{Event, Part};

/// What a line of [`Part::Read`] holds, as this program writes it.
const READ_MARK: &str = r#""part":"read""#;

/// How often each memory was read, which is all that weighs in recall: few lines of a trail tell it.
pub(crate) fn reads(trail: &Trail) -> Usage {
    let mut usage = Usage::new();
    let events = trail.lines_with(READ_MARK).into_iter().filter_map(Event::read);
    for event in events.filter(|event| event.part == Part::Read) {
        for path in event.surfaced.iter().filter_map(|read| MemPath::parse(&read.path).ok()) {
            let Uses { read, .. } = usage.entry(path).or_default();
            *read = read.saturating_add(1);
        }
    }
    usage
}
