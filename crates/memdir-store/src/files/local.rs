//! Files on disk.

#![expect(
    clippy::disallowed_methods,
    reason = "the adapter through which files outside of a memory directory are looked at"
)]

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::{Error, Files, Found, Identity, Name, Same};
use crate::FileKind;

/// Files on disk, read as the user who runs the program may.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct LocalFiles;

impl LocalFiles {
    /// Opens nothing yet.
    pub fn new() -> Self {
        Self
    }
}

impl Files for LocalFiles {
    fn look(&self, path: &Path) -> Result<Option<Found>, Error> {
        let found = fs::canonicalize(path)
            .and_then(|path| Ok((fs::symlink_metadata(&path)?, path)))
            .map(|(metadata, path)| Found {
                kind: kind_of(metadata.file_type()),
                bytes: metadata.len(),
                identity: identity(&metadata, &path),
                path,
            });
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(source) => Err(io_error("look at", path, source)),
        }
    }

    fn list(&self, folder: &Found, max: usize) -> Result<Vec<Name>, Error> {
        let failed = |source| io_error("list", &folder.path, source);
        let entries = fs::read_dir(&folder.path).map_err(failed)?;
        entries
            .take(max)
            .map(|entry| {
                let entry = entry.map_err(failed)?;
                let kind = entry.file_type().map_or(FileKind::Other, kind_of);
                Ok(Name { name: entry.file_name(), kind })
            })
            .collect()
    }

    fn read(&self, file: &Found, max_bytes: u64) -> Result<Vec<u8>, Error> {
        let path = &file.path;
        // Only a device minds being opened, so what is no file is not even tried.
        if file.kind != FileKind::File {
            return Err(Error::NotAFile { path: path.clone(), kind: file.kind });
        }
        let opened = match open(path) {
            Ok(opened) => opened,
            // A link in the place of a folder or of the file itself.
            Err(error) if is_absent(&error) => return Err(Error::Changed { path: path.clone() }),
            Err(source) => return Err(io_error("open", path, source)),
        };
        let metadata = opened.metadata().map_err(|source| io_error("read", path, source))?;
        if identity(&metadata, path) != file.identity || !metadata.is_file() {
            return Err(Error::Changed { path: path.clone() });
        }
        let mut bytes = Vec::new();
        opened
            .take(max_bytes)
            .read_to_end(&mut bytes)
            .map_err(|source| io_error("read", path, source))?;
        Ok(bytes)
    }
}

/// Opens a file by a path without links; one that was put into it meanwhile is not followed.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::path::Component;

    use rustix::fs::{CWD, Mode, OFlags, openat};

    // A folder on the way need not be readable, where the system can open it without.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const WAY: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const WAY: OFlags = OFlags::RDONLY;

    let common = OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut folder = openat(CWD, "/", WAY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => {
            None
        }
    });
    let last = names.next_back().ok_or(io::ErrorKind::IsADirectory)?;
    for name in names {
        folder = openat(&folder, name, WAY | OFlags::DIRECTORY | common, Mode::empty())?;
    }
    // A pipe put in the file's place would hang the open.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | common;
    Ok(File::from(openat(&folder, last, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn identity(metadata: &Metadata, _: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;

    Identity(Same::Node { device: metadata.dev(), number: metadata.ino() })
}

#[cfg(not(unix))]
fn identity(_: &Metadata, path: &Path) -> Identity {
    Identity(Same::Path(path.to_owned()))
}

fn kind_of(found: FileType) -> FileKind {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return FileKind::Fifo;
        } else if found.is_socket() {
            return FileKind::Socket;
        } else if found.is_block_device() || found.is_char_device() {
            return FileKind::Device;
        }
    }
    if found.is_file() {
        FileKind::File
    } else if found.is_dir() {
        FileKind::Folder
    } else if found.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}

fn is_absent(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return true;
    }
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

fn io_error(op: &'static str, path: &Path, source: io::Error) -> Error {
    Error::Io { op, path: path.to_owned(), source }
}
