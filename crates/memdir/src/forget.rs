//! Removing memories.

use memdir_core::MemPath;
use memdir_store::disk::Disk;
use memdir_store::{Batch, Expect, IndexOp, OpKind, Purged, Receipt, Store, WriteStore};

use crate::memory::check_is_memory;
use crate::{Error, Memory};

impl<S: WriteStore> Memory<S> {
    /// Removes memories and their index lines, all or none. Their content is not read.
    ///
    /// # Errors
    ///
    /// [`Error::NotAMemory`], and what [`WriteStore::apply`] refuses, such as a pinned memory to an agent.
    pub fn forget(&self, paths: &[MemPath], reason: Option<&str>) -> Result<Receipt, Error> {
        let batch = without(paths)?;
        Ok(self.store.apply(&batch, &self.by_because(reason))?)
    }
}

impl<D: Disk> Memory<Store<D>> {
    /// Says why [`forget`](Self::forget) would not remove these, as they are now. Nothing is written.
    ///
    /// # Errors
    ///
    /// As [`forget`](Self::forget).
    pub fn rehearse_forget(&self, paths: &[MemPath]) -> Result<(), Error> {
        let batch = without(paths)?;
        Ok(self.store.rehearse(&batch, self.by())?)
    }

    /// Takes out of the journal what a memory ever held, what the index said of it, and why it was changed; the file itself
    /// is not touched, and need not be there any more. Only a person may do so.
    ///
    /// # Errors
    ///
    /// [`Error::Apply`] when an agent asks or the journal cannot be rewritten.
    pub fn purge(&self, path: &MemPath) -> Result<Purged, Error> {
        Ok(self.store.purge(path, self.by())?)
    }
}

fn without(paths: &[MemPath]) -> Result<Batch, Error> {
    paths.iter().try_for_each(check_is_memory)?;
    Ok(paths.iter().fold(Batch::new(OpKind::Forget), |batch, path| {
        batch.remove(path.clone(), Expect::Any).index(IndexOp::Remove { path: path.clone() })
    }))
}
