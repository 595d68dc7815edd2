//! A real directory that is held open and never left.

use std::{fmt, io, path::Path};

use cap_std::{ambient_authority, fs::Dir};

use crate::{
    Error,
    location::{self, CreateFault},
};

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;
mod within;

#[cfg(not(unix))]
use portable as sys;
#[cfg(unix)]
use unix as sys;

/// A real directory, held open from the beginning.
///
/// Everything is reached from the open handle, one component at a time, without following links; renaming the directory
/// or putting another in its place changes nothing for this value. A link to the directory itself is resolved once, on
/// opening.
pub struct CapDisk {
    root: Dir,
    shown: String,
}

impl CapDisk {
    /// Opens a directory.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`] if there is none, [`Error::NotADirectory`] if it is something else.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let shown = path.display().to_string();
        match Dir::open_ambient_dir(path, ambient_authority()).and_then(|root| sys::readable(&root))
        {
            Ok(root) => Ok(Self { root, shown }),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::NotFound => Error::Absent { path: shown },
                io::ErrorKind::NotADirectory => Error::NotADirectory { path: shown },
                _ => Error::io("open", &shown, error),
            }),
        }
    }

    /// Opens a directory, creates it and the folders above it if there is none, for the user only.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and when it cannot be created.
    pub fn open_or_create(path: &Path) -> Result<Self, Error> {
        match Self::open(path) {
            Err(Error::Absent { path: shown }) => {
                location::create_folder(path).map_err(|fault| match fault {
                    CreateFault::NotAFolder { .. } => Error::NotADirectory { path: shown },
                    CreateFault::Io { op, source, .. } => Error::io(op, &shown, source),
                })?;
                Self::open(path)
            }
            opened => opened,
        }
    }
}

impl fmt::Debug for CapDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CapDisk").field("path", &self.shown).finish_non_exhaustive()
    }
}

/// Splits a path into its folder and its last component, which is a plain name.
fn split(path: &str) -> io::Result<(&str, &str)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    Ok((folder, plain(name)?))
}

/// Refuses what is not the plain name of something in a folder.
fn plain(name: &str) -> io::Result<&str> {
    // Without an early end, so that many bytes are looked at in one step.
    let splits = name.bytes().fold(false, |splits, byte| {
        splits | matches!(byte, b'\0' | b'/') | (char::from(byte) == std::path::MAIN_SEPARATOR)
    });
    if splits || matches!(name, "" | "." | "..") {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain name"));
    }
    Ok(name)
}

fn random() -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}
