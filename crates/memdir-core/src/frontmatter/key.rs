//! The keys that memdir knows, and at which level each is written.

use std::fmt;

/// A key of the frontmatter that memdir reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Key {
    /// `name`, at the top only.
    Name,
    /// `description`, at the top only.
    Description,
    /// `type`.
    Type,
    /// `modified`: when the content last changed.
    Modified,
    /// `updated`: what other programs call it.
    Updated,
    /// `created`.
    Created,
    /// `lastVerified`, also read as `last_verified`: when somebody last found the content true.
    LastVerified,
    /// `origin`: who it comes from.
    Origin,
    /// `originSessionId`: the conversation it comes from.
    OriginSession,
    /// `pinned`: changed by a person only.
    Pinned,
    /// `triggers`: words that recall it.
    Triggers,
    /// `paths`: globs of the files it is about.
    Paths,
    /// `supersedes`: memories that it replaces.
    Supersedes,
}

impl Key {
    /// The key as memdir writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Type => "type",
            Self::Modified => "modified",
            Self::Updated => "updated",
            Self::Created => "created",
            Self::LastVerified => "lastVerified",
            Self::Origin => "origin",
            Self::OriginSession => "originSessionId",
            Self::Pinned => "pinned",
            Self::Triggers => "triggers",
            Self::Paths => "paths",
            Self::Supersedes => "supersedes",
        }
    }

    /// Whether it may stand under `metadata`.
    pub(super) const fn may_nest(self) -> bool {
        !matches!(self, Self::Name | Self::Description)
    }

    /// Whether it holds free text, in which nothing is a comment.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, Self::Name | Self::Description)
    }

    pub(super) const fn is_list(self) -> bool {
        matches!(self, Self::Triggers | Self::Paths | Self::Supersedes)
    }

    /// The key that is spelled so.
    pub(super) fn read(word: &str) -> Option<Self> {
        Some(match word {
            "name" => Self::Name,
            "description" => Self::Description,
            "type" => Self::Type,
            "modified" => Self::Modified,
            "updated" => Self::Updated,
            "created" => Self::Created,
            "lastVerified" | "last_verified" => Self::LastVerified,
            "origin" => Self::Origin,
            "originSessionId" => Self::OriginSession,
            "pinned" => Self::Pinned,
            "triggers" => Self::Triggers,
            "paths" => Self::Paths,
            "supersedes" => Self::Supersedes,
            _ => return None,
        })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
