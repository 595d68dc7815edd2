//! The change of one file, backwards.

use super::{Disk, Error, Files, UndoFault};
use crate::{
    Revision, merge,
    store::{content, files::Seen, images, journal::Step},
};

type Reverted = Result<Option<Vec<u8>>, UndoFault>;

/// Returns what the file holds without the change of a step, given what it holds now; absent contents: no file.
pub(super) fn of<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    now: Option<&[u8]>,
) -> Result<Reverted, Error> {
    let revision = now.map(Revision::of);
    if revision == step.before {
        return Ok(Ok(now.map(<[u8]>::to_vec)));
    }
    if revision == step.after {
        return match before(files, step, now)? {
            None if step.before.is_some() => Ok(Err(UndoFault::NotKept)),
            bytes => Ok(Ok(bytes)),
        };
    }
    let Some(now) = now else {
        let is_kept = step.before.is_none() || before(files, step, None)?.is_some();
        return Ok(Err(if is_kept { UndoFault::Changed(None) } else { UndoFault::NotKept }));
    };
    if let Some(delta) = &step.images.delta {
        return Ok(delta
            .appended()
            .and_then(|added| without(step, delta.head(), added.as_bytes(), now))
            .map(Some)
            .ok_or(UndoFault::Changed(None)));
    }
    let after = match step.after {
        Some(revision) => match images::after(files, step, &Seen::Nothing)? {
            None => content::find(files, &step.path, revision)?,
            bytes => bytes,
        },
        None => None,
    };
    let before = before(files, step, None)?;
    Ok(match (after, before) {
        (Some(after), Some(before)) => {
            let merge = merge::three_way(&after, now, &before);
            if merge.clean { Ok(Some(merge.bytes)) } else { Err(UndoFault::Changed(Some(merge))) }
        }
        (None, _) if step.after.is_some() => Err(UndoFault::NotKept),
        (_, None) if step.before.is_some() => Err(UndoFault::NotKept),
        // It was created and then changed, or removed and then made anew.
        _ => Err(UndoFault::Changed(None)),
    })
}

fn before<D: Disk>(
    files: Files<'_, D>,
    step: &Step,
    now: Option<&[u8]>,
) -> Result<Option<Vec<u8>>, Error> {
    let Some(revision) = step.before else { return Ok(None) };
    let at_hand = now.map_or(Seen::Nothing, |now| Seen::File(Revision::of(now), now.to_vec()));
    match images::before(files, step, &at_hand)? {
        None => content::find(files, &step.path, revision),
        bytes => Ok(bytes),
    }
}

/// Returns the file without what a step added at its end; `None` if that cannot be told apart.
fn without(step: &Step, head: usize, added: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    if let Some((older, rest)) = now.split_at_checked(head)
        && step.before.is_none_or(|before| Revision::of(older) == before)
        && let Some(later) = rest.strip_prefix(added)
    {
        return Some([older, later].concat());
    }
    // Merged with what somebody else wrote before it.
    now.strip_suffix(added).map(<[u8]>::to_vec)
}
