//! A project that remembers what it was asked.

use std::sync::{Mutex, PoisonError};

use super::{Error, Folder, Found, Limits, Listing, Needle, ProjectFiles, ProjectPath};
use crate::FileKind;

/// A project that remembers what it was asked, so that a test can show what was touched.
#[derive(Debug, Default)]
pub struct Recording<P> {
    project: P,
    calls: Mutex<Vec<Call>>,
}

/// One question to a project.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// [`ProjectFiles::kind`].
    Kind(ProjectPath),
    /// [`ProjectFiles::read_head`], and how many bytes.
    ReadHead(ProjectPath, u64),
    /// [`ProjectFiles::list`].
    List(Folder),
    /// [`ProjectFiles::search`].
    Search(Needle),
}

impl<P> Recording<P> {
    /// Records what `project` is asked.
    pub fn new(project: P) -> Self {
        Self { project, calls: Mutex::default() }
    }

    /// Every call so far, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, call: Call) -> &P {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        &self.project
    }
}

impl<P: ProjectFiles> ProjectFiles for Recording<P> {
    fn kind(&self, path: &ProjectPath) -> Result<Option<FileKind>, Error> {
        self.note(Call::Kind(path.clone())).kind(path)
    }

    fn read_head(&self, path: &ProjectPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.note(Call::ReadHead(path.clone(), max_bytes)).read_head(path, max_bytes)
    }

    fn list(&self, folder: &Folder, max_names: usize) -> Result<Option<Listing>, Error> {
        self.note(Call::List(folder.clone())).list(folder, max_names)
    }

    fn search(&self, needle: &Needle, limits: &Limits) -> Result<Found, Error> {
        self.note(Call::Search(needle.clone())).search(needle, limits)
    }
}
