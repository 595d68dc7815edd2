//! The store itself: one engine over any [`Disk`].

mod apply;
mod commit;
mod content;
mod files;
mod heads;
mod health;
mod images;
mod index_lines;
mod journal;
pub(crate) mod layout;
mod links;
mod listing;
mod locate;
mod objects;
mod options;
mod plan;
mod purge;
mod resume;
mod retention;
mod session;
mod settle;
mod state;
mod sweep;
mod take_back;
mod take_out;
mod trail;
mod undo;

#[cfg(feature = "fs")]
use std::path::Path;
use std::{sync::Arc, time::SystemTime};

use memdir_core::{Clock, FixedClock, MemPath};

#[cfg(feature = "fs")]
use crate::disk::CapDisk;
use crate::{
    ApplyError, Attribution, Batch, Entry, Error, FileKind, Flow, Listed, ReadStore, Receipt,
    WriteStore,
    disk::{Content, Disk, MemDisk, Stat},
};

use files::Files;
pub use health::{Health, Mended, Outside, Remedy, StateFault};
pub use journal::{History, Logged, LoggedFile, LoggedState};
pub use options::Options;
#[cfg(feature = "fs")]
pub use options::SystemClock;
pub use purge::Purged;
pub use state::{StateName, Turn};
pub use trail::Trail;
pub use undo::{UndoConflict, UndoFault, UndoReport, UndoTarget, UndoWhat};

/// A memory directory on a real disk.
#[cfg(feature = "fs")]
pub type LocalDir = Store<CapDisk>;

/// A memory directory in memory, for tests and for runs that leave nothing behind.
pub type InMemory = Store<MemDisk>;

/// A memory directory: the one gate through which memories are read and changed.
///
/// Several values, in one process or many, may stand for one directory; writers take turns.
#[derive(Debug)]
pub struct Store<D> {
    disk: D,
    options: Options,
}

impl<D: Disk> Store<D> {
    /// Stands for the directory of that disk; nothing is read or written yet.
    pub fn over(disk: D, options: Options) -> Self {
        Self { disk, options }
    }

    /// Returns the disk.
    pub fn disk(&self) -> &D {
        &self.disk
    }

    /// Says why a batch would not be applied to the directory as it is now. No lock is taken and nothing is written.
    ///
    /// # Errors
    ///
    /// As [`apply`](WriteStore::apply), without what only writing meets.
    pub fn rehearse(&self, batch: &Batch, by: &Attribution) -> Result<(), ApplyError> {
        self.files().plan(batch, by).map(drop)
    }

    fn files(&self) -> Files<'_, D> {
        Files(&self.disk)
    }
}

#[cfg(feature = "fs")]
impl LocalDir {
    /// Opens a directory and holds it open; creates nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`] if there is none, [`Error::NotADirectory`] if it is something else.
    pub fn open(path: &Path, options: Options) -> Result<Self, Error> {
        Ok(Self::over(CapDisk::open(path)?, options))
    }

    /// Opens a directory; creates it, and folders above it, for the user only, if there is none.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and when it cannot be created.
    pub fn open_or_create(path: &Path, options: Options) -> Result<Self, Error> {
        Ok(Self::over(CapDisk::open_or_create(path)?, options))
    }
}

impl InMemory {
    /// Starts empty, with a clock that stands at the Unix epoch.
    pub fn new() -> Self {
        Self::with_clock(Arc::new(FixedClock(SystemTime::UNIX_EPOCH)))
    }

    /// Starts empty, with this clock.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self::over(MemDisk::with_clock(Arc::clone(&clock)), Options::new(clock))
    }
}

impl Default for InMemory {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Disk> ReadStore for Store<D> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        listing::visit(self.files(), 0, each).map(drop)
    }

    fn visit_or_name(
        &self,
        few: usize,
        each: &mut dyn FnMut(Listed) -> Flow,
    ) -> Result<Vec<MemPath>, Error> {
        listing::visit(self.files(), few, each)
    }

    fn read_entry(
        &self,
        path: &MemPath,
        max_bytes: u64,
    ) -> Result<Option<(Entry, Vec<u8>)>, Error> {
        let opened = self.beginning(path, max_bytes)?;
        Ok(opened.map(|(bytes, stat)| (stat.entry(path.clone()), bytes)))
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.beginning(path, max_bytes)?.map(|(bytes, _)| bytes))
    }
}

impl<D: Disk> Store<D> {
    /// Reads the beginning of a file, wherever within the directory its name leads.
    fn beginning(&self, path: &MemPath, max_bytes: u64) -> Result<Option<(Vec<u8>, Stat)>, Error> {
        let files = self.files();
        match files.read(path.as_str(), 0, max_bytes)? {
            Content::Absent => {}
            Content::NotAFile(FileKind::Link) => {
                let target = links::resolve(files, path.as_str())?;
                let reason = match target {
                    Ok(target) => return self.read_raw(&target, max_bytes),
                    Err(reason) => reason,
                };
                return Err(Error::Link { path: path.to_string(), reason });
            }
            found => return content_of(path.as_str(), found),
        }
        if let Some(raw) = locate::other_spelling(files, path)? {
            return self.read_raw(&raw, max_bytes);
        }
        match links::behind_link(files, path.as_str())? {
            Some(reason) => Err(Error::Link { path: path.to_string(), reason }),
            None => Ok(None),
        }
    }

    fn read_raw(&self, raw: &str, max_bytes: u64) -> Result<Option<(Vec<u8>, Stat)>, Error> {
        content_of(raw, self.files().read(raw, 0, max_bytes)?)
    }
}

fn content_of(path: &str, content: Content) -> Result<Option<(Vec<u8>, Stat)>, Error> {
    match content {
        Content::Absent => Ok(None),
        Content::Bytes(bytes, stat) => Ok(Some((bytes, stat))),
        Content::NotAFile(kind) => Err(Error::NotAFile { path: path.to_owned(), kind }),
    }
}

impl<D: Disk> WriteStore for Store<D> {
    fn apply(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        self.session(batch.kind().as_str(), |session| session.apply(batch, by))
    }
}
