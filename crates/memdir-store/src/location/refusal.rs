//! A setting that is not followed, and why.

use std::{fmt, path::PathBuf};

use memdir_core::text::escape_control;

use super::{
    error::shown,
    inputs::{SettingScope, Variable},
};

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// `--memory-dir`.
    Flag,
    /// An environment variable.
    Environment(Variable),
    /// A settings file.
    Setting(SettingScope),
    /// The user's list of trusted projects.
    TrustedProjects,
}

impl Scope {
    /// Whether a repository could have set the value.
    fn is_from_repository(self) -> bool {
        matches!(self, Self::Setting(SettingScope::Project | SettingScope::Local))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("`--memory-dir`"),
            Self::Environment(variable) => write!(f, "`{variable}`"),
            Self::Setting(SettingScope::Managed) => f.write_str("managed settings"),
            Self::Setting(SettingScope::Local) => f.write_str("local settings"),
            Self::Setting(SettingScope::Project) => f.write_str("project settings"),
            Self::Setting(SettingScope::Config) => f.write_str("memdir's configuration"),
            Self::Setting(SettingScope::User) => f.write_str("user settings"),
            Self::TrustedProjects => f.write_str("the list of trusted projects"),
        }
    }
}

/// A value that was set and is not used. `Display` is the whole message, one line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Where the value came from.
    pub scope: Scope,
    /// The file that holds it, where there is one.
    pub file: Option<PathBuf>,
    /// The value as written.
    pub value: String,
    /// Why it is not used.
    pub reason: Reason,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scope, file, value, reason } = self;
        let value = escape_control(value);
        match scope {
            Scope::TrustedProjects => write!(f, "project `{value}` in {scope}")?,
            Scope::Environment(Variable::ClaudeCodeProjectDirName) => {
                write!(f, "folder name `{value}` from {scope}")?;
            }
            Scope::Flag | Scope::Environment(_) | Scope::Setting(_) => {
                write!(f, "memory directory `{value}` from {scope}")?;
            }
        }
        if let Some(file) = file {
            write!(f, " ({})", shown(file))?;
        }
        write!(f, " is refused: {reason}")?;
        if scope.is_from_repository() || *reason == Reason::SetByProject {
            f.write_str("; the client may follow it and write elsewhere")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// Why a value is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Neither absolute nor below `~/`.
    #[error("it is relative, neither absolute nor below `~/`")]
    Relative,
    /// The root of the file system or of a drive.
    #[error("it is the root of the file system")]
    Root,
    /// The home folder itself.
    #[error("it is the home folder itself")]
    Home,
    /// A folder that holds the home folder.
    #[error("the home folder lies within it")]
    AboveHome,
    /// A network or device path, `\\server\share` or `//server/share`.
    #[error("network and device paths are not supported")]
    Unc,
    /// It holds a NUL character.
    #[error("it holds a NUL character")]
    Nul,
    /// It holds another control character.
    #[error("it holds a control character")]
    Control,
    /// It has a `..` component.
    #[error("it climbs with `..`")]
    Climbs,
    /// A Windows drive on another system.
    #[error("it is a Windows path and this system is not Windows")]
    Drive,
    /// `~name`, another user's home.
    #[error("only `~/` is expanded, no other user's home")]
    OtherUser,
    /// It begins with `~/` and no home is known.
    #[error("the home folder is not known")]
    NoHome,
    /// A project's own setting without the user's trust.
    #[error(
        "a repository must not choose where memory is written unless its user lists it as trusted"
    )]
    Untrusted,
    /// A trusted project's setting that names a hidden folder outside the project.
    #[error("a repository must not choose a hidden folder outside itself")]
    Hidden,
    /// An environment variable that the project's own settings set.
    #[error(
        "the project's own settings set the variable, and its user does not list it as trusted"
    )]
    SetByProject,
    /// A folder name that is not one plain name.
    #[error("it is not a single folder name")]
    NotAName,
}
