//! What is loaded: one file, where it belongs and why it is there.

use std::fmt;
use std::path::PathBuf;

use memdir_core::text::escape_control;

/// One file of rules as it goes into a context.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragment {
    /// Its path; for what was found through a link in a tree of rules, where it leads.
    pub path: PathBuf,
    /// What sort of file it is.
    pub kind: Kind,
    /// Whom it is for.
    pub scope: Scope,
    /// Why it is there.
    pub reason: Reason,
    /// The patterns of paths that it is limited to; empty for what always applies.
    pub patterns: Vec<String>,
    /// Size of the file, in bytes.
    pub bytes: u64,
    /// Its text, without frontmatter and comments, trimmed; lines end with a line feed.
    pub text: String,
}

/// What sort of file a fragment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Instructions of a folder: `CLAUDE.md`, `AGENTS.md` and their kin.
    Instructions,
    /// A file of a tree of rules.
    Rule,
    /// A file that another one imports.
    Import,
}

/// Whom rules are for, the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// All users of the machine; its administrator wrote them.
    Managed,
    /// The user, in every project.
    User,
    /// Everybody in the project.
    Project,
    /// The user, in this project.
    Local,
}

/// Why a fragment is there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A context began.
    Start,
    /// A file imports it.
    Import {
        /// The file.
        by: PathBuf,
    },
    /// A file is in play for which it is.
    Path {
        /// The file, absolute.
        file: PathBuf,
        /// The pattern that matches it, as written.
        pattern: String,
    },
    /// A file is in play in its folder, or below.
    Folder {
        /// The file, absolute.
        file: PathBuf,
    },
}

/// A rule that waits for a file to come into play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Waiting<'a> {
    /// Its path.
    pub path: &'a std::path::Path,
    /// Whom it is for.
    pub scope: Scope,
    /// The patterns of the files that bring it in; none: only a person or an agent that asks does.
    pub patterns: &'a [String],
    /// Size of the file, in bytes.
    pub bytes: u64,
}

impl Kind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Rule => "rule",
            Self::Import => "import",
        }
    }
}

impl Scope {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Reason {
    /// The word for it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Import { .. } => "import",
            Self::Path { .. } => "path",
            Self::Folder { .. } => "folder",
        }
    }
}

/// Displays as a clause, with control characters made visible.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &PathBuf| escape_control(&path.display().to_string()).into_owned();
        match self {
            Self::Start => f.write_str("from the start"),
            Self::Import { by } => write!(f, "imported by {}", shown(by)),
            Self::Path { file, pattern } => {
                write!(f, "{} matches `{}`", shown(file), escape_control(pattern))
            }
            Self::Folder { file } => write!(f, "{} is in its folder", shown(file)),
        }
    }
}
