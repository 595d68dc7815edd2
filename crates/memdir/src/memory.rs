//! The handle, and reading through it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use memdir_core::frontmatter::decode;
use memdir_core::{Clock, MemPath};
use memdir_scan::{Options, Scan, scan};
use memdir_store::{Attribution, LocalDir, Options as StoreOptions, ReadStore};

use crate::Error;

/// A memory directory in use by somebody: a store, a clock, and who acts.
///
/// It does what the `memdir` command does. Two handles on one directory do not disturb each other, in one process or in several.
pub struct Memory<S> {
    pub(crate) store: S,
    clock: Arc<dyn Clock>,
    directory: String,
    by: Attribution,
}

impl<S> Memory<S> {
    /// Uses a store. `directory` is the absolute path that prompts name, `by` is who every change is put down to.
    pub fn new(
        store: S,
        directory: impl Into<String>,
        clock: impl Clock + 'static,
        by: Attribution,
    ) -> Self {
        Self { store, clock: Arc::new(clock), directory: directory.into(), by }
    }

    /// Returns the store, for what this handle does not offer.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Returns the path that prompts name.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// Returns who every change is put down to.
    pub fn by(&self) -> &Attribution {
        &self.by
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now()
    }

    pub(crate) fn by_because(&self, reason: Option<&str>) -> Attribution {
        match reason {
            Some(reason) => self.by.clone().reason(reason),
            None => self.by.clone(),
        }
    }
}

impl Memory<LocalDir> {
    /// Opens a directory that is there; creates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when there is none, it is something else, or it cannot be opened.
    pub fn open(directory: &Path, options: StoreOptions, by: Attribution) -> Result<Self, Error> {
        let clock = Arc::clone(&options.clock);
        let store = LocalDir::open(directory, options)?;
        Ok(Self { store, clock, directory: directory.display().to_string(), by })
    }
}

impl<S: ReadStore> Memory<S> {
    /// Lists all memories, the newest first, and what is wrong with the rest, by path.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the directory itself cannot be listed.
    pub fn scan(&self) -> Result<Scan, Error> {
        let mut options = Options::new(self.now());
        options.max = usize::MAX;
        let mut scan = scan(&self.store, &options)?;
        // A directory is listed in no particular order; people and tests want one.
        scan.problems.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(scan)
    }

    /// Returns the text of `MEMORY.md`; empty where there is none. What is not UTF-8 shows as U+FFFD.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when it cannot be read.
    pub fn index_text(&self) -> Result<String, Error> {
        Ok(self.text(&MemPath::index())?.unwrap_or_default())
    }

    /// Returns the text of a file; `None` where there is none. What is not UTF-8 shows as U+FFFD.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when it cannot be read.
    pub fn text(&self, path: &MemPath) -> Result<Option<String>, Error> {
        Ok(self.read_text(path)?)
    }

    pub(crate) fn read_text(&self, path: &MemPath) -> Result<Option<String>, memdir_store::Error> {
        Ok(self.store.read(path)?.map(|bytes| decode(&bytes).0.into_owned()))
    }
}

/// Refuses the index, what is not Markdown, and what lies below `logs/` or `team/`: none of them is a memory of this directory.
pub(crate) fn check_is_memory(path: &MemPath) -> Result<(), Error> {
    let folder = path.parent().and_then(|_| path.components().next());
    if path.is_index() || !path.is_markdown() || matches!(folder, Some("logs" | "team")) {
        return Err(Error::NotAMemory { path: path.clone() });
    }
    Ok(())
}

impl<S: fmt::Debug> fmt::Debug for Memory<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("store", &self.store)
            .field("directory", &self.directory)
            .field("by", &self.by)
            .finish_non_exhaustive()
    }
}
