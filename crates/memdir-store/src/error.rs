//! What can go wrong with a store.

use std::{fmt, io, time::Duration};

use memdir_core::MemPath;

use crate::{FileKind, Holder, OpId, Revision, SkipReason};

/// Why a store could not read or write.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another writer held the lock all the time.
    #[error("the memory directory is being written by {}", shown(holder.as_ref()))]
    Busy {
        /// Who, as far as they say.
        holder: Option<Holder>,
        /// How long this writer waited.
        waited: Duration,
    },
    /// The disk, or the share of it that the user may fill, is full.
    #[error("no space left to {op} `{path}`")]
    NoSpace {
        /// What was tried.
        op: &'static str,
        /// The file or folder.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file system is read-only.
    #[error("the file system is read-only, cannot {op} `{path}`")]
    ReadOnly {
        /// What was tried.
        op: &'static str,
        /// The file or folder.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The user may not do this.
    #[error("no permission to {op} `{path}`")]
    Denied {
        /// What was tried.
        op: &'static str,
        /// The file or folder.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file is larger than it may be.
    #[error("`{path}` is larger than {limit} bytes")]
    TooLarge {
        /// The file.
        path: String,
        /// What is allowed, in bytes; what the system allows may be less.
        limit: u64,
    },
    /// There is no memory directory.
    #[error("there is no directory `{path}`")]
    Absent {
        /// The directory.
        path: String,
    },
    /// The memory directory is a file.
    #[error("`{path}` is not a directory")]
    NotADirectory {
        /// What was to be the directory.
        path: String,
    },
    /// A folder that has to lie within another is, or lies behind, a link out of it; nothing behind it was looked at.
    #[error("`{path}` leads out of `{root}` by a symbolic link")]
    LeadsOut {
        /// The link.
        path: String,
        /// The folder that it leads out of.
        root: String,
    },
    /// A name stands for something that is no regular file.
    #[error("`{path}` is {kind}, not a file")]
    NotAFile {
        /// The name.
        path: String,
        /// What it is.
        kind: FileKind,
    },
    /// A name is, or lies behind, a symbolic link that is not followed.
    #[error("`{path}` is not read: {reason}")]
    Link {
        /// The name.
        path: String,
        /// Where the link leads.
        reason: SkipReason,
    },
    /// The file system cannot lock, so writers cannot be kept apart.
    #[error("the file system cannot lock `{path}`")]
    LockUnsupported {
        /// The lock file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The journal was written by a newer version, which this one would damage.
    #[error("`{path}` is of version {version}, which is newer than this program")]
    NewerFormat {
        /// The file.
        path: String,
        /// The version found.
        version: u64,
    },
    /// The journal has no such operation or run.
    #[error("the journal has no {what}")]
    NotInJournal {
        /// What was looked for.
        what: String,
    },
    /// Anything else that the system said.
    #[error("cannot {op} `{path}`")]
    Io {
        /// What was tried.
        op: &'static str,
        /// The file or folder.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// Sorts what the system said.
    pub(crate) fn io(op: &'static str, path: &str, source: io::Error) -> Self {
        let path = if path.is_empty() { "." } else { path }.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::NoSpace { op, path, source }
            }
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { op, path, source },
            io::ErrorKind::PermissionDenied => Self::Denied { op, path, source },
            _ => Self::Io { op, path, source },
        }
    }

    /// Tells whether the same call may succeed later with nothing done about it.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Busy { .. } => true,
            Self::Io { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::Interrupted
                    | io::ErrorKind::TimedOut
                    | io::ErrorKind::WouldBlock
                    | io::ErrorKind::ResourceBusy
                    | io::ErrorKind::StaleNetworkFileHandle
            ),
            _ => false,
        }
    }
}

fn shown(holder: Option<&Holder>) -> String {
    holder.map_or_else(|| "somebody else".to_owned(), ToString::to_string)
}

/// Why a batch was not applied; the state is as before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// Files were not as expected; never empty.
    #[error("{}", list(_0))]
    Conflict(Vec<Conflict>),
    /// This actor may not do it, or nobody can.
    #[error("`{path}` {refusal}")]
    Refused {
        /// The file.
        path: MemPath,
        /// Why.
        refusal: Refusal,
    },
    /// The disk or another writer is in the way.
    #[error(transparent)]
    Store(#[from] Error),
}

/// A file that was not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The file.
    pub path: MemPath,
    /// The content the change was made for; absent: no file.
    pub expected: Option<Revision>,
    /// The content that is there; absent: no file.
    pub found: Option<Revision>,
    /// The content that was to be; absent: no file.
    pub wanted: Option<Revision>,
    /// Both sides put together, when the content expected is still known: what to offer to whoever decides.
    pub merge: Option<Merge>,
}

impl Conflict {
    /// Describes a conflict without a merge.
    pub fn new(
        path: MemPath,
        expected: Option<Revision>,
        found: Option<Revision>,
        wanted: Option<Revision>,
    ) -> Self {
        Self { path, expected, found, wanted, merge: None }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match (self.expected, self.found) {
            (None, _) => "already exists",
            (_, None) => "is gone",
            _ => "has changed",
        };
        write!(f, "`{}` {what}", self.path)
    }
}

/// Two versions of a file with a common origin, put together line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merge {
    /// The content; where both changed the same lines, both stand between conflict marks.
    pub bytes: Vec<u8>,
    /// Whether there are no conflict marks.
    pub clean: bool,
}

impl Merge {
    /// Describes a merge.
    pub fn new(bytes: Vec<u8>, clean: bool) -> Self {
        Self { bytes, clean }
    }
}

/// Why a change is refused. Displays as the rest of a sentence that begins with the path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It is pinned, or would become so or cease to be; only a person changes that.
    Pinned,
    /// A name that some file systems take for the same is there.
    Twin {
        /// The name that is there.
        existing: String,
    },
    /// It is a symbolic link, or lies behind one; links are not written through.
    Link,
    /// It is something else than a regular file.
    NotAFile(FileKind),
    /// Something in its path is not a folder.
    NotInAFolder,
    /// The index is not UTF-8, so its lines cannot be told apart.
    IndexNotUtf8,
    /// Only a person may do this.
    PersonOnly,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned => f.write_str("is pinned, and only a person changes what is pinned"),
            Self::Twin { existing } => {
                write!(f, "differs from the existing `{existing}` only in case or normal form")
            }
            Self::Link => {
                f.write_str("is or lies behind a link, and links are not written through")
            }
            Self::NotAFile(kind) => write!(f, "is {kind}, not a file"),
            Self::NotInAFolder => f.write_str("has something in its path that is not a folder"),
            Self::IndexNotUtf8 => f.write_str("is not UTF-8 and cannot be changed line by line"),
            Self::PersonOnly => f.write_str("can be purged by a person only"),
        }
    }
}

fn list(conflicts: &[Conflict]) -> String {
    conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Why operations could not be undone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// The journal has no such operation or run, or it was never completed.
    #[error("the journal has no {target}")]
    Unknown {
        /// What was to be undone.
        target: String,
    },
    /// Putting the old content back failed.
    #[error("cannot undo `{op}`")]
    Apply {
        /// The newest operation that was to be undone.
        op: OpId,
        /// Why.
        source: ApplyError,
    },
    /// The journal cannot be read.
    #[error(transparent)]
    Store(#[from] Error),
}
