//! What every check is given: the workspace, how deep to look, and what earlier checks have done.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::metadata::Metadata;
use crate::workspace::Workspace;

/// How much a run covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What a change must pass.
    Quick,
    /// What a release must pass.
    Full,
}

/// What happens to the generated parts of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generated {
    /// They are written.
    Write,
    /// They are compared with what would be written.
    Compare,
}

/// One invocation of xtask.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) workspace: Workspace,
    pub(crate) depth: Depth,
    pub(crate) generated: Generated,
    /// The snapshot files that a test run has used, absent where it failed and may have left out some; set by the run.
    pub(crate) snapshots_used: OnceCell<Option<Vec<PathBuf>>>,
    metadata: OnceCell<Metadata>,
}

impl Session {
    pub(crate) fn load(depth: Depth, generated: Generated) -> Result<Self> {
        Ok(Self {
            workspace: Workspace::load(&Workspace::find_root()?)?,
            depth,
            generated,
            snapshots_used: OnceCell::new(),
            metadata: OnceCell::new(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.workspace.root
    }

    /// Cargo's view of the workspace, asked for once.
    pub(crate) fn metadata(&self) -> Result<&Metadata> {
        if self.metadata.get().is_none() {
            let loaded = Metadata::load(self.root())?;
            return Ok(self.metadata.get_or_init(|| loaded));
        }
        self.metadata.get().ok_or_else(|| "metadata was just loaded".into())
    }

    /// The folder for what xtask itself leaves: inside the target folder.
    pub(crate) fn scratch(&self) -> Result<PathBuf> {
        let folder = self.metadata()?.target_directory.join("xtask");
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}
