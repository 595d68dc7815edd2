//! What frontmatter says, as values.

use std::borrow::Cow;
use std::fmt;
use std::time::SystemTime;

use crate::MemoryType;

/// What the frontmatter of a memory says.
///
/// A key that is absent or empty is `None`, `false` or an empty list. Where a key stands at the top and under
/// `metadata`, the latter counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fields {
    /// `name`.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `type`, where it is one of the four.
    pub kind: Option<MemoryType>,
    /// `type` as written, known or not.
    pub kind_text: Option<Cow<'static, str>>,
    /// `modified`.
    pub modified: Option<SystemTime>,
    /// `updated`.
    pub updated: Option<SystemTime>,
    /// `created`.
    pub created: Option<SystemTime>,
    /// `lastVerified` or `last_verified`.
    pub last_verified: Option<SystemTime>,
    /// `origin`, where it is a known one.
    pub origin: Option<Origin>,
    /// `originSessionId`.
    pub origin_session: Option<String>,
    /// `pinned`: changed by a person only. A value that is neither yes nor no counts as yes.
    pub pinned: bool,
    /// `triggers`, in the order written.
    pub triggers: Vec<String>,
    /// `paths`, in the order written.
    pub paths: Vec<String>,
    /// `supersedes`, in the order written.
    pub supersedes: Vec<String>,
}

impl Fields {
    /// The date that the file gives itself: `modified`, else `updated`, else `created`.
    pub fn own_date(&self) -> Option<(SystemTime, DateSource)> {
        self.modified
            .map(|at| (at, DateSource::Modified))
            .or_else(|| self.updated.map(|at| (at, DateSource::Updated)))
            .or_else(|| self.created.map(|at| (at, DateSource::Created)))
    }
}

/// Which key a memory's own date comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateSource {
    /// `modified`.
    Modified,
    /// `updated`.
    Updated,
    /// `created`.
    Created,
}

/// Who a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// A person wrote or dictated it.
    User,
    /// An agent concluded it.
    Agent,
    /// It comes from outside: a web page, an issue, another's repository.
    External,
}

impl Origin {
    /// The word that stands in a memory file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::External => "external",
        }
    }

    /// Reads the word that [`as_str`](Self::as_str) gives, exactly so; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::User, Self::Agent, Self::External].into_iter().find(|origin| origin.as_str() == text)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
