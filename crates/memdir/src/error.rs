//! Everything that can go wrong with a [`Memory`](crate::Memory).

use memdir_change::Unreadable;
use memdir_core::MemPath;
use memdir_core::frontmatter::EditFault;
use memdir_store::{ApplyError, OpId, UndoError};

/// Why a [`Memory`](crate::Memory) did not do what it was asked; nothing was changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No memory is called so.
    #[error("there is no memory `{reference}`")]
    Missing {
        /// What was asked for.
        reference: String,
        /// Memories with a similar name, the most similar first.
        near: Vec<MemPath>,
    },
    /// Several memories are called so.
    #[error("`{reference}` fits {} memories", candidates.len())]
    Ambiguous {
        /// What was asked for.
        reference: String,
        /// The memories it fits, by path.
        candidates: Vec<MemPath>,
    },
    /// A memory needs a name and a description.
    #[error("the {field} is empty")]
    Blank {
        /// `name` or `description`.
        field: &'static str,
    },
    /// The file belongs to another memory, which a save does not overwrite.
    #[error("`{path}` is another memory, `{name}`")]
    Taken {
        /// The file.
        path: MemPath,
        /// What that memory calls itself; its path where it has no name.
        name: String,
    },
    /// The index, what is not Markdown, and what lies in the folders `logs` and `team` are no memories of this directory.
    #[error("`{path}` is not a memory of this directory")]
    NotAMemory {
        /// The file.
        path: MemPath,
    },
    /// The file is not UTF-8, so an edit would lose bytes.
    #[error("`{path}` is not UTF-8, so it cannot be edited without loss")]
    NotUtf8 {
        /// The file.
        path: MemPath,
    },
    /// The file cannot be edited without touching more than was asked.
    #[error("`{path}` cannot be edited")]
    Edit {
        /// The file.
        path: MemPath,
        /// Why.
        source: EditFault,
    },
    /// Readers would not see in the file what was asked for, so it was not written.
    #[error("`{path}` could not be read back")]
    Unreadable {
        /// The file.
        path: MemPath,
        /// Why.
        source: Unreadable,
    },
    /// Files were changed by somebody else in between, or this actor may not do it, or the disk is in the way.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// What was written is not what is there now: another program wrote in between.
    #[error("`{path}` was changed by another program right after it was written")]
    NotAsWritten {
        /// The file.
        path: MemPath,
    },
    /// No operation, or more than one, has an id that begins so.
    #[error("{} operations have an id that begins with `{prefix}`", if candidates.is_empty() { "no".to_owned() } else { candidates.len().to_string() })]
    UnknownOperation {
        /// The beginning of the id.
        prefix: String,
        /// The operations it fits, newest first.
        candidates: Vec<OpId>,
    },
    /// Operations could not be undone.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// The disk or another writer is in the way.
    #[error(transparent)]
    Store(#[from] memdir_store::Error),
}

impl Error {
    pub(crate) fn unreadable(path: &MemPath, source: Unreadable) -> Self {
        Self::Unreadable { path: path.clone(), source }
    }
}

/// An error and its sources in one line, outermost first.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}
