//! Operations of the journal: finding them and taking them back.

use std::collections::BTreeSet;

use memdir_store::disk::Disk;
use memdir_store::{Logged, LoggedState, OpId, OpKind, Store, UndoReport, UndoTarget, UndoWhat};

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

    /// Returns the last operation that stands: no undo, not undone, and not somebody else's change that was only found.
    ///
    /// Undone again and again it takes back one operation after the other.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the journal cannot be read.
    pub fn last_operation(&self) -> Result<Option<OpId>, Error> {
        self.last_standing(None)
    }

    /// Returns the last operation that stands and was before another one: what to go on with where that cannot be undone.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the journal cannot be read.
    pub fn operation_before(&self, op: &OpId) -> Result<Option<OpId>, Error> {
        self.last_standing(Some(op))
    }

    fn last_standing(&self, before: Option<&OpId>) -> Result<Option<OpId>, Error> {
        let mut undone = BTreeSet::new();
        let mut is_before = before.is_none();
        for logged in self.store.history()? {
            let logged = logged?;
            let is_candidate = is_before;
            is_before |= before == Some(&logged.id);
            if logged.state != LoggedState::Done
                || logged.by.is_none()
                || undone.contains(&logged.id)
            {
                continue;
            }
            if logged.kind == OpKind::Undo {
                undone.extend(logged.undoes);
            } else if is_candidate {
                return Ok(Some(logged.id));
            }
        }
        Ok(None)
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

    /// Returns the operations that a target means, newest first.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the journal cannot be read.
    pub fn meant(&self, target: &UndoTarget) -> Result<Vec<Logged>, Error> {
        let mut undone = BTreeSet::new();
        let mut meant = Vec::new();
        for logged in self.store.history()? {
            let logged = logged?;
            if logged.state != LoggedState::Done {
                continue;
            }
            let is_undone = undone.contains(&logged.id);
            if !is_undone {
                undone.extend(logged.undoes.iter().cloned());
            }
            let is_meant = match &target.what {
                UndoWhat::Op(id) => logged.id == *id,
                UndoWhat::Run(run) => {
                    !is_undone && logged.by.as_ref().is_some_and(|by| by.run.as_ref() == Some(run))
                }
                _ => false,
            };
            if is_meant {
                meant.push(logged);
            }
        }
        Ok(meant)
    }
}
