//! Finding what a file held once.

use memdir_core::MemPath;

use crate::{
    Error, Revision,
    disk::Disk,
    store::{
        Store,
        files::{Files, Seen},
        images,
        journal::{LoggedState, Past, Step},
        locate::{self, Place},
        objects,
    },
};

impl<D: Disk> Store<D> {
    /// Returns what a file held when it had that revision; `None` if it is not kept, or not any more.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn content(&self, path: &MemPath, revision: Revision) -> Result<Option<Vec<u8>>, Error> {
        find(self.files(), path, revision)
    }
}

/// Looks at the file itself, at the objects, and back through the journal.
pub(crate) fn find<D: Disk>(
    files: Files<'_, D>,
    path: &MemPath,
    wanted: Revision,
) -> Result<Option<Vec<u8>>, Error> {
    let raw = match locate::locate(files, path)? {
        Place::Here(raw, _) => raw,
        Place::Free(_) | Place::Twin(_) | Place::Blocked(_) => path.to_string(),
    };
    let mut versions = Versions { files, wanted, newer: files.see(&raw)? };
    if let Some(bytes) = versions.found() {
        return Ok(Some(bytes));
    }
    if let Some(bytes) = objects::find(files, wanted)? {
        return Ok(Some(bytes));
    }
    for event in Past::open(files)? {
        let event = event?;
        for step in event.operation.steps.iter().filter(|step| step.path == *path) {
            let counts = event.state == LoggedState::Done;
            if let Some(bytes) = versions.go_back(step, counts)? {
                return Ok(Some(bytes));
            }
        }
    }
    Ok(None)
}

/// The versions of one file, walked through from the newest to the oldest.
struct Versions<'d, D> {
    files: Files<'d, D>,
    wanted: Revision,
    /// The version after the step that is looked at next, as far as it is known.
    newer: Seen,
}

impl<D: Disk> Versions<'_, D> {
    fn found(&self) -> Option<Vec<u8>> {
        match &self.newer {
            Seen::File(revision, bytes) if *revision == self.wanted => Some(bytes.clone()),
            _ => None,
        }
    }

    fn go_back(&mut self, step: &Step, counts: bool) -> Result<Option<Vec<u8>>, Error> {
        for amend in step.amends.iter().rev() {
            for (image, revision) in [(&amend.merged, amend.after), (&amend.kept, amend.seen)] {
                if revision == self.wanted
                    && let Some(bytes) = images::load(self.files, image, Some(revision))?
                {
                    return Ok(Some(bytes));
                }
            }
        }
        if step.after == Some(self.wanted)
            && let Some(bytes) = images::after(self.files, step, &Seen::Nothing)?
        {
            return Ok(Some(bytes));
        }
        let older = images::before(self.files, step, &self.newer)?;
        if let (Some(bytes), Some(revision)) = (older, step.before) {
            if revision == self.wanted {
                return Ok(Some(bytes));
            }
            if counts {
                self.newer = Seen::File(revision, bytes);
            }
        }
        Ok(None)
    }
}
