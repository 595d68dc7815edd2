//! Operations of the journal: finding them and taking them back.

use memdir_store::disk::Disk;
use memdir_store::{OpId, Store, UndoReport, UndoTarget};

use crate::{Error, Memory};

impl<D: Disk> Memory<Store<D>> {
    /// Takes operations back, as an operation that can be undone itself.
    ///
    /// # Errors
    ///
    /// [`Error::Undo`].
    pub fn undo(&self, target: &UndoTarget, reason: Option<&str>) -> Result<UndoReport, Error> {
        Ok(self.store.undo(target, &self.by_because(reason))?)
    }

    /// Returns the last operation that stands and can be undone: no undo, and not somebody else's change that was only found.
    ///
    /// Undone again and again it takes back one operation after the other. What was purged or is too old is passed over, and
    /// so is what is back already; what was changed since is not.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the journal, or a file that may be meant, cannot be read.
    pub fn last_operation(&self) -> Result<Option<OpId>, Error> {
        Ok(self.store.last_undoable(None)?)
    }

    /// Returns the last operation that stands, even where it cannot be undone as it was purged or is too old. Where that is not
    /// the [last one that can be](Self::last_operation), undoing the latter would pass over it.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the journal, or a file that may be meant, cannot be read.
    pub fn last_standing_operation(&self) -> Result<Option<OpId>, Error> {
        Ok(self.store.last_standing()?)
    }

    /// Returns the last such operation that was before another one: what to go on with where that cannot be undone.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the journal, or a file that may be meant, cannot be read.
    pub fn operation_before(&self, op: &OpId) -> Result<Option<OpId>, Error> {
        Ok(self.store.last_undoable(Some(op))?)
    }

    /// Finds the operation whose id begins so.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownOperation`] when none or several do, [`Error::Store`] when the journal cannot be read.
    pub fn operation(&self, prefix: &str) -> Result<OpId, Error> {
        let mut candidates = Vec::new();
        for logged in self.store.history()? {
            let id = logged?.id;
            if id.as_str() == prefix {
                return Ok(id);
            }
            if !prefix.is_empty() && id.as_str().starts_with(prefix) {
                candidates.push(id);
            }
        }
        match candidates.len() {
            1 => Ok(candidates.remove(0)),
            _ => Err(Error::UnknownOperation { prefix: prefix.to_owned(), candidates }),
        }
    }

    /// Answers as [`undo`](Self::undo) would now, conflicts included. Nothing is written; see [`Store::rehearse_undo`].
    ///
    /// # Errors
    ///
    /// [`Error::Undo`].
    pub fn rehearse_undo(&self, target: &UndoTarget) -> Result<UndoReport, Error> {
        Ok(self.store.rehearse_undo(target, self.by())?)
    }
}
