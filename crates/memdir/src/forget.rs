//! Removing memories.

use memdir_core::MemPath;
use memdir_store::{Batch, Expect, IndexOp, OpKind, Receipt, WriteStore};

use crate::memory::check_is_memory;
use crate::{Error, Memory};

impl<S: WriteStore> Memory<S> {
    /// Removes memories and their index lines, all or none. Their content is not read.
    ///
    /// # Errors
    ///
    /// [`Error::NotAMemory`], and what [`WriteStore::apply`] refuses, such as a pinned memory to an agent.
    pub fn forget(&self, paths: &[MemPath], reason: Option<&str>) -> Result<Receipt, Error> {
        paths.iter().try_for_each(check_is_memory)?;
        let batch = paths.iter().fold(Batch::new(OpKind::Forget), |batch, path| {
            batch.remove(path.clone(), Expect::Any).index(IndexOp::Remove { path: path.clone() })
        });
        Ok(self.store.apply(&batch, &self.by_because(reason))?)
    }
}
