//! The project that a folder belongs to.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::error::shown;

/// The project that a working folder belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Project {
    /// The folder that gives the memory its name: the main working tree of the repository, or the bare
    /// repository itself where there is none, or the working folder outside git. Links resolved.
    pub root: PathBuf,
    /// The top of the working tree that holds the working folder. Differs from `root` in a linked worktree.
    pub folder: PathBuf,
    /// What was found on the way and not believed.
    pub warnings: Vec<Warning>,
}

impl Project {
    /// A project whose root is `folder`, without warnings.
    pub fn at(folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref().to_path_buf();
        Self { root: folder.clone(), folder, warnings: Vec::new() }
    }
}

/// Something in the way that a folder is tied to git that was not believed; the folder is its own project then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A `.git` file claims a worktree of a repository that does not know of it.
    #[error(
        "`{}` claims to be a worktree of `{}`, which does not know of it; the folder is treated as a project of its own (`git worktree repair` mends a worktree that was moved)",
        shown(git_file),
        shown(repository)
    )]
    Forged {
        /// The `.git` file.
        git_file: PathBuf,
        /// The repository that it claims.
        repository: PathBuf,
    },
    /// A `.git` file leads to a folder that does not exist or cannot be read.
    #[error(
        "`{}` points to `{}`, which cannot be read; the folder is treated as a project of its own",
        shown(git_file),
        shown(target)
    )]
    Dangling {
        /// The `.git` file.
        git_file: PathBuf,
        /// Where it points.
        target: PathBuf,
    },
    /// A `.git` file does not hold a `gitdir:` line.
    #[error(
        "`{}` is not a git file; the folder is treated as a project of its own",
        shown(git_file)
    )]
    NotAGitFile {
        /// The file.
        git_file: PathBuf,
    },
    /// A `.git` folder without what makes a repository, or a pipe or a device; it was passed over, as git does.
    #[error("`{}` is not a git repository and was passed over", shown(folder))]
    NotARepository {
        /// The `.git` folder.
        folder: PathBuf,
    },
    /// What `.git` is cannot be told: a link to itself, or somebody else's folder. It was passed over.
    #[error("`{}` cannot be looked at ({why}) and was passed over", shown(git))]
    Unreachable {
        /// The `.git`.
        git: PathBuf,
        /// What the system answered.
        why: io::ErrorKind,
    },
}
