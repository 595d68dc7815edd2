//! From a snapshot into a memory that is empty, and from a memory into a snapshot; each in full or not at all.

use std::{collections::BTreeMap, time::SystemTime};

use memdir_core::MemPath;
use memdir_store::{ApplyError, Attribution, Batch, Expect, OpKind, Receipt, Revision, WriteStore};

use crate::{
    Files, FilesError, Snapshot, SnapshotError, Stamp, files,
    snapshot::{meta, meta_path, render},
};

/// Fills a memory that is empty from a snapshot. Never writes over anything.
///
/// # Errors
///
/// [`InitError::NotEmpty`] where there is a memory; whatever fails, nothing was written.
pub fn initialize(
    memory: &impl WriteStore,
    snapshot: &Snapshot,
    by: &Attribution,
) -> Result<Receipt, InitError> {
    if !files(memory)?.is_empty() {
        return Err(InitError::NotEmpty);
    }
    let mut batch = Batch::new(OpKind::Named("agent-init".to_owned()));
    for (path, bytes) in &snapshot.files {
        batch = batch.put(path.clone(), bytes.clone(), Expect::Absent);
    }
    Ok(memory.apply(&batch, by)?)
}

/// Why a memory was not filled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InitError {
    /// There is a memory, which is never written over.
    #[error("the agent has a memory already")]
    NotEmpty,
    /// The memory cannot be looked at.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// Somebody wrote there meanwhile, this actor may not, or the disk is in the way.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

/// What saving a snapshot came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Saved {
    /// The snapshot holds these files already; it was left as it is.
    Unchanged(Stamp),
    /// The snapshot was written.
    Written {
        /// Of when it is.
        stamp: Stamp,
        /// Files in it.
        files: usize,
        /// Files that were in the one before and are gone.
        removed: usize,
    },
}

impl Saved {
    /// Of when the snapshot is.
    pub fn stamp(&self) -> &Stamp {
        match self {
            Self::Unchanged(stamp) | Self::Written { stamp, .. } => stamp,
        }
    }
}

/// Makes the files of a memory the snapshot in `store`; one that was there before is replaced as a whole.
///
/// Equal files give an equal snapshot: what is the same already is not written, and keeps its date. A `snapshot.json`
/// that cannot be read is replaced.
///
/// # Errors
///
/// [`SaveError::Empty`] where there is nothing to save; whatever fails, the snapshot is as it was.
pub fn save(
    store: &impl WriteStore,
    memory: &Files,
    now: SystemTime,
    by: &Attribution,
) -> Result<Saved, SaveError> {
    if memory.files.is_empty() {
        return Err(SaveError::Empty);
    }
    let before = files(store)?.files;
    let (keys, before_stamp, expect) = match meta(store) {
        Ok(Some(meta)) => {
            let stamp = meta.stamp(now).ok();
            (meta.keys, stamp, Expect::Unchanged(meta.revision))
        }
        Ok(None) => (serde_json::Map::new(), None, Expect::Absent),
        Err(SnapshotError::Json { .. } | SnapshotError::MetaTooLarge) => {
            (serde_json::Map::new(), None, Expect::Any)
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(stamp) = before_stamp.clone().filter(|_| before == memory.files) {
        return Ok(Saved::Unchanged(stamp));
    }
    let stamp = Stamp::after(before_stamp.as_ref(), now);
    let removed = before.keys().filter(|path| !memory.files.contains_key(*path)).count();
    let batch = replaced(Batch::new(OpKind::Named("agent-snapshot".to_owned())), &before, memory)
        .put(meta_path(), render(keys, &stamp), expect);
    store.apply(&batch, by)?;
    Ok(Saved::Written { stamp, files: memory.files.len(), removed })
}

/// Adds what makes the files of `memory` of those that are there.
fn replaced(mut batch: Batch, before: &BTreeMap<MemPath, Vec<u8>>, memory: &Files) -> Batch {
    let expect = |path: &MemPath| match before.get(path) {
        Some(bytes) => Expect::Unchanged(Revision::of(bytes)),
        None => Expect::Absent,
    };
    for path in before.keys().filter(|path| !memory.files.contains_key(*path)) {
        batch = batch.remove(path.clone(), expect(path));
    }
    for (path, bytes) in
        memory.files.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes))
    {
        batch = batch.put(path.clone(), bytes.clone(), expect(path));
    }
    batch
}

/// Why no snapshot was saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The memory has no files.
    #[error("the agent has no memory to save")]
    Empty,
    /// The snapshot that is there cannot be looked at.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// Its files cannot be looked at.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// Somebody wrote there meanwhile, this actor may not, or the disk is in the way.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}
