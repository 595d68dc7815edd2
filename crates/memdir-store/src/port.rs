//! The ports for reading and changing memories.

use std::{fmt, ops::ControlFlow, sync::Arc, time::SystemTime};

use memdir_core::{MemPath, PathFault};

use crate::{ApplyError, Attribution, Batch, Error, Receipt, limits};

/// Says whether a visit goes on: `Continue(())` or `Break(())`.
pub type Flow = ControlFlow<()>;

/// Reads memories.
///
/// A reader takes no lock and waits for nobody; it sees each file as it was before or after a change, never between.
pub trait ReadStore {
    /// Shows every `*.md` below the directory, the index and the folders `team` and `logs` included, in no particular
    /// order, until `each` breaks off.
    ///
    /// Hidden names are left out. What looks like a memory and cannot be one is shown as [`Skipped`]. A file that
    /// vanishes meanwhile is no error.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed; a folder within that cannot is shown as skipped.
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error>;

    /// Like [`visit`](Self::visit), for a reader who opens all files if there are at most `few`: those may then be returned
    /// by name instead of shown, without having been looked at. [`read_entry`](Self::read_entry) tells the rest.
    ///
    /// # Errors
    ///
    /// As [`visit`](Self::visit).
    fn visit_or_name(
        &self,
        few: usize,
        each: &mut dyn FnMut(Listed) -> Flow,
    ) -> Result<Vec<MemPath>, Error> {
        let _ = few;
        self.visit(each).map(|()| Vec::new())
    }

    /// Like [`read_head`](Self::read_head), and says of the file that was read what a visit would.
    ///
    /// # Errors
    ///
    /// As [`read_head`](Self::read_head).
    fn read_entry(
        &self,
        path: &MemPath,
        max_bytes: u64,
    ) -> Result<Option<(Entry, Vec<u8>)>, Error> {
        let mut entry = None;
        self.visit(&mut |listed| match listed {
            Listed::Entry(found) if found.path == *path => {
                entry = Some(found);
                Flow::Break(())
            }
            _ => Flow::Continue(()),
        })?;
        let Some(entry) = entry else { return Ok(None) };
        Ok(self.read_head(path, max_bytes)?.map(|bytes| (entry, bytes)))
    }

    /// Returns the first `max_bytes` bytes of a file, all if it has fewer; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// When it is no regular file, a link that leads out of the directory, or cannot be read.
    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error>;

    /// Returns a whole file; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// As [`read_head`](Self::read_head), and [`Error::TooLarge`] above [`limits::MAX_FILE_BYTES`].
    fn read(&self, path: &MemPath) -> Result<Option<Vec<u8>>, Error> {
        let head = self.read_head(path, limits::MAX_FILE_BYTES + 1)?;
        match head {
            Some(bytes) if bytes.len() as u64 > limits::MAX_FILE_BYTES => {
                Err(Error::TooLarge { path: path.to_string(), limit: limits::MAX_FILE_BYTES })
            }
            whole => Ok(whole),
        }
    }
}

/// Changes memories, through one door.
pub trait WriteStore: ReadStore {
    /// Does everything in the batch or nothing, whatever fails in between, a crash or a power cut included.
    ///
    /// After `Ok` the change survives a power cut. A batch that would change nothing writes nothing.
    ///
    /// # Errors
    ///
    /// [`ApplyError::Conflict`] when a file is not as expected, [`ApplyError::Refused`] when this actor may not or nobody
    /// can do this, [`ApplyError::Store`] when the disk or another writer is in the way. The old state is intact then.
    fn apply(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError>;
}

/// Something found by [`ReadStore::visit`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "what is found can be a memory or not")]
pub enum Listed {
    /// A file that can be read.
    Entry(Entry),
    /// Something that looks like a memory or hides some, and is not read.
    Skipped(Skipped),
}

/// A file found by [`ReadStore::visit`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its name.
    pub path: MemPath,
    /// When its content last changed, as the file system says.
    pub modified: SystemTime,
    /// Its length in bytes.
    pub len: u64,
    /// How many names (hard links) it has; above 1 it may be a file from outside.
    pub links: u64,
}

impl Entry {
    /// Describes a file with one name.
    pub fn new(path: MemPath, modified: SystemTime, len: u64) -> Self {
        Self { path, modified, len, links: 1 }
    }

    /// Says how many names the file has.
    #[must_use]
    pub fn links(self, links: u64) -> Self {
        Self { links, ..self }
    }
}

/// Something that [`ReadStore::visit`] found and did not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Its path as found, made fit to print: control characters escaped, what is not UTF-8 replaced.
    pub raw_name: String,
    /// Why it was not read.
    pub reason: SkipReason,
}

impl Skipped {
    /// Describes something skipped; `raw_name` must be fit to print.
    pub fn new(raw_name: impl Into<String>, reason: SkipReason) -> Self {
        Self { raw_name: raw_name.into(), reason }
    }
}

/// Why something is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// No memory can have that name.
    Name(PathFault),
    /// The name is not UTF-8.
    NameNotUtf8,
    /// A symbolic link that leads out of the directory, or into its private folder.
    LinkOut,
    /// A symbolic link to the directory itself.
    LinkToAll,
    /// A symbolic link to nothing.
    LinkDangling,
    /// A symbolic link that leads back to itself.
    LinkLoop,
    /// Another name of something that is listed under its own.
    Alias,
    /// The index is a symbolic link; the file that it leads to is read as the index and not listed as a memory.
    IndexLink,
    /// A file beside another whose name differs from its own only in normal form; the one in form C is read.
    Twin,
    /// Not a regular file.
    NotAFile(FileKind),
    /// Deeper than [`limits::MAX_DEPTH`] folders.
    TooDeep,
    /// A folder that may not be listed.
    Unreadable,
}

/// Displays as a clause: `a link that leads out of the memory directory`.
impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Name(fault) => return fault.fmt(f),
            Self::NotAFile(kind) => return write!(f, "{kind}, not a file"),
            Self::TooDeep => return write!(f, "deeper than {} folders", limits::MAX_DEPTH),
            Self::NameNotUtf8 => "its name is not UTF-8",
            Self::LinkOut => "a link that leads out of the memory directory",
            Self::LinkToAll => "a link to the memory directory itself",
            Self::LinkDangling => "a link to nothing",
            Self::LinkLoop => "a link that leads back to itself",
            Self::IndexLink => "a link, and what it leads to is read as the index",
            Self::Alias => "another name of something that is listed already",
            Self::Twin => {
                "its name differs from that of another file only in normal form, and that one is read"
            }
            Self::Unreadable => "a folder that may not be listed",
        };
        f.write_str(text)
    }
}

/// What a name in a folder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block or character device.
    Device,
    /// Something else.
    Other,
}

/// Displays with its article: `a named pipe`.
impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "something special",
        })
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: ReadStore + ?Sized> ReadStore for $pointer {
            fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
                (**self).visit(each)
            }

            fn visit_or_name(
                &self,
                few: usize,
                each: &mut dyn FnMut(Listed) -> Flow,
            ) -> Result<Vec<MemPath>, Error> {
                (**self).visit_or_name(few, each)
            }

            fn read_entry(
                &self,
                path: &MemPath,
                max_bytes: u64,
            ) -> Result<Option<(Entry, Vec<u8>)>, Error> {
                (**self).read_entry(path, max_bytes)
            }

            fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
                (**self).read_head(path, max_bytes)
            }

            fn read(&self, path: &MemPath) -> Result<Option<Vec<u8>>, Error> {
                (**self).read(path)
            }
        }

        impl<T: WriteStore + ?Sized> WriteStore for $pointer {
            fn apply(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
                (**self).apply(batch, by)
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);
