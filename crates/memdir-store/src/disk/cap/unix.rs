//! A directory on a Unix system, through `*at` calls on open folders.

mod beneath;
mod names;
mod stat;
mod swap;

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
};

use rustix::{
    fs::{
        AtFlags, FileType, Mode, OFlags, fstat, fsync, linkat, mkdirat, openat, readlinkat,
        renameat, statat, unlinkat,
    },
    io::Errno,
};

use super::{CapDisk, plain, random, split};
use crate::{
    FileKind, Flow,
    disk::{Attempt, Content, Details, Disk, Exchanged, Found, HeldLock, Persist, Renamed, Stat},
    kernel_lock::{self, KernelLock},
};
use stat::{kind_from, stat_from};

/// A folder on the way to a file: the directory itself, or one opened below it.
enum Folder<'a> {
    Root(BorrowedFd<'a>),
    Opened(OwnedFd),
}

impl AsFd for Folder<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Root(fd) => fd.as_fd(),
            Self::Opened(fd) => fd.as_fd(),
        }
    }
}

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opening a pipe does not wait for its other end, and a terminal does not become the process's own.
const FILE: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

const OWNER: Mode = Mode::RUSR.union(Mode::WUSR);

impl CapDisk {
    fn folder(&self, path: &str) -> io::Result<Folder<'_>> {
        let mut at = Folder::Root(self.root.as_fd());
        for name in path.split('/').filter(|_| !path.is_empty()) {
            let opened = openat(&at, plain(name)?, FOLDER, Mode::empty());
            at = Folder::Opened(opened.map_err(|errno| match errno {
                Errno::LOOP => Errno::NOTDIR,
                other => other,
            })?);
        }
        Ok(at)
    }

    /// Opens a folder anew, so that reading or locking it disturbs nobody else.
    fn opened(&self, path: &str) -> io::Result<OwnedFd> {
        match self.folder(path)? {
            Folder::Root(root) => Ok(openat(root, ".", FOLDER, Mode::empty())?),
            Folder::Opened(opened) => Ok(opened),
        }
    }

    fn parent<'p>(&self, path: &'p str) -> io::Result<(Folder<'_>, &'p str)> {
        let (folder, name) = split(path)?;
        Ok((self.folder(folder)?, name))
    }

    fn open_to_read(&self, path: &str) -> io::Result<File> {
        if path.contains('/') {
            path.split('/').try_for_each(|name| plain(name).map(drop))?;
            match beneath::open(&self.root, path, FILE | OFlags::RDONLY) {
                // Not on this system, or not allowed in this sandbox.
                Err(Errno::NOSYS | Errno::PERM) => {}
                opened => return Ok(opened?.into()),
            }
        }
        let (folder, name) = self.parent(path)?;
        Ok(openat(folder, name, FILE | OFlags::RDONLY, Mode::empty())?.into())
    }

    fn open_to_write(&self, path: &str, flags: OFlags) -> io::Result<File> {
        let (folder, name) = self.parent(path)?;
        let file = openat(folder, name, FILE | OFlags::WRONLY | flags, OWNER)?;
        if stat_from(&fstat(&file)?).kind != FileKind::File {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(file.into())
    }

    fn siblings<'p>(
        &self,
        from: &'p str,
        to: &'p str,
    ) -> io::Result<(Folder<'_>, &'p str, &'p str)> {
        let ((folder, from), (other, to)) = (split(from)?, split(to)?);
        if folder != other {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "names of different folders"));
        }
        Ok((self.folder(folder)?, from, to))
    }
}

impl Disk for CapDisk {
    fn list(
        &self,
        folder: &str,
        mut details: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> io::Result<()> {
        let folder = self.opened(folder)?;
        names::each(&folder, &mut |raw, file_type| {
            let name = OsStr::from_bytes(raw.to_bytes());
            let mut kind = kind_from(file_type);
            let mut stat = None;
            let is_due = kind == FileKind::File && details.ask(name);
            if is_due || file_type == FileType::Unknown {
                match statat(&folder, raw, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(found) => stat = Some(stat_from(&found)),
                    Err(Errno::NOENT) => return Ok(Flow::Continue(())),
                    Err(error) => return Err(error),
                }
                kind = stat.map_or(kind, |stat| stat.kind);
            }
            Ok(each(Found { name, kind, stat }))
        })?;
        Ok(())
    }

    fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        if path.is_empty() {
            return Ok(Some(stat_from(&fstat(&self.root)?)));
        }
        let (folder, name) = match self.parent(path) {
            Err(error) if is_missing(&error) => return Ok(None),
            found => found?,
        };
        match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat_from(&stat))),
            Err(Errno::NOENT | Errno::NAMETOOLONG) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn read(&self, path: &str, from: u64, max: u64) -> io::Result<Content> {
        let mut file = match self.open_to_read(path) {
            Ok(file) => file,
            Err(error) => match Errno::from_io_error(&error) {
                Some(Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG) => {
                    return Ok(Content::Absent);
                }
                // What some systems say of a link, and of a socket or a device without a driver.
                Some(
                    Errno::LOOP | Errno::MLINK | Errno::NXIO | Errno::NODEV | Errno::OPNOTSUPP,
                ) => {
                    let stat = self.stat(path)?;
                    return Ok(stat.map_or(Content::Absent, |stat| Content::NotAFile(stat.kind)));
                }
                _ => return Err(error),
            },
        };
        let stat = stat_from(&fstat(&file)?);
        if stat.kind != FileKind::File {
            return Ok(Content::NotAFile(stat.kind));
        }
        if from > 0 {
            file.seek(SeekFrom::Start(from))?;
        }
        let wanted = stat.len.saturating_sub(from).min(max);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(wanted).unwrap_or(usize::MAX))?;
        file.take(wanted).read_to_end(&mut bytes)?;
        Ok(Content::Bytes(bytes, stat))
    }

    fn read_link(&self, path: &str) -> io::Result<Option<String>> {
        let (folder, name) = self.parent(path)?;
        let target = readlinkat(folder, name, Vec::new())?.into_string().ok();
        Ok(target.filter(|target| !target.starts_with('/')))
    }

    fn create(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        let mut file = self.open_to_write(path, OFlags::CREATE | OFlags::EXCL)?;
        write(&mut file, bytes, persist)
    }

    fn append(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        let mut file = self.open_to_write(path, OFlags::CREATE | OFlags::APPEND)?;
        write(&mut file, bytes, persist)
    }

    fn truncate(&self, path: &str, len: u64) -> io::Result<()> {
        self.open_to_write(path, OFlags::empty())?.set_len(len)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (folder, from, to) = self.siblings(from, to)?;
        Ok(renameat(&folder, from, &folder, to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<Renamed> {
        let (folder, from, to) = self.siblings(from, to)?;
        match swap::rename_new(&folder, from, to) {
            Ok(()) => return Ok(Renamed::Done),
            Err(Errno::EXIST) => return Ok(Renamed::Exists),
            Err(error) if is_unsupported(error) => {}
            Err(error) => return Err(error.into()),
        }
        match linkat(&folder, from, &folder, to, AtFlags::empty()) {
            Ok(()) => {
                unlinkat(&folder, from, AtFlags::empty())?;
                return Ok(Renamed::Done);
            }
            Err(Errno::EXIST) => return Ok(Renamed::Exists),
            Err(error) if is_unsupported(error) || error == Errno::PERM => {}
            Err(error) => return Err(error.into()),
        }
        match statat(&folder, to, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(Renamed::Exists),
            Err(Errno::NOENT) => {
                renameat(&folder, from, &folder, to)?;
                Ok(Renamed::Done)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<Exchanged> {
        let (folder, one, other) = self.siblings(one, other)?;
        match swap::exchange(&folder, one, other) {
            Ok(()) => Ok(Exchanged::Done),
            Err(Errno::NOENT) => Ok(Exchanged::Absent),
            Err(error) if is_unsupported(error) => Ok(Exchanged::Unsupported),
            Err(error) => Err(error.into()),
        }
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let (folder, name) = match self.parent(path) {
            Err(error) if is_missing(&error) => return Ok(()),
            found => found?,
        };
        match unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        match mkdirat(folder, name, Mode::RWXU) {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) => match self.stat(path)? {
                Some(stat) if stat.kind == FileKind::Folder => Ok(()),
                _ => Err(Errno::NOTDIR.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        match fsync(self.folder(folder)?) {
            // Some network file systems keep names safe themselves and refuse to be asked.
            Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn try_lock(&self, path: &str, anchor: &str) -> io::Result<Attempt> {
        let (folder, name) = split(path)?;
        let folder = cap_std::fs::Dir::from_std_file(self.opened(folder)?.into());
        let file = match KernelLock::try_acquire(&folder, name)? {
            kernel_lock::Attempt::Busy(note) => return Ok(Attempt::Busy(note)),
            kernel_lock::Attempt::Held(file) => file,
        };
        let anchor = File::from(self.opened(anchor)?);
        match kernel_lock::try_lock(&anchor) {
            Ok(true) => Ok(Attempt::Held(Box::new(Held { file, anchor: Some(anchor) }))),
            Ok(false) => Ok(Attempt::Busy(file.found().to_vec())),
            // Locks on folders are an extra that network file systems do not have.
            Err(error) if has_no_folder_locks(&error) => {
                Ok(Attempt::Held(Box::new(Held { file, anchor: None })))
            }
            Err(error) => Err(error),
        }
    }

    fn random(&self) -> io::Result<[u8; 16]> {
        random()
    }
}

struct Held {
    file: KernelLock,
    #[expect(dead_code, reason = "its being open is what locks the folder")]
    anchor: Option<File>,
}

impl HeldLock for Held {
    fn found(&self) -> &[u8] {
        self.file.found()
    }

    fn write_note(&mut self, note: &[u8]) -> io::Result<()> {
        self.file.write_note(note)
    }
}

/// Returns a handle that can also be listed and made safe; the one that cap-std opens is for going on from only.
pub(super) fn readable(root: &cap_std::fs::Dir) -> io::Result<cap_std::fs::Dir> {
    let opened = openat(root, ".", FOLDER, Mode::empty())?;
    Ok(cap_std::fs::Dir::from_std_file(opened.into()))
}

fn write(file: &mut File, bytes: &[u8], persist: Persist) -> io::Result<()> {
    file.write_all(bytes)?;
    match persist {
        Persist::Now => file.sync_all(),
        Persist::Later => Ok(()),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn is_unsupported(errno: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&errno)
}

fn has_no_folder_locks(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    error.kind() == io::ErrorKind::Unsupported
        || errno.is_some_and(|errno| [Errno::BADF, Errno::ISDIR, Errno::INVAL].contains(&errno))
}
