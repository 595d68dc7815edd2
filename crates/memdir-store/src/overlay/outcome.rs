//! What became of an overlay.

use std::{error, fmt};

use memdir_core::MemPath;

use super::{Group, Overlay};
use crate::{Error, IndexOp, Receipt, Refusal};

/// What a commit did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The one operation that was applied; absent: there was nothing to apply.
    pub applied: Option<Receipt>,
    /// What was not applied, in order of the lowest group.
    pub held: Vec<Held>,
}

/// Changes that were held back together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// The groups they belong to, ascending.
    pub groups: Vec<Group>,
    /// Why.
    pub reason: HeldReason,
    /// The files, ordered by path.
    pub changes: Vec<HeldChange>,
    /// The index operations, in the order recorded.
    pub index: Vec<IndexOp>,
}

impl Held {
    /// Describes changes that were held back.
    pub fn new(
        groups: Vec<Group>,
        reason: HeldReason,
        changes: Vec<HeldChange>,
        index: Vec<IndexOp>,
    ) -> Self {
        Self { groups, reason, changes, index }
    }
}

/// A change of a file that was held back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldChange {
    /// The file.
    pub path: MemPath,
    /// What it held when it was first changed in the overlay; absent: no file.
    pub base: Option<Vec<u8>>,
    /// What it was to hold; absent: no file.
    pub wanted: Option<Vec<u8>>,
}

impl HeldChange {
    /// Describes a change from `base` to `wanted`.
    pub fn new(path: MemPath, base: Option<Vec<u8>>, wanted: Option<Vec<u8>>) -> Self {
        Self { path, base, wanted }
    }
}

/// Why changes were held back. Displays as a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeldReason {
    /// Another writer changed the same lines meanwhile.
    Changed(MemPath),
    /// Another writer created a file of that name meanwhile.
    Exists(MemPath),
    /// Another writer removed it meanwhile.
    Gone(MemPath),
    /// It was replaced meanwhile by something that is no memory: a link, a folder, a huge file.
    Unreadable(MemPath),
    /// It would be larger than [`limits::MAX_FILE_BYTES`](crate::limits::MAX_FILE_BYTES).
    TooLarge(MemPath),
    /// The validation refused one of the changes.
    Refused {
        /// The memory it objected to.
        path: MemPath,
        /// Its words.
        reason: String,
    },
    /// The validation refused everything.
    RefusedAll {
        /// Its words.
        reason: String,
    },
    /// The store refused one of the changes.
    RefusedByStore {
        /// The file it refused.
        path: MemPath,
        /// Why.
        refusal: Refusal,
    },
}

impl HeldReason {
    /// The memory that is in the way; `None` where everything is refused.
    pub fn path(&self) -> Option<&MemPath> {
        match self {
            Self::Changed(path)
            | Self::Exists(path)
            | Self::Gone(path)
            | Self::Unreadable(path)
            | Self::TooLarge(path)
            | Self::Refused { path, .. }
            | Self::RefusedByStore { path, .. } => Some(path),
            Self::RefusedAll { .. } => None,
        }
    }
}

impl fmt::Display for HeldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed(path) => write!(f, "`{path}` was changed meanwhile in the same lines"),
            Self::Exists(path) => write!(f, "`{path}` was created meanwhile"),
            Self::Gone(path) => write!(f, "`{path}` was removed meanwhile"),
            Self::Unreadable(path) => write!(f, "`{path}` was replaced by something unreadable"),
            Self::TooLarge(path) => write!(f, "`{path}` would be too large"),
            Self::Refused { path, reason } => write!(f, "`{path}` is refused: {reason}"),
            Self::RefusedAll { reason } => write!(f, "everything is refused: {reason}"),
            Self::RefusedByStore { path, refusal } => write!(f, "`{path}` {refusal}"),
        }
    }
}

/// A commit that could not be done; nothing happened, and the overlay is here to be tried again.
#[non_exhaustive]
pub struct Uncommitted<S> {
    /// The overlay, as it was.
    pub overlay: Overlay<S>,
    /// What was in the way.
    pub error: Error,
}

impl<S> fmt::Debug for Uncommitted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uncommitted").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<S> fmt::Display for Uncommitted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the changes of the run were not committed")
    }
}

impl<S> error::Error for Uncommitted<S> {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}
