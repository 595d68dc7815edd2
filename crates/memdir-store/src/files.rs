//! Files wherever they lie: by absolute path, links resolved, with what tells two names of one file.
//!
//! [`Files`] is the port. It decides nothing: it says where a path really leads, so that its caller can refuse before anything
//! is opened, and what is read then is what was looked at. [`InMemoryFiles`] is for tests and for hosts without files.
//!
//! ```
//! use std::path::Path;
//! use memdir_store::files::{Files, InMemoryFiles};
//!
//! let files = InMemoryFiles::new().file("/w/a.md", "text").link("/w/b.md", "a.md");
//! let found = files.look(Path::new("/w/b.md"))?.expect("it is there");
//! assert_eq!(found.path, Path::new("/w/a.md"));
//! assert_eq!(files.read(&found, 2)?, b"te");
//! # Ok::<(), memdir_store::files::Error>(())
//! ```

#[cfg(feature = "fs")]
mod local;
mod memory;
#[cfg(feature = "testing")]
mod recording;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "fs")]
pub use local::LocalFiles;
pub use memory::InMemoryFiles;
#[cfg(feature = "testing")]
pub use recording::{Call, Recording};

use crate::FileKind;

/// Looks at files by absolute paths.
pub trait Files {
    /// Tells where a path leads, all links followed; `None` if nothing is there, as behind a link to nothing or in a circle.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] where the system refuses.
    fn look(&self, path: &Path) -> Result<Option<Found>, Error>;

    /// At most `max` names in a folder, in the order of the system.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] where the system refuses, or it is no folder.
    fn list(&self, folder: &Found, max: usize) -> Result<Vec<Name>, Error>;

    /// The first `max_bytes` bytes of a file that was found, all if it has fewer.
    ///
    /// # Errors
    ///
    /// [`Error::Changed`] where something else is in its place by now, [`Error::NotAFile`] for anything but a regular file,
    /// which is not opened, [`Error::Io`] where the system refuses.
    fn read(&self, file: &Found, max_bytes: u64) -> Result<Vec<u8>, Error>;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: Files + ?Sized> Files for $pointer {
            fn look(&self, path: &Path) -> Result<Option<Found>, Error> {
                (**self).look(path)
            }

            fn list(&self, folder: &Found, max: usize) -> Result<Vec<Name>, Error> {
                (**self).list(folder, max)
            }

            fn read(&self, file: &Found, max_bytes: u64) -> Result<Vec<u8>, Error> {
                (**self).read(file, max_bytes)
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Its path without links, absolute.
    pub path: PathBuf,
    /// What it is, never a link.
    pub kind: FileKind,
    /// Its size, in bytes; of no meaning for what is no file.
    pub bytes: u64,
    /// What it has in common with its other names.
    pub identity: Identity,
}

/// Equal for two names of one file or folder, hard links among them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(Same);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Same {
    Node { device: u64, number: u64 },
    Path(PathBuf),
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// The name itself.
    pub name: OsString,
    /// What bears it; links are not followed.
    pub kind: FileKind,
}

/// Why something could not be looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is something else than a regular file.
    #[error("`{path}` is {kind}, not a file", path = path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        kind: FileKind,
    },
    /// It is not what was found before.
    #[error("`{path}` was replaced meanwhile", path = path.display())]
    Changed {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {op} `{path}`", path = path.display())]
    Io {
        /// What was tried, a verb.
        op: &'static str,
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
