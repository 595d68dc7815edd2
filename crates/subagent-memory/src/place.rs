//! Where the memory of one agent lies, and opening it.

use std::path::{Path, PathBuf};

use memdir_store::{Error, LocalDir, Options, disk::CapDisk, project::ProjectPath};

use crate::{AgentName, Definition, Scope};

/// The folder of all snapshots, below the project's root.
pub const SNAPSHOTS: &str = ".claude/agent-memory-snapshots";

/// Where the memory of one agent lies. Nothing of it need exist.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The agent; absent for a folder from which its name cannot be told.
    pub name: Option<AgentName>,
    /// The name of its folder.
    pub folder: String,
    /// Whom the memory is for.
    pub scope: Scope,
    /// The definition that was found, and its file.
    pub definition: Option<(Definition, PathBuf)>,
    /// The folder that holds the definition's `.claude`, else the top of the working tree. Snapshots lie below it, and
    /// so does the memory of the scopes that belong to a project.
    pub root: PathBuf,
    /// The client's base, below which the memory of scope [`Scope::User`] lies.
    pub(crate) base: PathBuf,
}

impl Place {
    /// The memory directory.
    pub fn directory(&self) -> PathBuf {
        self.scope_directory().join(&self.folder)
    }

    /// The folder of the agent's snapshot.
    pub fn snapshot_directory(&self) -> PathBuf {
        self.root.join(SNAPSHOTS).join(&self.folder)
    }

    /// Opens the memory; `None` where there is no directory.
    ///
    /// # Errors
    ///
    /// [`Error::LeadsOut`] where the project leads out of itself by a link: nothing is read or written behind it. In scope
    /// [`Scope::User`] links are the user's own, and followed.
    pub fn open(&self, options: Options) -> Result<Option<LocalDir>, Error> {
        let opened = match self.scope {
            Scope::User => CapDisk::open(&self.directory()),
            Scope::Project | Scope::Local => CapDisk::open_within(&self.root, &self.below()),
        };
        present(opened, options)
    }

    /// Opens the memory to write; creates its directory where there is none.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and when the directory cannot be created.
    pub fn open_or_create(&self, options: Options) -> Result<LocalDir, Error> {
        let disk = match self.scope {
            Scope::User => CapDisk::open_or_create(&self.directory()),
            Scope::Project | Scope::Local => {
                CapDisk::open_or_create_within(&self.root, &self.below())
            }
        };
        Ok(LocalDir::over(disk?, options))
    }

    /// Opens the snapshot; `None` where there is none.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_snapshot(&self, options: Options) -> Result<Option<LocalDir>, Error> {
        present(CapDisk::open_within(&self.root, &within(SNAPSHOTS, &self.folder)), options)
    }

    /// Opens the snapshot to write; creates its folder where there is none.
    ///
    /// # Errors
    ///
    /// As [`open_or_create`](Self::open_or_create).
    pub fn open_or_create_snapshot(&self, options: Options) -> Result<LocalDir, Error> {
        let disk = CapDisk::open_or_create_within(&self.root, &within(SNAPSHOTS, &self.folder));
        Ok(LocalDir::over(disk?, options))
    }

    /// The folder that holds the memories of the scope.
    pub(crate) fn scope_directory(&self) -> PathBuf {
        self.top().join(self.scope.folder())
    }

    /// Opens the folder that holds the memories of the scope.
    pub(crate) fn open_scope(&self) -> Result<CapDisk, Error> {
        match self.scope {
            Scope::User => CapDisk::open(&self.scope_directory()),
            Scope::Project | Scope::Local => {
                CapDisk::open_within(&self.root, &plain_path(self.scope.folder()))
            }
        }
    }

    /// Whether a folder of that name can be a memory of the scope.
    pub(crate) fn takes(&self, folder: &str) -> bool {
        ProjectPath::parse(&format!("{}/{folder}", self.scope.folder())).is_ok()
    }

    fn top(&self) -> &Path {
        match self.scope {
            Scope::User => &self.base,
            Scope::Project | Scope::Local => &self.root,
        }
    }

    fn below(&self) -> ProjectPath {
        within(self.scope.folder(), &self.folder)
    }
}

/// The folder of an agent, which has a plain name, below another.
fn within(folder: &str, name: &str) -> ProjectPath {
    plain_path(&format!("{folder}/{name}"))
}

/// A path that is known to be one.
pub(crate) fn plain_path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).expect("because it is made of plain names")
}

pub(crate) fn present(
    opened: Result<CapDisk, Error>,
    options: Options,
) -> Result<Option<LocalDir>, Error> {
    match opened {
        Ok(disk) => Ok(Some(LocalDir::over(disk, options))),
        Err(Error::Absent { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
