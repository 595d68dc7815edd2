//! Removing memories, so that no run brings them back.

use memdir_change::{Lineage, Snapshot, forget_in_inbox, lift, lineage};
use memdir_core::MemPath;
use memdir_store::disk::Disk;
use memdir_store::{Batch, Expect, IndexOp, OpKind, Purged, ReadStore, Receipt, Store};

use crate::memory::check_is_memory;
use crate::{Error, Memory};

impl<D: Disk> Memory<Store<D>> {
    /// Removes memories and their index lines, all or none, and remembers by hashes what was forgotten, so that no
    /// background run writes it again.
    ///
    /// # Errors
    ///
    /// [`Error::NotAMemory`], and what [`WriteStore::apply`](memdir_store::WriteStore::apply) refuses, such as a pinned
    /// memory to an agent.
    pub fn forget(&self, paths: &[MemPath], reason: Option<&str>) -> Result<Receipt, Error> {
        let batch = without(paths)?;
        let mut forgotten = Vec::new();
        for path in paths {
            // What cannot be read is forgotten without leaving a hash.
            let bytes = self.store.read(path).ok().flatten();
            forgotten.extend(bytes.map(|bytes| (path.clone(), bytes)));
        }
        let by = self.by_because(reason);
        self.store.turn(OpKind::Forget.as_str(), |turn| {
            memdir_change::forget(turn, &batch, &by, &forgotten, self.now()).map_err(Error::from)
        })
    }

    /// Says why [`forget`](Self::forget) would not remove these, as they are now. Nothing is written.
    ///
    /// # Errors
    ///
    /// As [`forget`](Self::forget).
    pub fn rehearse_forget(&self, paths: &[MemPath]) -> Result<(), Error> {
        let batch = without(paths)?;
        Ok(self.store.rehearse(&batch, self.by())?)
    }

    /// Finds what a conversation left: the memories that come from it, and what would stay of it without them.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when memories, journal or inbox cannot be read.
    pub fn lineage(&self, session: &str) -> Result<Lineage, Error> {
        Ok(lineage(&self.store, &Snapshot::read(&self.store)?, session)?)
    }

    /// Takes what a conversation proposed out of the inbox; returns how many proposals went.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the inbox cannot be read or written.
    pub fn forget_proposals(&self, session: &str) -> Result<usize, Error> {
        Ok(forget_in_inbox(&self.store, |item| item.session.as_deref() == Some(session))?)
    }

    /// Lets background runs write about a memory again that was forgotten and that a person wrote anew. Does nothing for an
    /// agent, and where the memory is not there.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when what was forgotten cannot be read or written.
    pub fn remember(&self, path: &MemPath) -> Result<(), Error> {
        if !self.by().actor.is_person() {
            return Ok(());
        }
        let Some(bytes) = self.store.read(path)? else { return Ok(()) };
        Ok(lift(&self.store, path, &bytes)?)
    }

    /// Takes out of the journal what a memory ever held, what the index said of it, and why it was changed, and out of the
    /// inbox what is proposed of it; the file itself is not touched, and need not be there any more. Only a person may do so.
    ///
    /// # Errors
    ///
    /// [`Error::Apply`] when an agent asks or the journal cannot be rewritten, [`Error::Store`] when the inbox cannot.
    pub fn purge(&self, path: &MemPath) -> Result<Purged, Error> {
        let purged = self.store.purge(path, self.by())?;
        forget_in_inbox(&self.store, |item| item.touches(path))?;
        Ok(purged)
    }
}

fn without(paths: &[MemPath]) -> Result<Batch, Error> {
    paths.iter().try_for_each(check_is_memory)?;
    Ok(paths.iter().fold(Batch::new(OpKind::Forget), |batch, path| {
        batch.remove(path.clone(), Expect::Any).index(IndexOp::Remove { path: path.clone() })
    }))
}
