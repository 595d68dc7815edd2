//! Lines of the index, backwards.

use super::{Disk, Error, Files};
use crate::{
    IndexOp, LineChanged, Revision,
    store::{files::Seen, images, journal::Step},
};

/// Returns the bytes of the index before a step if nobody else changed it during or after that; else `None`.
#[expect(clippy::option_option, reason = "not to be had, no index, an index")]
pub(super) fn bytes_before<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    now: Option<&[u8]>,
) -> Result<Option<Option<Vec<u8>>>, Error> {
    let revision = now.map(Revision::of);
    if revision != step.after || !step.amends.is_empty() {
        return Ok(None);
    }
    let at_hand = match (now, revision) {
        (Some(bytes), Some(revision)) => Seen::File(revision, bytes.to_vec()),
        _ => Seen::Nothing,
    };
    let before = images::before(files, step, &at_hand)?;
    Ok((before.is_some() || step.before.is_none()).then_some(before))
}

/// Returns what puts a line back.
pub(super) fn back(line: &LineChanged) -> IndexOp {
    IndexOp::Restore { path: line.path.clone(), line: line.before.clone() }
}

/// Tells whether the index has these lines of a memory, joined by `\n`, or, for `None`, has none.
pub(super) fn is(found: &[String], lines: Option<&str>) -> bool {
    match lines {
        None => found.is_empty(),
        // Others may have added lines of it below, and a change is one of the first.
        Some(lines) => {
            let mut found = found.iter();
            lines.split('\n').all(|line| found.next().is_some_and(|next| next == line))
        }
    }
}

/// Notes that the lines of a memory were put back.
pub(super) fn note(found: &mut Vec<String>, lines: Option<&str>) {
    match lines {
        None => found.clear(),
        Some(lines) => {
            let first = ..found.len().min(1);
            found.splice(first, lines.split('\n').map(str::to_owned));
        }
    }
}
