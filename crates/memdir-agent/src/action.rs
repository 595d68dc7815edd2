//! What a model can do here, and nothing else.

use std::fmt;

use memdir_core::MemPath;
use memdir_store::project::{Folder, ProjectPath};

/// A call that the policy allows, with its paths read.
///
/// A value of this type names nothing outside of the memory directory and the project.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Shows a file.
    Read {
        /// The file.
        file: File,
        /// Which lines.
        span: Span,
    },
    /// Names what is in a folder.
    List {
        /// The folder.
        scope: Scope,
    },
    /// Finds lines that hold one of several words.
    Grep {
        /// What to look for, as written but for case in memories; never empty.
        words: Vec<String>,
        /// Where.
        scope: Scope,
    },
    /// Writes a memory, or, for the index, the lines that differ.
    Write {
        /// The memory, or the index.
        path: MemPath,
        /// Its whole text.
        text: String,
    },
    /// Replaces a part of a memory or of the index.
    Edit {
        /// The memory, or the index.
        path: MemPath,
        /// The text that goes; never empty.
        old: String,
        /// The text that comes.
        new: String,
        /// How often the old text may be there.
        matches: Matches,
    },
    /// Sets the line of a memory in the index.
    Index {
        /// The memory.
        path: MemPath,
        /// The text of the link.
        title: String,
        /// What stands behind it.
        hook: String,
    },
    /// Takes a memory and its line in the index away.
    Remove {
        /// The memory.
        path: MemPath,
        /// The memory that says from now on what this one said; it is committed together with the removal or held with it.
        kept_in: Option<MemPath>,
    },
}

impl Action {
    /// Returns what it does, without what it does it to.
    pub fn verb(&self) -> Verb {
        match self {
            Self::Read { .. } => Verb::Read,
            Self::List { .. } => Verb::List,
            Self::Grep { .. } => Verb::Grep,
            Self::Write { .. } => Verb::Write,
            Self::Edit { .. } => Verb::Edit,
            Self::Index { .. } => Verb::Index,
            Self::Remove { .. } => Verb::Remove,
        }
    }

    /// Returns the memory that it changes; `None` where it changes none.
    pub fn changes(&self) -> Option<&MemPath> {
        match self {
            Self::Read { .. } | Self::List { .. } | Self::Grep { .. } => None,
            Self::Write { path, .. }
            | Self::Edit { path, .. }
            | Self::Index { path, .. }
            | Self::Remove { path, .. } => Some(path),
        }
    }

    /// Whether it is about the index, whose lines may lead to what the same answer writes.
    pub(crate) fn is_of_index(&self) -> bool {
        matches!(self, Self::Index { .. }) || self.changes().is_some_and(MemPath::is_index)
    }
}

/// What an [`Action`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verb {
    /// It shows a file.
    Read,
    /// It names what is in a folder.
    List,
    /// It finds lines.
    Grep,
    /// It writes a memory.
    Write,
    /// It replaces a part of a memory.
    Edit,
    /// It sets a line of the index.
    Index,
    /// It takes a memory away.
    Remove,
}

impl Verb {
    /// Returns the word for it, which is the name of the tool that this crate offers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Grep => "grep",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Index => "index",
            Self::Remove => "remove",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A file that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an agent sees memories and the project")]
pub enum File {
    /// A memory, or the index.
    Memory(MemPath),
    /// A file of the project.
    Project(ProjectPath),
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(path) => path.fmt(f),
            Self::Project(path) => write!(f, "project:{path}"),
        }
    }
}

/// Where something is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an agent sees memories and the project")]
pub enum Scope {
    /// All memories.
    Memories,
    /// The memories of one folder, or one memory.
    MemoriesIn(MemPath),
    /// A folder of the project.
    Project(Folder),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memories => f.write_str("the memory directory"),
            Self::MemoriesIn(path) => path.fmt(f),
            Self::Project(Folder::Root) => f.write_str("the project"),
            Self::Project(Folder::Within(path)) => write!(f, "project:{path}"),
        }
    }
}

/// Lines of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a span has a beginning and a length")]
pub struct Span {
    /// The first, counted from 1.
    pub from_line: usize,
    /// How many at most.
    pub lines: usize,
}

impl Span {
    /// All lines.
    pub const ALL: Self = Self { from_line: 1, lines: usize::MAX };
}

/// How often an edit finds its old text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an edit means one place or every place")]
pub enum Matches {
    /// Once, or the edit is refused.
    One,
    /// At least once; each is replaced.
    Every,
}
