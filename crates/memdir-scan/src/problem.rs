//! What kept a scan from reading something.

use std::{fmt, sync::Arc};

use memdir_core::{MemPath, frontmatter::Note, text::escape_control};
use memdir_store::{Error, SkipReason};

/// Something in a memory directory that its owner may want to know; the rest was listed all the same.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Problem {
    /// The file or folder, relative to the memory directory and fit to print.
    pub path: String,
    /// What is the matter with it.
    pub kind: ProblemKind,
}

/// What a [`Problem`] is about.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ProblemKind {
    /// It is not listed, since it is no file that a memory can be.
    Skipped(SkipReason),
    /// It is not listed, since it could not be read.
    Unreadable(Arc<Error>),
    /// It is listed, but is too large to be read whole.
    TooLarge {
        /// Its length in bytes.
        len: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// It is listed, but holds NUL bytes near its beginning, as no text does.
    Binary,
    /// It is listed, and has further names; one of them may lie outside the directory.
    HardLinks {
        /// All its names.
        links: u64,
    },
    /// Its date lies in the future by more than [`CLOCK_SKEW`](crate::limits::CLOCK_SKEW); it counts as written today.
    FutureDate,
    /// Its frontmatter could be read only in part.
    Note(Note),
}

impl Problem {
    /// A file that was listed and could not be read later.
    pub fn unreadable(path: &MemPath, error: Error) -> Self {
        Self::new(path, ProblemKind::Unreadable(Arc::new(error)))
    }

    pub(crate) fn new(path: impl AsRef<str>, kind: ProblemKind) -> Self {
        Self { path: escape_control(path.as_ref()).into_owned(), kind }
    }
}

/// Displays as one line: the path and what is the matter.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            // The error names the path itself.
            ProblemKind::Unreadable(error) => error.fmt(f),
            kind => write!(f, "`{}`: {kind}", self.path),
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped(reason) => reason.fmt(f),
            Self::Unreadable(error) => error.fmt(f),
            Self::TooLarge { len, limit } => write!(f, "too large: {len} bytes of at most {limit}"),
            Self::Binary => f.write_str("holds NUL bytes, so it is no text"),
            Self::HardLinks { links } => {
                write!(f, "has {links} names (hard links); one may lie outside")
            }
            Self::FutureDate => f.write_str("its date lies in the future; it counts as today"),
            Self::Note(note) => note.fmt(f),
        }
    }
}
