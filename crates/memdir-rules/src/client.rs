//! Which files each client reads, in one table.

use crate::fragment::Scope;
use crate::limits;

/// The agent whose files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Client {
    /// Claude Code: `CLAUDE.md`, `.claude/rules`, and `AGENTS.md` by its own setting.
    #[default]
    ClaudeCode,
    /// Codex: `AGENTS.override.md`, `AGENTS.md` or a name of the setup, from the root down, 32 KiB in all.
    Codex,
    /// Gemini CLI: `GEMINI.md`, or the names of the setup.
    Gemini,
    /// Cursor: `.cursor/rules/**/*.mdc` and `AGENTS.md`.
    Cursor,
    /// Copilot: `.github/copilot-instructions.md` and `.github/instructions/**/*.instructions.md`.
    Copilot,
    /// Any other that reads `AGENTS.md`: the closest one counts.
    Other,
}

impl Client {
    /// Every client.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::Other];

    /// Its name in lower case, as the command takes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
            Self::Other => "agents-md",
        }
    }

    /// Reads what [`as_str`](Self::as_str) gives; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.as_str() == text)
    }

    /// Its folder in the home folder, which [`Setup::user`](crate::Setup::user) names; absent where it reads none.
    pub const fn user_folder(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(".claude"),
            Self::Codex => Some(".codex"),
            Self::Gemini => Some(".gemini"),
            Self::Copilot => Some(".copilot"),
            Self::Cursor | Self::Other => None,
        }
    }

    pub(crate) const fn layout(self) -> &'static Layout {
        match self {
            Self::ClaudeCode => &CLAUDE_CODE,
            Self::Codex => &CODEX,
            Self::Gemini => &GEMINI,
            Self::Cursor => &CURSOR,
            Self::Copilot => &COPILOT,
            Self::Other => &OTHER,
        }
    }
}

/// What a client reads.
#[derive(Debug)]
pub(crate) struct Layout {
    /// In the user's folder, in order.
    pub(crate) user: &'static [Source],
    /// In each folder from the root of the file system to the current one, in order.
    pub(crate) folder: &'static [Source],
    /// The key that scopes a rule.
    pub(crate) key: &'static str,
    /// Other keys that a rule may have.
    pub(crate) keys: &'static [&'static str],
    /// What a rule without patterns is for.
    pub(crate) unscoped: Unscoped,
    pub(crate) imports: Imports,
    pub(crate) reach: Reach,
    /// Bytes of all texts together.
    pub(crate) bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The first of these names that there is.
    File(&'static [&'static str], Scope),
    /// All files of a folder and those below with this ending.
    Rules { folder: &'static str, ending: &'static str },
    /// The first of these names, and of those of the setup, that there is.
    Fallback(&'static [&'static str], Scope),
    /// The names of the setup, if it has any, else this one.
    Renamed(&'static str, Scope),
}

/// When a rule without patterns applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unscoped {
    Always,
    OnRequest,
}

/// Whether `@path` means anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Imports {
    Followed,
    Text,
}

/// Which of the folders on the way count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    All,
    /// Those of the project; none above its root.
    Project,
    /// The one nearest to the file.
    Closest,
}

static CLAUDE_CODE: Layout = Layout {
    user: &[
        Source::File(&["CLAUDE.md"], Scope::User),
        Source::Rules { folder: "rules", ending: ".md" },
    ],
    folder: &[
        Source::File(&["CLAUDE.md"], Scope::Project),
        Source::File(&[".claude/CLAUDE.md"], Scope::Project),
        Source::Rules { folder: ".claude/rules", ending: ".md" },
        Source::File(&["CLAUDE.local.md"], Scope::Local),
    ],
    key: "paths",
    keys: &["name", "title", "description", "metadata"],
    unscoped: Unscoped::Always,
    imports: Imports::Followed,
    reach: Reach::All,
    bytes: usize::MAX,
};

static CODEX: Layout = Layout {
    user: &[Source::File(&["AGENTS.override.md", "AGENTS.md"], Scope::User)],
    folder: &[Source::Fallback(&["AGENTS.override.md", "AGENTS.md"], Scope::Project)],
    key: "",
    keys: &[],
    unscoped: Unscoped::Always,
    imports: Imports::Text,
    reach: Reach::Project,
    bytes: limits::CODEX_BYTES,
};

static GEMINI: Layout = Layout {
    user: &[Source::Renamed("GEMINI.md", Scope::User)],
    folder: &[Source::Renamed("GEMINI.md", Scope::Project)],
    key: "",
    keys: &[],
    unscoped: Unscoped::Always,
    imports: Imports::Text,
    reach: Reach::All,
    bytes: usize::MAX,
};

static CURSOR: Layout = Layout {
    user: &[],
    folder: &[
        Source::Rules { folder: ".cursor/rules", ending: ".mdc" },
        Source::File(&["AGENTS.md"], Scope::Project),
    ],
    key: "globs",
    keys: &["description", "alwaysApply"],
    unscoped: Unscoped::OnRequest,
    imports: Imports::Text,
    reach: Reach::Project,
    bytes: usize::MAX,
};

static COPILOT: Layout = Layout {
    user: &[
        Source::File(&["copilot-instructions.md"], Scope::User),
        Source::Rules { folder: "instructions", ending: ".instructions.md" },
    ],
    folder: &[
        Source::File(&[".github/copilot-instructions.md"], Scope::Project),
        Source::Rules { folder: ".github/instructions", ending: ".instructions.md" },
    ],
    key: "applyTo",
    keys: &["name", "description", "excludeAgent"],
    unscoped: Unscoped::OnRequest,
    imports: Imports::Text,
    reach: Reach::Project,
    bytes: usize::MAX,
};

static OTHER: Layout = Layout {
    user: &[],
    folder: &[Source::File(&["AGENTS.md"], Scope::Project)],
    key: "",
    keys: &[],
    unscoped: Unscoped::Always,
    imports: Imports::Text,
    reach: Reach::Closest,
    bytes: usize::MAX,
};
