//! Files that remember what was asked of them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Error, Files, Found, Name};

/// Files that remember what was asked of them, so that a test can show what was touched.
#[derive(Debug, Default)]
pub struct Recording<F> {
    files: F,
    calls: Mutex<Vec<Call>>,
}

/// One question to files.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// [`Files::look`].
    Look(PathBuf),
    /// [`Files::list`].
    List(PathBuf),
    /// [`Files::read`].
    Read(PathBuf),
}

impl<F> Recording<F> {
    /// Records what `files` are asked.
    pub fn new(files: F) -> Self {
        Self { files, calls: Mutex::default() }
    }

    /// Every call so far, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, call: Call) -> &F {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        &self.files
    }
}

impl<F: Files> Files for Recording<F> {
    fn look(&self, path: &Path) -> Result<Option<Found>, Error> {
        self.note(Call::Look(path.to_owned())).look(path)
    }

    fn list(&self, folder: &Found, max: usize) -> Result<Vec<Name>, Error> {
        self.note(Call::List(folder.path.clone())).list(folder, max)
    }

    fn read(&self, file: &Found, max_bytes: u64) -> Result<Vec<u8>, Error> {
        self.note(Call::Read(file.path.clone())).read(file, max_bytes)
    }
}
