//! Where rules are looked for and what is allowed, as values.

use std::path::PathBuf;

use crate::Client;

/// Where rules are looked for and what is allowed. All paths are absolute, without `.` and `..`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setup {
    /// The client whose files are read.
    pub client: Client,
    /// The file of rules that the administrator of the machine gives; absent where there is none.
    pub managed: Option<PathBuf>,
    /// Rules that stand in the administrator's settings, and in which file.
    pub managed_text: Option<(PathBuf, String)>,
    /// The client's folder of the user, such as `~/.claude`.
    pub user: Option<PathBuf>,
    /// What `~/` in an import stands for.
    pub home: Option<PathBuf>,
    /// The root of the working tree, or the current folder outside of any.
    pub root: PathBuf,
    /// The main working tree of the same repository, where `root` is another one; what lies between them is read for
    /// private rules only.
    pub main_tree: Option<PathBuf>,
    /// The folder that the agent works in, within `root`.
    pub cwd: PathBuf,
    /// Folders that the person added. Links and imports may lead into them.
    pub added: Vec<PathBuf>,
    /// Whether the rules of the added folders are read.
    pub added_rules: AddedRules,
    /// Patterns of absolute paths that are left out, those of the administrator aside.
    pub excludes: Vec<String>,
    /// Whether files of the project may bring in others from outside.
    pub external: External,
    /// When `AGENTS.md` is read by [`Client::ClaudeCode`].
    pub agents_md: AgentsMd,
    /// Further names of files: `project_doc_fallback_filenames` of Codex, `context.fileName` of Gemini CLI.
    pub names: Vec<String>,
}

impl Setup {
    /// A project and the folder in it that the agent works in; for Claude Code, nothing from outside allowed.
    pub fn new(root: impl Into<PathBuf>, cwd: impl Into<PathBuf>) -> Self {
        Self {
            client: Client::ClaudeCode,
            managed: None,
            managed_text: None,
            user: None,
            home: None,
            root: root.into(),
            main_tree: None,
            cwd: cwd.into(),
            added: Vec::new(),
            added_rules: AddedRules::Ignored,
            excludes: Vec::new(),
            external: External::Refused,
            agents_md: AgentsMd::Instead,
            names: Vec::new(),
        }
    }
}

/// What is done with the rules of added folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddedRules {
    /// They are read when a context begins.
    Read,
    /// They are not read.
    Ignored,
}

/// Whether files of the project may bring in others from outside, by imports and by links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum External {
    /// The person approved of it.
    Approved,
    /// What leads out is named and not read.
    Refused,
}

/// When Claude Code reads `AGENTS.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AgentsMd {
    /// Where no folder down to the current one has a `CLAUDE.md`, `.claude/CLAUDE.md` or `CLAUDE.local.md`.
    #[default]
    Instead,
    /// Always.
    Beside,
    /// Never.
    Never,
    /// Never, and nothing else than the administrator's rules either.
    ManagedOnly,
}

impl AgentsMd {
    /// Every value.
    pub const ALL: [Self; 4] = [Self::Instead, Self::Beside, Self::Never, Self::ManagedOnly];

    /// The word in the client's settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Instead => "claude-md-or-agents-md",
            Self::Beside => "claude-md-and-agents-md",
            Self::Never => "claude-md",
            Self::ManagedOnly => "managed-only",
        }
    }

    /// Reads what [`as_str`](Self::as_str) gives; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text)
    }
}
