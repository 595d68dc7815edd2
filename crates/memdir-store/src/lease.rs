//! Named leases: at most one process at a time does a thing, and another can ask who.
//!
//! A lease is a kernel lock, so it ends with its holder however that ends. What stands in the lock file only informs: who
//! holds the lease, who last [committed](Lease::commit) it, and whether a holder died. Lock files are never deleted.
//!
//! ```
//! use std::time::SystemTime;
//!
//! use memdir_store::{disk::MemDisk, lease::{Acquired, acquire_on}};
//!
//! let disk = MemDisk::new();
//! let now = SystemTime::UNIX_EPOCH;
//! let Acquired::Lease(lease) = acquire_on(&disk, "dream", "nightly", now)? else { return Ok(()) };
//! assert!(matches!(acquire_on(&disk, "dream", "another", now)?, Acquired::Busy(_)));
//! lease.commit()?;
//! # Ok::<(), memdir_store::lease::Error>(())
//! ```

use std::{fmt, io, time::SystemTime};

use crate::{
    Holder,
    disk::{Attempt, Disk, HeldLock},
    store::layout::PRIVATE,
};

/// Longest name of a lease, in bytes. Ours: a word or two.
const MAX_NAME_BYTES: usize = 32;

/// How much of what a holder says about itself is kept, in Unicode scalar values. Ours: the lock file is read in one short piece.
const MAX_WHAT_CHARS: usize = 200;

const ANCHORS: &str = ".memdir/leases";

/// Tries once to take the lease `name` of a memory directory on disk, for the reason `what`; `now` is kept for whoever asks.
///
/// The directory must exist; its private folder is created. A name is 1 to 32 of `a` to `z`, digits and `-`.
///
/// # Errors
///
/// [`Error::Name`] for another name, [`Error::Store`] where the directory is missing or cannot be written or locked.
#[cfg(feature = "fs")]
pub fn acquire(
    directory: &std::path::Path,
    name: &str,
    what: &str,
    now: SystemTime,
) -> Result<Acquired, Error> {
    acquire_on(&crate::disk::CapDisk::open(directory)?, name, what, now)
}

/// Like [`acquire`], on any disk.
///
/// # Errors
///
/// As [`acquire`].
pub fn acquire_on(
    disk: &dyn Disk,
    name: &str,
    what: &str,
    now: SystemTime,
) -> Result<Acquired, Error> {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || name.len() > MAX_NAME_BYTES || !name.bytes().all(is_plain) {
        return Err(Error::Name { name: name.to_owned() });
    }
    let file = format!("{PRIVATE}/{name}.lock");
    let anchor = format!("{ANCHORS}/{name}");
    for folder in [PRIVATE, ANCHORS, anchor.as_str()] {
        disk.create_folder(folder).map_err(|source| crate::Error::io("create", folder, source))?;
    }
    let lock = match disk.try_lock(&file, &anchor) {
        Ok(Attempt::Busy(note)) => return Ok(Acquired::Busy(Note::read(&note).holder)),
        Ok(Attempt::Held(lock)) => lock,
        Err(source) if source.kind() == io::ErrorKind::Unsupported => {
            return Err(crate::Error::LockUnsupported { path: file, source }.into());
        }
        Err(source) => return Err(crate::Error::io("lock", &file, source).into()),
    };
    let what: String = what.chars().take(MAX_WHAT_CHARS).collect();
    let found = Note::read(lock.found());
    let mut lease = Lease { lock, file, holder: Holder::this_process(now, &what), found };
    let last = lease.found.last.clone();
    lease.write(last.as_ref(), Held::Yes)?;
    Ok(Acquired::Lease(lease))
}

/// What trying to take a lease came to.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a lease is taken or it is not")]
pub enum Acquired {
    /// This process has it now.
    Lease(Lease),
    /// Another one has it: who, as far as they say.
    Busy(Option<Holder>),
}

/// A lease that is held. Dropping it gives it back as if it had not been taken; [`commit`](Self::commit) says that the
/// thing was done.
pub struct Lease {
    lock: Box<dyn HeldLock>,
    file: String,
    holder: Holder,
    found: Note,
}

impl Lease {
    /// Who last committed the lease; `None` if nobody has, or it is not known.
    pub fn last_committed(&self) -> Option<&Holder> {
        self.found.last.as_ref()
    }

    /// How the holder before this one ended.
    pub fn predecessor(&self) -> Predecessor<'_> {
        if self.found.is_held {
            Predecessor::Died(self.found.holder.as_ref())
        } else {
            Predecessor::GaveBack
        }
    }

    /// Gives the lease back and records its holder as the last that did what the lease is for.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] where that cannot be written; the lease is given back uncommitted.
    pub fn commit(mut self) -> Result<(), Error> {
        self.write(Some(&self.holder.clone()), Held::No)?;
        self.found.last = Some(self.holder.clone());
        Ok(())
    }

    fn write(&mut self, last: Option<&Holder>, held: Held) -> Result<(), Error> {
        let mut note = last.map_or_else(|| "\n".to_owned(), Holder::to_line);
        if held == Held::Yes {
            note.push_str(&self.holder.to_line());
        }
        let written = self.lock.write_note(note.as_bytes());
        Ok(written.map_err(|source| crate::Error::io("write", &self.file, source))?)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let last = self.found.last.clone();
        // The kernel frees the lock all the same; a note that stays only makes the next holder say that this one died.
        drop(self.write(last.as_ref(), Held::No));
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("file", &self.file)
            .field("holder", &self.holder)
            .finish_non_exhaustive()
    }
}

/// How the holder before this one ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a lease is given back or its holder is gone")]
pub enum Predecessor<'a> {
    /// It gave the lease back, or there was none.
    GaveBack,
    /// It ended without, as when it is killed: who it was, as far as it said.
    Died(Option<&'a Holder>),
}

/// Why a lease could not be had or committed. That another holds it is no error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be the name of a lease.
    #[error("`{name}` is no name for a lease")]
    Name {
        /// The name.
        name: String,
    },
    /// The memory directory cannot be opened, written or locked.
    #[error(transparent)]
    Store(#[from] crate::Error),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Yes,
    No,
}

/// What stands in a lock file: a line for the last commit, empty if there is none, and one for the holder while held.
struct Note {
    last: Option<Holder>,
    holder: Option<Holder>,
    is_held: bool,
}

impl Note {
    fn read(bytes: &[u8]) -> Self {
        let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
        let last = lines.next().and_then(Holder::from_line);
        let held = lines.next().unwrap_or_default();
        Self { last, holder: Holder::from_line(held), is_held: !held.trim_ascii().is_empty() }
    }
}
