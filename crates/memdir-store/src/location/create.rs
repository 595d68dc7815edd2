//! Creating a memory directory that only its owner can read.

#![expect(
    clippy::disallowed_methods,
    reason = "the adapter through which location creates folders"
)]

#[cfg(unix)]
use std::fs::File;
use std::{
    fs::DirBuilder,
    io,
    path::{Path, PathBuf},
};

use super::{
    decide::Location,
    disk::{self, Kind},
    error::Error,
};

/// Whether the memory directory was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Created {
    /// It was there, and is as it was.
    Existed,
    /// It was made, with the folders above it that were missing.
    Made,
}

/// Makes the memory directory and whatever is missing above it, each folder 0700 under any umask, and makes the names durable.
///
/// Folders that exist keep their mode. Links above the directory, and the directory being a link to a folder, are
/// followed; a link that dangles is an error, never a reason to create its target.
///
/// # Errors
///
/// [`Error::NotAFolder`] where something else has one of the names, [`Error::Io`] otherwise.
pub fn create(location: &Location) -> Result<Created, Error> {
    Ok(create_folder(&location.directory)?)
}

/// Why a folder did not come about.
pub(crate) enum Fault {
    NotAFolder { path: PathBuf },
    Io { op: &'static str, path: PathBuf, source: io::Error },
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::NotAFolder { path } => Self::NotAFolder { path },
            Fault::Io { op, path, source } => Self::Io { op, path, source },
        }
    }
}

/// As [`create`], for any folder.
pub(crate) fn create_folder(path: &Path) -> Result<Created, Fault> {
    let mut missing: Vec<&Path> = Vec::new();
    // A relative path ends with the empty one, which is the current folder and there.
    for folder in path.ancestors().filter(|folder| !folder.as_os_str().is_empty()) {
        match make(folder)? {
            Made::Now if missing.is_empty() => return Ok(Created::Made),
            Made::Before if missing.is_empty() => return Ok(Created::Existed),
            Made::Now | Made::Before => break,
            Made::NoParent => missing.push(folder),
        }
    }
    for folder in missing.into_iter().rev() {
        // Another process may be making the same folders; whose call made one does not matter.
        if make(folder)? == Made::NoParent {
            return Err(io_error("create", folder, io::ErrorKind::NotFound.into()));
        }
    }
    Ok(Created::Made)
}

#[derive(PartialEq, Eq)]
enum Made {
    Now,
    Before,
    NoParent,
}

fn make(folder: &Path) -> Result<Made, Fault> {
    match for_owner_only().create(folder) {
        Ok(()) => {}
        Err(source)
            if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(Made::NoParent);
        }
        // Some systems say that the disk is read-only or denied before they say that the name exists.
        Err(source) => {
            return match disk::kind(folder).map_err(|source| io_error("look at", folder, source))? {
                Some(Kind::Folder) => Ok(Made::Before),
                Some(Kind::File | Kind::Other) => {
                    Err(Fault::NotAFolder { path: folder.to_path_buf() })
                }
                None if source.kind() == io::ErrorKind::AlreadyExists => {
                    Err(Fault::NotAFolder { path: folder.to_path_buf() })
                }
                None => Err(io_error("create", folder, source)),
            };
        }
    }
    give_owner_all(folder).map_err(|source| io_error("set the mode of", folder, source))?;
    if let Some(parent) = folder.parent() {
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        sync(parent).map_err(|source| io_error("sync", parent, source))?;
    }
    Ok(Made::Now)
}

#[cfg(unix)]
fn for_owner_only() -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(not(unix))]
fn for_owner_only() -> DirBuilder {
    DirBuilder::new()
}

/// A umask may take bits from the owner, too; the folder could then not be used.
#[cfg(unix)]
fn give_owner_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = std::fs::symlink_metadata(folder)?.permissions();
    if permissions.mode() & 0o777 != 0o700 {
        permissions.set_mode(0o700);
        std::fs::set_permissions(folder, permissions)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn give_owner_all(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // A file system that cannot sync folders has nothing to wait for.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

fn io_error(op: &'static str, path: &Path, source: io::Error) -> Fault {
    Fault::Io { op, path: PathBuf::from(path), source }
}
