//! A confined look at the project: what a memory claims about its files can be checked, and nothing else touched.
//!
//! [`ProjectFiles`] is the port. A [`ProjectPath`] cannot leave the project by its text, [`LocalProject`] does not
//! leave it by links, and neither runs, writes or waits for anything. [`InMemoryProject`] is a project for tests and for hosts without files.
//!
//! ```
//! use memdir_store::project::{InMemoryProject, Limits, Needle, ProjectFiles, ProjectPath};
//!
//! let path = ProjectPath::parse("src/auth/token.rs")?;
//! let project = InMemoryProject::new().file(&path, "pub struct Token;");
//! assert!(project.kind(&path)?.is_some());
//!
//! let needle = Needle::word("Session").expect("because it is not empty");
//! let found = project.search(&needle, &Limits::default())?;
//! assert!(found.hits.is_empty() && found.complete, "so it is gone");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod listing;
mod memory;
mod needle;
mod path;
#[cfg(feature = "testing")]
mod recording;
mod search;

#[cfg(feature = "fs")]
mod local;

use std::{io, sync::Arc};

pub use listing::{Folder, Listed, Listing};
#[cfg(feature = "fs")]
pub use local::LocalProject;
pub use memory::InMemoryProject;
pub use needle::Needle;
pub use path::{ProjectPath, ProjectPathFault};
#[cfg(feature = "testing")]
pub use recording::{Call, Recording};
pub use search::{Found, Hit, Limits};

use crate::FileKind;

/// Reads a project, within bounds.
pub trait ProjectFiles {
    /// Tells what a path names; `None` if nothing does. Links within the project are followed, and one to nothing is nothing.
    ///
    /// # Errors
    ///
    /// [`Error::LeadsOut`] for a link out of the project, [`Error::Io`] where the system refuses.
    fn kind(&self, path: &ProjectPath) -> Result<Option<FileKind>, Error>;

    /// Returns the first `max_bytes` bytes of a file, all if it has fewer; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// As [`kind`](Self::kind), and [`Error::NotAFile`] for anything but a regular file, which is not opened.
    fn read_head(&self, path: &ProjectPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error>;

    /// Lists a folder by name, hidden names included and links not followed; `None` if there is no such folder.
    ///
    /// # Errors
    ///
    /// As [`kind`](Self::kind).
    fn list(&self, folder: &Folder, max_names: usize) -> Result<Option<Listing>, Error>;

    /// Looks for a text in the project's files, nearest to the root first, until a limit ends it.
    ///
    /// Links, hidden folders and the folders of [`Limits::skip`] are not entered. A file or folder that cannot be read is counted, not an error.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] where the project itself cannot be listed.
    fn search(&self, needle: &Needle, limits: &Limits) -> Result<Found, Error>;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: ProjectFiles + ?Sized> ProjectFiles for $pointer {
            fn kind(&self, path: &ProjectPath) -> Result<Option<FileKind>, Error> {
                (**self).kind(path)
            }

            fn read_head(&self, path: &ProjectPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
                (**self).read_head(path, max_bytes)
            }

            fn list(&self, folder: &Folder, max_names: usize) -> Result<Option<Listing>, Error> {
                (**self).list(folder, max_names)
            }

            fn search(&self, needle: &Needle, limits: &Limits) -> Result<Found, Error> {
                (**self).search(needle, limits)
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);

/// Why a project could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A link in the path leads out of the project; nothing behind it was looked at.
    #[error("`{path}` leads out of the project")]
    LeadsOut {
        /// The path within the project.
        path: String,
    },
    /// The path names something else than a regular file.
    #[error("`{path}` is {kind}, not a file")]
    NotAFile {
        /// The path within the project.
        path: String,
        /// What it is.
        kind: FileKind,
    },
    /// The system refused.
    #[error("cannot {op} `{path}`")]
    Io {
        /// What was tried, a verb.
        op: &'static str,
        /// The path within the project, or the project itself.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}
