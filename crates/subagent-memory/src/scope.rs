//! Whom an agent's memory is for.

use std::fmt;

/// Whom an agent's memory is for, and so where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The user, in all projects: `~/.claude/agent-memory`.
    User,
    /// Everybody who works on the project: `.claude/agent-memory`, under version control.
    Project,
    /// The user, in this project: `.claude/agent-memory-local`, not under version control.
    Local,
}

impl Scope {
    /// Every scope, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word that a definition has for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// Reads the word that [`as_str`](Self::as_str) gives, exactly so; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }

    /// The folder of the scope, below the client's base or the project's root.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::User => "agent-memory",
            Self::Project => ".claude/agent-memory",
            Self::Local => ".claude/agent-memory-local",
        }
    }

    /// What an agent is told about whom its memory reaches.
    pub(crate) const fn line(self) -> &'static str {
        match self {
            Self::User => {
                "This memory follows you into every project of the person you work for. Keep what holds everywhere; what is true of one project only is misleading in the next."
            }
            Self::Project => {
                "This memory belongs to the project and reaches everybody who works on it, by version control. Keep what helps a colleague with this code, and nothing about one person or one machine."
            }
            Self::Local => {
                "This memory belongs to this project on this machine and is not under version control. Paths, ports and habits of this machine may stand here."
            }
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
