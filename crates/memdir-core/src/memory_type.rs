//! The four types of memory.

use std::fmt;
use std::str::FromStr;

/// What a memory is about; there are four types and no others.
///
/// Ordered as declared, the order in which prompts and lists name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the set is closed: every prompt explains these four")]
pub enum MemoryType {
    /// Who the user is, what they know, how they like to work.
    User,
    /// Corrections and confirmations of how to work.
    Feedback,
    /// Ongoing work, goals and decisions that code and history do not show.
    Project,
    /// Where to find things in outside systems.
    Reference,
}

impl MemoryType {
    /// All types, in order.
    pub const ALL: [Self; 4] = [Self::User, Self::Feedback, Self::Project, Self::Reference];

    /// The word that stands in a memory file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
        }
    }

    /// Reads the word that [`as_str`](Self::as_str) gives, exactly so; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

impl fmt::Display for MemoryType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for MemoryType {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Self, UnknownType> {
        Self::parse(text).ok_or(UnknownType)
    }
}

/// The text is none of the four words of [`MemoryType`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not one of `user`, `feedback`, `project`, `reference`")]
#[non_exhaustive]
pub struct UnknownType;
