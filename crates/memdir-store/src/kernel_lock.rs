//! A lock that the kernel keeps on an open file, shared by the store and by leases.
//!
//! The kernel decides who holds it and frees it when the holder ends, however that happens. What stands in the file
//! only informs. A lock file is never deleted: whoever deleted it would let a second holder in.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
};

use cap_std::fs::Dir;
use fs2::TryLockError;

/// A lock file holds one short line; what is longer was written by something else and is not read on.
const NOTE_BYTES: u64 = 4096;

/// How often a lock file may be replaced while it is being locked, before that counts as an error.
const REPLACED_TIMES: usize = 100;

/// What trying to lock came to.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// This process holds the lock now.
    Held(KernelLock),
    /// Another one does; this is what stands in the file, possibly nothing.
    Busy(Vec<u8>),
}

/// A held lock; dropping it frees it and leaves the file as it is.
#[derive(Debug)]
pub(crate) struct KernelLock {
    file: File,
    found: Vec<u8>,
}

impl KernelLock {
    /// Tries once, without waiting. `name` is a plain name within `dir`; the file is created, for its owner only.
    ///
    /// # Errors
    ///
    /// `Unsupported` when the file system cannot lock, whichever way it says so; anything else as the system says it.
    pub(crate) fn try_acquire(dir: &Dir, name: &str) -> io::Result<Attempt> {
        for _ in 0..REPLACED_TIMES {
            let mut file = sys::open(dir, name)?;
            if !try_lock(&file)? {
                return Ok(Attempt::Busy(read_note(&mut file).unwrap_or_default()));
            }
            if sys::is_still_named(&file, dir, name)? {
                let found = read_note(&mut file)?;
                return Ok(Attempt::Held(Self { file, found }));
            }
        }
        Err(io::Error::new(io::ErrorKind::ResourceBusy, "the lock file is replaced all the time"))
    }

    /// Returns what stood in the file when the lock was taken: not empty when the last holder left no clean file.
    pub(crate) fn found(&self) -> &[u8] {
        &self.found
    }

    /// Replaces what stands in the file.
    pub(crate) fn write_note(&mut self, note: &[u8]) -> io::Result<()> {
        // Cut last: a file that says that its holder died goes on saying so if the disk is full.
        self.file.rewind()?;
        self.file.write_all(note)?;
        self.file.set_len(note.len() as u64)
    }
}

/// Returns whether the lock was free; it is held as long as the file is open.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    match fs2::FileExt::try_lock(file) {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if sys::cannot_lock(&error) => {
            Err(io::Error::new(io::ErrorKind::Unsupported, error))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn read_note(file: &mut File) -> io::Result<Vec<u8>> {
    let mut note = Vec::new();
    file.rewind()?;
    file.take(NOTE_BYTES).read_to_end(&mut note)?;
    Ok(note)
}

#[cfg(unix)]
mod sys {
    use std::{fs::File, io};

    use cap_std::fs::Dir;
    use rustix::{
        fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, statat},
        io::Errno,
    };

    pub(super) fn open(dir: &Dir, name: &str) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(dir, name, flags, Mode::RUSR | Mode::WUSR)?;
        if FileType::from_raw_mode(fstat(&file)?.st_mode) != FileType::RegularFile {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the lock is not a file"));
        }
        Ok(file.into())
    }

    pub(super) fn is_still_named(file: &File, dir: &Dir, name: &str) -> io::Result<bool> {
        let held = fstat(file)?;
        match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok((held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn cannot_lock(error: &io::Error) -> bool {
        let errno = Errno::from_io_error(error);
        errno.is_some_and(|e| {
            [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&e)
        })
    }
}

#[cfg(not(unix))]
mod sys {
    use std::{fs::File, io};

    use cap_std::fs::{Dir, OpenOptions};

    pub(super) fn open(dir: &Dir, name: &str) -> io::Result<File> {
        let options = OpenOptions::new().read(true).write(true).create(true).to_owned();
        dir.open_with(name, &options).map(cap_std::fs::File::into_std)
    }

    /// A file that is open cannot be replaced on Windows.
    #[expect(clippy::unnecessary_wraps, reason = "other systems have to ask and can fail")]
    pub(super) fn is_still_named(_: &File, _: &Dir, _: &str) -> io::Result<bool> {
        Ok(true)
    }

    pub(super) fn cannot_lock(error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::Unsupported
    }
}
