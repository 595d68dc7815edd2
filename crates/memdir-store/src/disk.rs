//! The narrow port through which a store touches files, so that a real directory, one in memory, injected faults and
//! power cuts all run the same code.

use std::{ffi::OsStr, fmt, io, time::SystemTime};

use crate::{FileKind, Flow};

/// The file system below one directory.
///
/// Paths are relative to that directory and `/`-separated, the empty path is the directory itself. They come from
/// [`MemPath`](memdir_core::MemPath)s, from names that [`list`](Self::list) gave, and from the store's own private names; an
/// implementation must not leave the directory whatever the names below it stand for. No call follows a symbolic link,
/// in any component.
///
/// A call either does what it says or fails and leaves the names as they were; a write that fails may leave part of its
/// data. Files are created for their owner only (mode 0600), folders likewise (0700), under any umask.
///
/// # Errors
///
/// As the system says them. `NotFound` and `NotADirectory` mean that a folder on the way to the path is missing or is
/// none; where the path itself may be missing there is a value for that.
pub trait Disk: Send + Sync {
    /// Shows what is in a folder, in no particular order, until `each` breaks off.
    fn list(
        &self,
        folder: &str,
        details: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> io::Result<()>;

    /// Returns what a name stands for; `None` if it stands for nothing or a folder on the way is missing or is none.
    fn stat(&self, path: &str) -> io::Result<Option<Stat>>;

    /// Reads at most `max` bytes of a regular file, beginning with byte `from`. Never blocks on a pipe or device.
    fn read(&self, path: &str, from: u64, max: u64) -> io::Result<Content>;

    /// Returns where a symbolic link leads, `/`-separated; `None` if that is absolute or not UTF-8.
    fn read_link(&self, path: &str) -> io::Result<Option<String>>;

    /// Creates a file that is not there yet.
    fn create(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()>;

    /// Adds bytes at the end of a file with one write call; creates it if it is not there.
    fn append(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()>;

    /// Cuts a file to `len` bytes.
    fn truncate(&self, path: &str, len: u64) -> io::Result<()>;

    /// Renames within a folder; what has the new name is gone.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Renames within a folder unless something has the new name.
    fn rename_new(&self, from: &str, to: &str) -> io::Result<Renamed>;

    /// Swaps two names of a folder in one step.
    fn exchange(&self, one: &str, other: &str) -> io::Result<Exchanged>;

    /// Takes a name away; `Ok` if it is gone already, its folder or not.
    fn remove(&self, path: &str) -> io::Result<()>;

    /// Creates a folder, `Ok` if it is there already.
    fn create_folder(&self, path: &str) -> io::Result<()>;

    /// Removes a folder if it is empty; fails otherwise.
    fn remove_folder(&self, path: &str) -> io::Result<()>;

    /// Makes the names in a folder survive a power cut.
    fn sync_folder(&self, folder: &str) -> io::Result<()>;

    /// Tries once to lock a file, which is created if it is not there; where the system can, the folder `anchor` is locked
    /// as well, so that deleting the lock file lets nobody in.
    ///
    /// # Errors
    ///
    /// `Unsupported` when the file system cannot lock.
    fn try_lock(&self, path: &str, anchor: &str) -> io::Result<Attempt>;

    /// Returns 16 bytes that nobody can foresee.
    fn random(&self) -> io::Result<[u8; 16]>;
}

/// How much a listing should find out about each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an implementation must answer each")]
pub enum Details {
    /// Name and kind.
    Names,
    /// For regular files whose name ends in `.md` (in any case) also their [`Stat`].
    Stats {
        /// So many of them, those met first, may go without.
        after: usize,
    },
}

impl Details {
    /// Tells whether the [`Stat`] of the next regular file is asked for, which has this name.
    pub fn ask(&mut self, name: &OsStr) -> bool {
        match self {
            Self::Stats { after } if is_markdown(name) => {
                let is_due = *after == 0;
                *after = after.saturating_sub(1);
                is_due
            }
            _ => false,
        }
    }
}

pub(crate) fn is_markdown(name: &OsStr) -> bool {
    let end: Option<&[u8; 3]> = name.as_encoded_bytes().last_chunk();
    end.is_some_and(|end| end.eq_ignore_ascii_case(b".md"))
}

/// A name in a folder.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "implementations of the port build it")]
pub struct Found<'a> {
    /// The name, as the file system spells it.
    pub name: &'a OsStr,
    /// What it stands for.
    pub kind: FileKind,
    /// The rest, where it was asked for.
    pub stat: Option<Stat>,
}

/// What is known of a file without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "implementations of the port build it")]
pub struct Stat {
    /// What it is.
    pub kind: FileKind,
    /// Its length in bytes.
    pub len: u64,
    /// When its content last changed.
    pub modified: SystemTime,
    /// How many names it has.
    pub links: u64,
    /// Device and number: equal for two names of one file.
    pub id: (u64, u64),
}

/// What reading found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "implementations of the port build it")]
pub enum Content {
    /// Nothing has that name, or one of the folders on the way is missing or is none.
    Absent,
    /// The bytes asked for, fewer at the end of the file, and what is known of the file.
    Bytes(Vec<u8>, Stat),
    /// Something that is no regular file, a symbolic link for one.
    NotAFile(FileKind),
}

/// Whether the data must survive a power cut before the call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an implementation must answer each")]
pub enum Persist {
    /// It must.
    Now,
    /// It need not.
    Later,
}

/// Whether a name could be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "implementations of the port build it")]
pub enum Renamed {
    /// It has the new name.
    Done,
    /// Something else has that name; nothing was done.
    Exists,
}

/// Whether two names could be swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "implementations of the port build it")]
pub enum Exchanged {
    /// They are.
    Done,
    /// One of them stands for nothing; nothing was done.
    Absent,
    /// This file system cannot do it in one step; nothing was done.
    Unsupported,
}

/// What trying to lock came to.
#[expect(clippy::exhaustive_enums, reason = "implementations of the port build it")]
pub enum Attempt {
    /// The lock is held until the value is dropped.
    Held(Box<dyn HeldLock>),
    /// Somebody else holds it; this is what they wrote into the file.
    Busy(Vec<u8>),
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(_) => f.write_str("Held"),
            Self::Busy(note) => f.debug_tuple("Busy").field(note).finish(),
        }
    }
}

/// A held lock. Dropping it frees it and leaves the file as it is.
pub trait HeldLock: Send {
    /// Returns what stood in the file when the lock was taken.
    fn found(&self) -> &[u8];

    /// Replaces what stands in the file.
    fn write_note(&mut self, note: &[u8]) -> io::Result<()>;
}

#[cfg(feature = "fs")]
mod cap;
#[cfg(feature = "testing")]
mod faulty;
mod mem;

#[cfg(feature = "fs")]
pub use cap::CapDisk;
#[cfg(feature = "testing")]
pub use faulty::{Fault, Faulty};
#[cfg(feature = "testing")]
pub use mem::Loss;
pub use mem::{Counts, MemDisk};
