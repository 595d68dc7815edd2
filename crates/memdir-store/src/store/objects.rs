//! Contents too large for the journal, each under its revision.

use crate::{
    Error, Revision,
    disk::{Disk, Persist},
    store::{
        files::Files,
        layout::{OBJECTS, join},
    },
};

fn path(revision: Revision) -> String {
    join(OBJECTS, &revision.to_string())
}

/// Keeps bytes such that they survive a power cut.
pub(crate) fn keep<D: Disk>(files: Files<'_, D>, bytes: &[u8]) -> Result<Revision, Error> {
    let revision = Revision::of(bytes);
    if find(files, revision)?.is_none() {
        files.replace_own(&path(revision), bytes, Persist::Now)?;
    }
    // Also where it was there already: its writer may have died before this.
    files.sync_folder(OBJECTS)?;
    Ok(revision)
}

/// Returns what was kept; `None` if it is not there, or not what it should be.
pub(crate) fn find<D: Disk>(
    files: Files<'_, D>,
    revision: Revision,
) -> Result<Option<Vec<u8>>, Error> {
    let bytes = files.read_own(&path(revision))?;
    Ok(bytes.filter(|bytes| Revision::of(bytes) == revision))
}

pub(crate) fn remove<D: Disk>(files: Files<'_, D>, revision: Revision) -> Result<(), Error> {
    files.remove(&path(revision))
}
