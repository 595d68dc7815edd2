//! A directory on other systems, through cap-std.
//!
//! Windows keeps a file that is open from being replaced, so a listing or reading handle is never held over another call.
//! Two names cannot be swapped in one step here; see [`Disk::exchange`].

use std::{
    ffi::OsStr,
    io::{self, Read, Seek, SeekFrom, Write},
    time::SystemTime,
};

use cap_std::fs::{File, FileType, Metadata, OpenOptions};

use super::{CapDisk, plain, random, split};
use crate::{
    FileKind, Flow,
    disk::{Attempt, Content, Details, Disk, Exchanged, Found, HeldLock, Persist, Renamed, Stat},
    kernel_lock::{self, KernelLock},
};

impl CapDisk {
    /// Refuses paths that lie behind a link; cap-std alone would follow those that stay within.
    fn checked<'p>(&self, path: &'p str) -> io::Result<&'p str> {
        let mut at = 0;
        for name in path.split('/').filter(|_| !path.is_empty()) {
            plain(name)?;
            at += name.len() + 1;
            let folder = path.get(..at - 1).unwrap_or(path);
            if folder != path && !self.root.symlink_metadata(folder)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(path)
    }

    fn kind(&self, path: &str) -> io::Result<Option<FileKind>> {
        Ok(self.stat(path)?.map(|stat| stat.kind))
    }

    fn open_to_write(&self, path: &str, options: &mut OpenOptions) -> io::Result<File> {
        let path = self.checked(path)?;
        if self.kind(path)?.is_some_and(|kind| kind != FileKind::File) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        self.root.open_with(path, options)
    }
}

impl Disk for CapDisk {
    fn list(
        &self,
        folder: &str,
        _: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> io::Result<()> {
        let folder = self.checked(folder)?;
        for entry in self.root.read_dir(if folder.is_empty() { "." } else { folder })? {
            let entry = entry?;
            let stat = match entry.metadata() {
                Ok(metadata) => stat_from(&metadata),
                Err(error) if is_missing(&error) => continue,
                Err(error) => return Err(error),
            };
            let name = entry.file_name();
            if each(Found { name: OsStr::new(&name), kind: stat.kind, stat: Some(stat) }).is_break()
            {
                break;
            }
        }
        Ok(())
    }

    fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        let metadata = match path {
            "" => self.root.dir_metadata(),
            _ => self.checked(path).and_then(|path| self.root.symlink_metadata(path)),
        };
        match metadata {
            Ok(metadata) => Ok(Some(stat_from(&metadata))),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read(&self, path: &str, from: u64, max: u64) -> io::Result<Content> {
        match self.kind(path)? {
            None => return Ok(Content::Absent),
            Some(FileKind::File) => {}
            Some(kind) => return Ok(Content::NotAFile(kind)),
        }
        let mut file = match self.root.open(path) {
            Ok(file) => file,
            Err(error) if is_missing(&error) => return Ok(Content::Absent),
            Err(error) => return Err(error),
        };
        let stat = stat_from(&file.metadata()?);
        if stat.kind != FileKind::File {
            return Ok(Content::NotAFile(stat.kind));
        }
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(stat.len.saturating_sub(from).min(max)).read_to_end(&mut bytes)?;
        Ok(Content::Bytes(bytes, stat))
    }

    fn read_link(&self, path: &str) -> io::Result<Option<String>> {
        let target = self.root.read_link_contents(self.checked(path)?)?;
        let text = target.to_str().map(|text| text.replace('\\', "/"));
        Ok(text.filter(|_| target.is_relative()))
    }

    fn create(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        let mut file = self.open_to_write(path, OpenOptions::new().write(true).create_new(true))?;
        write(&mut file, bytes, persist)
    }

    fn append(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        let mut file = self.open_to_write(path, OpenOptions::new().append(true).create(true))?;
        write(&mut file, bytes, persist)
    }

    fn truncate(&self, path: &str, len: u64) -> io::Result<()> {
        self.open_to_write(path, OpenOptions::new().write(true))?.set_len(len)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.root.rename(self.checked(from)?, &self.root, self.checked(to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<Renamed> {
        if self.kind(self.checked(to)?)?.is_some() {
            return Ok(Renamed::Exists);
        }
        self.rename(from, to)?;
        Ok(Renamed::Done)
    }

    fn exchange(&self, _: &str, _: &str) -> io::Result<Exchanged> {
        Ok(Exchanged::Unsupported)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        match self.checked(path).and_then(|path| self.root.remove_file(path)) {
            Err(error) if !is_missing(&error) => Err(error),
            _ => Ok(()),
        }
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        match self.root.create_dir(self.checked(path)?) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match self.kind(path)? {
                Some(FileKind::Folder) => Ok(()),
                _ => Err(io::ErrorKind::NotADirectory.into()),
            },
            done => done,
        }
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.root.remove_dir(self.checked(path)?)
    }

    /// Windows writes names through with the change itself and has no call for it.
    fn sync_folder(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn try_lock(&self, path: &str, _: &str) -> io::Result<Attempt> {
        let (folder, name) = split(path)?;
        let folder = self.root.open_dir(self.checked(folder)?)?;
        Ok(match KernelLock::try_acquire(&folder, name)? {
            kernel_lock::Attempt::Held(lock) => Attempt::Held(Box::new(lock)),
            kernel_lock::Attempt::Busy(note) => Attempt::Busy(note),
        })
    }

    fn random(&self) -> io::Result<[u8; 16]> {
        random()
    }
}

impl HeldLock for KernelLock {
    fn found(&self) -> &[u8] {
        self.found()
    }

    fn write_note(&mut self, note: &[u8]) -> io::Result<()> {
        self.write_note(note)
    }
}

pub(super) fn readable(root: &cap_std::fs::Dir) -> io::Result<cap_std::fs::Dir> {
    root.try_clone()
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

fn stat_from(metadata: &Metadata) -> Stat {
    Stat {
        kind: kind_from(metadata.file_type()),
        len: metadata.len(),
        modified: metadata
            .modified()
            .map_or(SystemTime::UNIX_EPOCH, cap_std::time::SystemTime::into_std),
        links: 1,
        id: (0, 0),
    }
}

fn kind_from(kind: FileType) -> FileKind {
    if kind.is_file() {
        FileKind::File
    } else if kind.is_dir() {
        FileKind::Folder
    } else if kind.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}
