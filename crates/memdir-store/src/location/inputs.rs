//! All that is known about where memory should be, as data.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

/// Everything that decides where the memory directory is, as data.
///
/// Values are kept as written; [`decide`](fn@super::decide) checks them. An absent or empty value is unset.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Inputs {
    /// The folder that the work happens in: the current directory, or the one that a hook names.
    pub cwd: PathBuf,
    /// The user's home. Without it `~/` values and the default folder are errors.
    pub home: Option<PathBuf>,
    /// The platform's folder for application data (`~/.local/share` and the like), base of [`Layout::Memdir`].
    pub data_folder: Option<PathBuf>,
    /// The value of `--memory-dir`.
    pub flag: Option<String>,
    /// The environment variables that were set.
    pub environment: BTreeMap<Variable, String>,
    /// Variables that the `env` block of a project's settings sets, which a client passes on to its hooks.
    ///
    /// A variable with the same value in [`environment`](Self::environment) counts as the project's word, not the user's.
    pub project_environment: Vec<ProjectVariable>,
    /// Directories named in settings, in any order.
    pub settings: Vec<Setting>,
    /// Roots of the projects whose own settings the user accepts; absolute or `~/`.
    pub trusted_projects: Vec<String>,
    /// Whether the worktrees of a repository share its memory.
    pub worktrees: Worktrees,
    /// How the default folder is named.
    pub layout: Layout,
    /// The rules by which values are read; [`Platform::current`] unless a test says otherwise.
    pub platform: Platform,
}

impl Inputs {
    /// Inputs with a working folder and nothing else set.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self {
            cwd: cwd.into(),
            home: None,
            data_folder: None,
            flag: None,
            environment: BTreeMap::new(),
            project_environment: Vec::new(),
            settings: Vec::new(),
            trusted_projects: Vec::new(),
            worktrees: Worktrees::Shared,
            layout: Layout::ClaudeCode,
            platform: Platform::current(),
        }
    }

    /// Sets the user's home.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }
}

/// An environment variable that takes part in the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Variable {
    /// `MEMDIR_MEMORY_DIR`: the whole directory.
    MemdirMemoryDir,
    /// `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE`: the whole directory, as the client has it.
    ClaudeCoworkMemoryPathOverride,
    /// `CLAUDE_CODE_REMOTE_MEMORY_DIR`: replaces the client's base folder for memory.
    ClaudeCodeRemoteMemoryDir,
    /// `CLAUDE_CONFIG_DIR`: the client's base folder instead of `~/.claude`.
    ClaudeConfigDir,
    /// `CLAUDE_CODE_PROJECT_DIR_NAME`: the project's folder name below the base, instead of the slug.
    ClaudeCodeProjectDirName,
}

impl Variable {
    /// Every variable, in order of precedence.
    pub const ALL: [Self; 5] = [
        Self::MemdirMemoryDir,
        Self::ClaudeCoworkMemoryPathOverride,
        Self::ClaudeCodeRemoteMemoryDir,
        Self::ClaudeConfigDir,
        Self::ClaudeCodeProjectDirName,
    ];

    /// The variable's name in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Self::MemdirMemoryDir => "MEMDIR_MEMORY_DIR",
            Self::ClaudeCoworkMemoryPathOverride => "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
            Self::ClaudeCodeRemoteMemoryDir => "CLAUDE_CODE_REMOTE_MEMORY_DIR",
            Self::ClaudeConfigDir => "CLAUDE_CONFIG_DIR",
            Self::ClaudeCodeProjectDirName => "CLAUDE_CODE_PROJECT_DIR_NAME",
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A variable that a settings file within the project sets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProjectVariable {
    /// Which variable.
    pub variable: Variable,
    /// Its value, as written.
    pub value: String,
    /// The settings file.
    pub file: PathBuf,
}

impl ProjectVariable {
    /// A variable that `file` sets to `value`.
    pub fn new(variable: Variable, value: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        Self { variable, value: value.into(), file: file.into() }
    }
}

/// A memory directory named in a settings file: `autoMemoryDirectory`, or memdir's own `memory_dir`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// Whose setting it is.
    pub scope: SettingScope,
    /// Its value, as written.
    pub value: String,
    /// The file that holds it, for messages.
    pub file: Option<PathBuf>,
}

impl Setting {
    /// A setting without a file.
    pub fn new(scope: SettingScope, value: impl Into<String>) -> Self {
        Self { scope, value: value.into(), file: None }
    }

    /// Names the file that holds the setting.
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.file = Some(file.as_ref().to_path_buf());
        self
    }
}

/// Whose setting it is. Ordered by precedence: the first that is set and accepted wins.
///
/// The order is the client's, with memdir's own file just above the client's user settings, so that the two agree
/// wherever both honour a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SettingScope {
    /// Set by an administrator for this machine.
    Managed,
    /// `.claude/settings.local.json` of the project; accepted only for a trusted project.
    Local,
    /// `.claude/settings.json` of the project; accepted only for a trusted project.
    Project,
    /// memdir's own `config.toml`, which belongs to the user.
    Config,
    /// The user's settings of the client.
    User,
}

/// Whether the worktrees of a repository share its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Worktrees {
    /// Every worktree uses the memory of its repository.
    #[default]
    Shared,
    /// Each linked worktree has a memory of its own.
    Separate,
}

/// How the default folder is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Claude Code's own folder and slug, so that both see the same memory.
    #[default]
    ClaudeCode,
    /// memdir's folder below the platform's data folder, with a key that no two projects share.
    Memdir,
}

impl Layout {
    /// The layout's name in settings and flags: `claude-code` or `memdir`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Memdir => "memdir",
        }
    }

    /// The layout of that name; any other is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::ClaudeCode, Self::Memdir].into_iter().find(|layout| layout.as_str() == text)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The rules by which a path is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Platform {
    /// `/` separates, names differ in case.
    Unix,
    /// `/` separates, names that differ only in case are one.
    MacOs,
    /// `/` and `\` separate, a path begins with a drive, names that differ only in case are one.
    Windows,
}

impl Platform {
    /// The platform that this program was built for.
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_vendor = "apple") {
            Self::MacOs
        } else {
            Self::Unix
        }
    }
}
