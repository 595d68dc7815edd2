//! Removing memories.

use memdir_core::MemPath;
use memdir_store::disk::Disk;
use memdir_store::{Batch, Expect, IndexOp, OpKind, Receipt, Store, WriteStore};

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
}

fn without(paths: &[MemPath]) -> Result<Batch, Error> {
    paths.iter().try_for_each(check_is_memory)?;
    Ok(paths.iter().fold(Batch::new(OpKind::Forget), |batch, path| {
        batch.remove(path.clone(), Expect::Any).index(IndexOp::Remove { path: path.clone() })
    }))
}
