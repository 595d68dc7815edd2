//! A project on disk.

use std::{
    io::{self, Read},
    path::Path,
};

use cap_std::fs::{Dir, FileType, OpenOptions};

use super::{
    Error, Folder, Found, Limits, Listing, Needle, ProjectFiles, ProjectPath, listing, search,
};
use crate::FileKind;

/// A project on disk, opened once and never left.
#[derive(Debug)]
pub struct LocalProject {
    root: Dir,
}

impl LocalProject {
    /// Opens a project's folder. A root that is a link is resolved now and held from then on.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] where it is no folder or may not be opened.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let opened = Dir::open_ambient_dir(root, cap_std::ambient_authority());
        match opened {
            Ok(root) => Ok(Self { root }),
            Err(source) => Err(io_error("open", &root.display().to_string(), source)),
        }
    }

    /// What the path names, links within the project followed.
    fn look(&self, path: &str) -> Result<Option<FileKind>, Error> {
        // A link is asked about first: to follow one out of the project fails, to follow one to nothing does too.
        let found = match self.root.symlink_metadata(path) {
            Ok(found) if found.is_symlink() => self.root.metadata(path),
            found => found,
        };
        match found {
            Ok(found) => Ok(Some(kind_of(found.file_type()))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(refine("look at", path, error)),
        }
    }
}

impl ProjectFiles for LocalProject {
    fn kind(&self, path: &ProjectPath) -> Result<Option<FileKind>, Error> {
        self.look(path.as_str())
    }

    fn read_head(&self, path: &ProjectPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        // Only a device minds being opened, so what is no file is not even tried.
        match self.look(path.as_str())? {
            None => return Ok(None),
            Some(FileKind::File) => {}
            Some(kind) => return Err(Error::NotAFile { path: path.to_string(), kind }),
        }
        search::Tree::head(self, path.as_str(), max_bytes)
    }

    fn list(&self, folder: &Folder, max_names: usize) -> Result<Option<Listing>, Error> {
        if let Folder::Within(path) = folder
            && self.kind(path)? != Some(FileKind::Folder)
        {
            return Ok(None);
        }
        listing::list(self, folder, max_names).map(Some)
    }

    fn search(&self, needle: &Needle, limits: &Limits) -> Result<Found, Error> {
        search::search(self, needle, limits)
    }
}

impl search::Tree for LocalProject {
    fn list(&self, folder: &str, max: usize) -> Result<Vec<(Option<String>, FileKind)>, Error> {
        let op = "list";
        let entries =
            if folder.is_empty() { self.root.entries() } else { self.root.read_dir(folder) };
        let entries = entries.map_err(|source| refine(op, folder, source))?;
        let mut names = Vec::new();
        for entry in entries.take(max) {
            let entry = entry.map_err(|source| refine(op, folder, source))?;
            let kind = entry.file_type().map_or(FileKind::Other, kind_of);
            names.push((entry.file_name().into_string().ok(), kind));
        }
        Ok(names)
    }

    fn head(&self, path: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt;
            // A pipe put in the file's place would hang the open.
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        }
        let file = match self.root.open_with(path, &options) {
            Ok(file) => file,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(refine("open", path, error)),
        };
        let read = |source| refine("read", path, source);
        let kind = kind_of(file.metadata().map_err(read)?.file_type());
        if kind != FileKind::File {
            return Err(Error::NotAFile { path: path.to_owned(), kind });
        }
        let mut bytes = Vec::new();
        file.take(max_bytes).read_to_end(&mut bytes).map_err(read)?;
        Ok(Some(bytes))
    }
}

fn kind_of(found: FileType) -> FileKind {
    #[cfg(unix)]
    {
        use cap_std::fs::FileTypeExt;
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
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Tells a path that leads out from one that the system denies: only the latter has a code of the system's.
fn refine(op: &'static str, path: &str, source: io::Error) -> Error {
    if source.kind() == io::ErrorKind::PermissionDenied && source.raw_os_error().is_none() {
        return Error::LeadsOut { path: path.to_owned() };
    }
    io_error(op, if path.is_empty() { "." } else { path }, source)
}

fn io_error(op: &'static str, path: &str, source: io::Error) -> Error {
    Error::Io { op, path: path.to_owned(), source }
}
