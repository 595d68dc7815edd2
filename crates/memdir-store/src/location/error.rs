//! What can go wrong while a directory is looked for.

use std::{
    io,
    path::{Path, PathBuf},
};

use memdir_core::text::escape_control;

use super::refusal::Refusal;

/// Why no location, claim or folder came about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A flag or an environment variable has a value that cannot be used; it is never replaced silently.
    #[error(transparent)]
    Invalid(Refusal),
    /// The default folder lies below the home folder, and none is known.
    #[error("the home folder is not known, so there is no default memory directory")]
    NoHome,
    /// The layout lies below the platform's data folder, and none is known.
    #[error("the platform's data folder is not known, so layout `memdir` has no place")]
    NoDataFolder,
    /// The working folder does not exist or is not a folder.
    #[error("`{}` is not a folder", shown(path))]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// The working folder is not absolute; this crate knows no current directory to read it by.
    #[error("the working folder `{}` is not absolute", shown(path))]
    Relative {
        /// The path.
        path: PathBuf,
    },
    /// The project's record is not readable as one.
    #[error("`{}` is not a project record", shown(path))]
    Record {
        /// The record.
        path: PathBuf,
        /// What the reader says.
        source: serde_json::Error,
    },
    /// The record, or whether its project exists, changed between asking and writing.
    #[error("`{}` is the record of another project by now", shown(path))]
    RecordChanged {
        /// The record.
        path: PathBuf,
    },
    /// The project has memory of its own, which nothing replaces.
    #[error("there is memory in `{}` already", shown(path))]
    Occupied {
        /// The memory directory.
        path: PathBuf,
    },
    /// The memory directory cannot be opened.
    #[error(transparent)]
    Store(#[from] crate::Error),
    /// The system refused.
    #[error("cannot {op} `{}`", shown(path))]
    Io {
        /// What was tried, a verb.
        op: &'static str,
        /// The path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// A path for a message: what is in a repository may be named to fool a terminal.
pub(super) fn shown(path: &Path) -> String {
    escape_control(&path.to_string_lossy()).into_owned()
}
