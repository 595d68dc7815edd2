use memdir_core::MemPath;
use memdir_store::{Batch, Expect, IndexOp, OpKind, Receipt, WriteStore};

use crate::{Error, Memory};

impl<S: WriteStore> Memory<S> {
    /// Removes memories and their index lines, all or none. Their content is not read.
    ///
    /// # Errors
    ///
    /// [`Error::NotAMemory`] for the index, and what [`WriteStore::apply`] refuses, such as a pinned memory to an agent.
    pub fn forget(&self, paths: &[MemPath], reason: Option<&str>) -> Result<Receipt, Error> {
        if let Some(index) = paths.iter().find(|path| path.is_index()) {
            return Err(Error::NotAMemory { path: index.clone() });
        }
        let batch = paths.iter().fold(Batch::new(OpKind::Forget), |batch, path| {
            batch.remove(path.clone(), Expect::Any).index(IndexOp::Remove { path: path.clone() })
        });
        Ok(self.store.apply(&batch, &self.by_because(reason))?)
    }
}
