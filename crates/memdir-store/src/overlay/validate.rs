//! Who may stop an overlay from being committed.

use memdir_core::MemPath;

use crate::IndexOp;

/// Looks at everything that a commit is about to do, right before it is done, and may refuse.
///
/// Asked again whenever the store changed meanwhile or a part was held back, so it must not keep count.
/// Any `Fn(&Proposal) -> Verdict` is one.
pub trait Validate {
    /// Judges the whole. What it refuses is held back and goes into the [`Outcome`](super::Outcome).
    fn validate(&self, proposal: &Proposal<'_>) -> Verdict;
}

impl<F: Fn(&Proposal<'_>) -> Verdict> Validate for F {
    fn validate(&self, proposal: &Proposal<'_>) -> Verdict {
        self(proposal)
    }
}

/// What a commit is about to do.
#[derive(Debug)]
#[non_exhaustive]
pub struct Proposal<'a> {
    /// The files that change, ordered by path.
    pub changes: Vec<Pending<'a>>,
    /// The index operations, in the order recorded.
    pub index: Vec<&'a IndexOp>,
}

/// A file that a commit is about to change.
#[derive(Debug)]
#[non_exhaustive]
pub struct Pending<'a> {
    /// The file.
    pub path: &'a MemPath,
    /// What the store holds now; absent: no file.
    pub before: Option<&'a [u8]>,
    /// What it will hold; absent: no file.
    pub after: Option<&'a [u8]>,
    /// Whether `after` also holds what another writer changed meanwhile.
    pub merged: bool,
}

/// What becomes of a [`Proposal`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// All of it may be done.
    Accepted,
    /// These changes, and whatever belongs to their groups, are held back; the rest is asked about again. An objection
    /// to a path that is not in the proposal holds everything back.
    Refused(Vec<Objection>),
    /// Nothing is done.
    RefusedAll {
        /// Why, in words for a person.
        reason: String,
    },
}

/// Why one change is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Objection {
    /// The memory whose file or index line is meant.
    pub path: MemPath,
    /// Why, in words for a person.
    pub reason: String,
}

impl Objection {
    /// Objects to what is done to `path`.
    pub fn new(path: MemPath, reason: impl Into<String>) -> Self {
        Self { path, reason: reason.into() }
    }
}
