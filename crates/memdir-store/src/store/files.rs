//! The disk, with errors that say what was tried on which file.

use std::io;

use crate::{
    Error, FileKind, Flow, Revision,
    disk::{Attempt, Content, Details, Disk, Exchanged, Found, Persist, Renamed, Stat},
    limits,
    store::layout,
};

/// A disk whose errors name operation and path.
#[derive(Debug)]
pub(crate) struct Files<'d, D>(pub(crate) &'d D);

impl<D> Clone for Files<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Files<'_, D> {}

/// What was found at the path of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    Nothing,
    File(Revision, Vec<u8>),
    /// No regular file.
    Special(FileKind),
    /// A file above [`limits::MAX_FILE_BYTES`].
    Huge,
}

impl Seen {
    /// Tells whether this is a file of that revision or, for `None`, nothing.
    pub(crate) fn is(&self, revision: Option<Revision>) -> bool {
        match self {
            Self::Nothing => revision.is_none(),
            Self::File(found, _) => revision == Some(*found),
            Self::Special(_) | Self::Huge => false,
        }
    }

    pub(crate) fn revision(&self) -> Option<Revision> {
        match self {
            Self::File(revision, _) => Some(*revision),
            Self::Nothing | Self::Special(_) | Self::Huge => None,
        }
    }
}

impl<D: Disk> Files<'_, D> {
    pub(crate) fn list(
        self,
        folder: &str,
        details: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> Result<(), Error> {
        self.0.list(folder, details, each).map_err(|e| Error::io("list", folder, e))
    }

    pub(crate) fn stat(self, path: &str) -> Result<Option<Stat>, Error> {
        self.0.stat(path).map_err(|e| Error::io("look at", path, e))
    }

    pub(crate) fn kind(self, path: &str) -> Result<Option<FileKind>, Error> {
        Ok(self.stat(path)?.map(|stat| stat.kind))
    }

    pub(crate) fn read(self, path: &str, from: u64, max: u64) -> Result<Content, Error> {
        self.0.read(path, from, max).map_err(|e| Error::io("read", path, e))
    }

    pub(crate) fn read_link(self, path: &str) -> Result<Option<String>, Error> {
        self.0.read_link(path).map_err(|e| Error::io("read link", path, e))
    }

    /// Looks at what may be a memory.
    pub(crate) fn see(self, path: &str) -> Result<Seen, Error> {
        Ok(match self.read(path, 0, limits::MAX_FILE_BYTES + 1)? {
            Content::Absent => Seen::Nothing,
            Content::NotAFile(kind) => Seen::Special(kind),
            Content::Bytes(bytes, _) if bytes.len() as u64 > limits::MAX_FILE_BYTES => Seen::Huge,
            Content::Bytes(bytes, _) => Seen::File(Revision::of(&bytes), bytes),
        })
    }

    /// Reads one of the store's own files, which are never links; `None` if it is not there.
    pub(crate) fn read_own(self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        self.read_own_from(path, 0)
    }

    pub(crate) fn read_own_from(self, path: &str, from: u64) -> Result<Option<Vec<u8>>, Error> {
        match self.read(path, from, u64::MAX)? {
            Content::Absent => Ok(None),
            Content::Bytes(bytes, _) => Ok(Some(bytes)),
            Content::NotAFile(kind) => Err(Error::NotAFile { path: path.to_owned(), kind }),
        }
    }

    pub(crate) fn create(self, path: &str, bytes: &[u8], persist: Persist) -> Result<(), Error> {
        self.0.create(path, bytes, persist).map_err(|e| Error::io("write", path, e))
    }

    pub(crate) fn append(self, path: &str, bytes: &[u8], persist: Persist) -> Result<(), Error> {
        self.0.append(path, bytes, persist).map_err(|e| Error::io("write", path, e))
    }

    pub(crate) fn truncate(self, path: &str, len: u64) -> Result<(), Error> {
        self.0.truncate(path, len).map_err(|e| Error::io("shorten", path, e))
    }

    pub(crate) fn rename(self, from: &str, to: &str) -> Result<(), Error> {
        self.0.rename(from, to).map_err(|e| Error::io("rename to", to, e))
    }

    pub(crate) fn rename_new(self, from: &str, to: &str) -> Result<Renamed, Error> {
        self.0.rename_new(from, to).map_err(|e| Error::io("rename to", to, e))
    }

    /// Renames unless `from` is gone.
    pub(crate) fn rename_away(self, from: &str, to: &str) -> Result<Option<Renamed>, Error> {
        match self.0.rename_new(from, to) {
            Ok(renamed) => Ok(Some(renamed)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("remove", from, error)),
        }
    }

    pub(crate) fn exchange(self, temp: &str, path: &str) -> Result<Exchanged, Error> {
        self.0.exchange(temp, path).map_err(|e| Error::io("replace", path, e))
    }

    pub(crate) fn remove(self, path: &str) -> Result<(), Error> {
        self.0.remove(path).map_err(|e| Error::io("remove", path, e))
    }

    pub(crate) fn create_folder(self, path: &str) -> Result<(), Error> {
        self.0.create_folder(path).map_err(|e| Error::io("create", path, e))
    }

    pub(crate) fn remove_folder(self, path: &str) -> Result<(), Error> {
        self.0.remove_folder(path).map_err(|e| Error::io("remove", path, e))
    }

    /// Makes the names in a folder survive a power cut; one that is gone has none.
    pub(crate) fn sync_folder(self, folder: &str) -> Result<(), Error> {
        match self.0.sync_folder(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("make safe", folder, error))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn random(self) -> Result<[u8; 16], Error> {
        self.0.random().map_err(|e| Error::io("get random numbers for", "", e))
    }

    /// Returns an unused name for a temporary file in the folder of `path`.
    pub(crate) fn temp_beside(self, path: &str) -> Result<String, Error> {
        Ok(layout::temp_in(layout::folder_of(path), self.random()?))
    }

    /// Replaces one of the store's own files in one step.
    pub(crate) fn replace_own(
        self,
        path: &str,
        bytes: &[u8],
        persist: Persist,
    ) -> Result<(), Error> {
        let temp = self.temp_beside(path)?;
        let replaced = self.create(&temp, bytes, persist).and_then(|()| self.rename(&temp, path));
        if replaced.is_err() {
            // The first error tells what is wrong; a name that stays behind is swept by the next writer.
            drop(self.remove(&temp));
        }
        replaced
    }

    pub(crate) fn try_lock(self, path: &str, anchor: &str) -> Result<Attempt, Error> {
        self.0.try_lock(path, anchor).map_err(|source| match source.kind() {
            io::ErrorKind::Unsupported => Error::LockUnsupported { path: path.to_owned(), source },
            _ => Error::io("lock", path, source),
        })
    }
}
