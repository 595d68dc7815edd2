//! Paths within a project.

use std::{fmt, str::FromStr};

use memdir_core::limits::{MAX_NAME_BYTES, MAX_PATH_BYTES};

/// A path within a project, as a memory names one: relative, `/`-separated, without `..`.
///
/// `./` at the start, doubled and trailing slashes fall away. Case and normal form stay as written. Unlike a
/// [`MemPath`](memdir_core::MemPath) it may have hidden components, such as `.github`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(String);

impl ProjectPath {
    /// Reads a path.
    ///
    /// # Errors
    ///
    /// [`ProjectPathFault`] for whatever is not plainly a path below the project, on every platform alike.
    pub fn parse(text: &str) -> Result<Self, ProjectPathFault> {
        if text.len() > MAX_PATH_BYTES {
            return Err(ProjectPathFault::TooLong);
        }
        if text.starts_with(['/', '~']) {
            return Err(ProjectPathFault::NotRelative);
        }
        if text.chars().any(|c| c.is_control() || matches!(c, '\\' | ':')) {
            return Err(ProjectPathFault::Character);
        }
        let mut names = Vec::new();
        for name in text.split('/').filter(|name| !matches!(*name, "" | ".")) {
            // Windows drops trailing dots and spaces: `.. ` climbs, `a.` is `a`.
            if name.ends_with(['.', ' ']) {
                return Err(ProjectPathFault::Climbs);
            }
            if name.len() > MAX_NAME_BYTES {
                return Err(ProjectPathFault::TooLong);
            }
            names.push(name);
        }
        if names.is_empty() { Err(ProjectPathFault::Empty) } else { Ok(Self(names.join("/"))) }
    }

    /// The path's text, never empty.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for ProjectPath {
    type Err = ProjectPathFault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// Why a text is no path within a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectPathFault {
    /// It names nothing.
    #[error("it is empty")]
    Empty,
    /// It is absolute or begins with `~`.
    #[error("it is not relative to the project")]
    NotRelative,
    /// A component is `..`, or ends in a dot or a space, which some systems drop.
    #[error("it has a component that is `..` or ends in a dot or a space")]
    Climbs,
    /// It holds a backslash, a colon or a control character.
    #[error("it holds a backslash, a colon or a control character")]
    Character,
    /// It is longer than a path of a memory may be, or a component longer than a name.
    #[error("it is too long")]
    TooLong,
}
