//! The files of a memory, read whole.

use std::{collections::BTreeMap, ops::ControlFlow};

use memdir_core::MemPath;
use memdir_store::{Error, Listed, ReadStore, Skipped};

use crate::limits;

/// The files of a memory with their bytes, by path, and what was not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Files {
    /// Every `*.md`, the index included.
    pub files: BTreeMap<MemPath, Vec<u8>>,
    /// What looks like a memory and cannot be one, by name.
    pub skipped: Vec<Skipped>,
}

impl Files {
    /// Whether nothing is there: no file, and nothing that was skipped.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.skipped.is_empty()
    }

    /// How many memories there are; the index is none.
    pub fn memories(&self) -> usize {
        self.files.keys().filter(|path| !path.is_index()).count()
    }
}

/// Reads all files of a memory.
///
/// # Errors
///
/// [`FilesError`] where there is more than a snapshot may hold, or the directory or a file cannot be read.
pub fn files(store: &impl ReadStore) -> Result<Files, FilesError> {
    let mut all = Files::default();
    let mut paths = Vec::new();
    let mut bytes = 0_u64;
    store.visit(&mut |listed| {
        match listed {
            Listed::Entry(entry) => {
                bytes = bytes.saturating_add(entry.len);
                paths.push(entry.path);
            }
            Listed::Skipped(skipped) => all.skipped.push(skipped),
        }
        let is_over = paths.len() + all.skipped.len() > limits::SNAPSHOT_FILES
            || bytes > limits::SNAPSHOT_BYTES;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if paths.len() + all.skipped.len() > limits::SNAPSHOT_FILES {
        return Err(FilesError::TooMany);
    }
    if bytes > limits::SNAPSHOT_BYTES {
        return Err(FilesError::TooLarge);
    }
    all.skipped.sort_by(|a, b| a.raw_name.cmp(&b.raw_name));
    for path in paths {
        // A file that vanished meanwhile is not there.
        if let Some(bytes) = store.read(&path)? {
            all.files.insert(path, bytes);
        }
    }
    Ok(all)
}

/// Why files were not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilesError {
    /// There are more files than a snapshot may have.
    #[error("there are more than {} files", limits::SNAPSHOT_FILES)]
    TooMany,
    /// There is more in them than a snapshot may hold.
    #[error("there are more than {} bytes", limits::SNAPSHOT_BYTES)]
    TooLarge,
    /// A folder or file cannot be read.
    #[error(transparent)]
    Store(#[from] Error),
}
