//! Opening a folder that has to lie within another one, wherever links would lead.

use std::{io, path::Path};

use cap_std::{
    ambient_authority,
    fs::{Dir, DirBuilder},
};

use super::{CapDisk, sys};
use crate::{Error, disk::Disk as _, project::ProjectPath};

impl CapDisk {
    /// Opens a folder below `root` without ever leaving `root`: links that stay within are followed, one that leads out
    /// is refused. `root` itself may be a link, which is resolved once.
    ///
    /// # Errors
    ///
    /// [`Error::LeadsOut`] for a link out of `root`; otherwise as [`open`](Self::open).
    pub fn open_within(root: &Path, below: &ProjectPath) -> Result<Self, Error> {
        Within::open(root)?.disk(below)
    }

    /// Opens a folder below `root` as [`open_within`](Self::open_within) does, and creates those on the way that are
    /// missing, for the user only. `root` itself has to be there.
    ///
    /// # Errors
    ///
    /// As [`open_within`](Self::open_within), and when a folder cannot be created.
    pub fn open_or_create_within(root: &Path, below: &ProjectPath) -> Result<Self, Error> {
        let within = Within::open(root)?;
        match within.disk(below) {
            Err(Error::Absent { .. }) => {
                within.create(below)?;
                within.disk(below)
            }
            opened => opened,
        }
    }
}

struct Within<'r> {
    root: &'r Path,
    dir: Dir,
}

impl<'r> Within<'r> {
    fn open(root: &'r Path) -> Result<Self, Error> {
        match Dir::open_ambient_dir(root, ambient_authority()) {
            Ok(dir) => Ok(Self { root, dir }),
            Err(error) => Err(sorted("open", &root.display().to_string(), error)),
        }
    }

    fn disk(&self, below: &ProjectPath) -> Result<CapDisk, Error> {
        let shown = self.root.join(below.as_str()).display().to_string();
        match self.dir.open_dir(below.as_str()).and_then(|dir| sys::readable(&dir)) {
            Ok(root) => Ok(CapDisk { root, shown }),
            Err(error) => Err(self.refined("open", below.as_str(), error)),
        }
    }

    fn create(&self, below: &ProjectPath) -> Result<(), Error> {
        let whole = below.as_str();
        let ends = whole.match_indices('/').map(|(at, _)| at).chain([whole.len()]);
        let mut above = CapDisk {
            root: sys::readable(&self.dir).map_err(|error| self.refined("open", "", error))?,
            shown: self.root.display().to_string(),
        };
        for path in ends.filter_map(|end| whole.get(..end)) {
            match self.dir.create_dir_with(path, &for_owner_only()) {
                Ok(()) => above
                    .sync_folder("")
                    .map_err(|error| self.refined("sync the folder of", path, error))?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(self.refined("create", path, error)),
            }
            let opened = self.dir.open_dir(path).and_then(|dir| sys::readable(&dir));
            above.root = opened.map_err(|error| self.refined("open", path, error))?;
        }
        Ok(())
    }

    /// Says which part of a path leads out, where one does.
    fn refined(&self, op: &'static str, path: &str, error: io::Error) -> Error {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let mut parts = ends.filter_map(|end| path.get(..end)).filter(|part| !part.is_empty());
        let out = parts.find(|part| self.dir.metadata(part).is_err_and(|error| leads_out(&error)));
        match out {
            Some(link) => Error::LeadsOut {
                path: self.root.join(link).display().to_string(),
                root: self.root.display().to_string(),
            },
            None => sorted(op, &self.root.join(path).display().to_string(), error),
        }
    }
}

/// Only what cap-std refuses itself has no code of the system's.
fn leads_out(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

fn sorted(op: &'static str, path: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::Absent { path: path.to_owned() },
        io::ErrorKind::NotADirectory => Error::NotADirectory { path: path.to_owned() },
        _ => Error::io(op, path, error),
    }
}

#[cfg(unix)]
fn for_owner_only() -> DirBuilder {
    let mut builder = DirBuilder::new();
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(not(unix))]
fn for_owner_only() -> DirBuilder {
    DirBuilder::new()
}
