//! What an applied batch did.

use memdir_core::MemPath;

use crate::{OpId, Revision};

/// What an applied batch did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The operation; it stands in the journal unless nothing changed.
    pub op: OpId,
    /// Each file the batch names, once, in the order of their first mention.
    pub changes: Vec<Changed>,
    /// The index, if the batch had index operations.
    pub index: Option<IndexChanged>,
    /// Operations of writers that died, which were finished or taken back first.
    pub recovered: Vec<Recovered>,
    /// Touched files that somebody else had changed since this store last knew them.
    pub observed: Vec<MemPath>,
}

impl Receipt {
    /// Starts with nothing changed.
    pub fn new(op: OpId) -> Self {
        Self { op, changes: Vec::new(), index: None, recovered: Vec::new(), observed: Vec::new() }
    }

    /// Tells whether anything was written.
    pub fn has_changes(&self) -> bool {
        let index = self.index.as_ref().map(|index| index.action);
        let actions = self.changes.iter().map(|changed| changed.action).chain(index);
        actions.into_iter().any(|action| action != Action::Unchanged)
    }
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changed {
    /// The file.
    pub path: MemPath,
    /// What happened to it.
    pub action: Action,
    /// Its content before; absent: there was no file.
    pub before: Option<Revision>,
    /// Its content now; absent: there is no file.
    pub after: Option<Revision>,
    /// Its length now in bytes; 0 if there is no file.
    pub bytes: u64,
    /// Whether it also holds what another program wrote at the same moment.
    pub merged: bool,
}

impl Changed {
    /// Describes a file that went from `before` to `after`, of `bytes` bytes.
    pub fn new(
        path: MemPath,
        before: Option<Revision>,
        after: Option<Revision>,
        bytes: u64,
    ) -> Self {
        Self { path, action: Action::between(before, after), before, after, bytes, merged: false }
    }
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "there is no fifth thing to happen to a file")]
pub enum Action {
    /// It was not there before.
    Created,
    /// It has another content.
    Updated,
    /// It already was as asked, there or not.
    Unchanged,
    /// It is gone.
    Removed,
}

impl Action {
    pub(crate) fn between(before: Option<Revision>, after: Option<Revision>) -> Self {
        match (before, after) {
            (before, after) if before == after => Self::Unchanged,
            (None, _) => Self::Created,
            (_, None) => Self::Removed,
            _ => Self::Updated,
        }
    }
}

/// What became of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexChanged {
    /// What happened to the file.
    pub action: Action,
    /// Its content before; absent: there was no index.
    pub before: Option<Revision>,
    /// Its content now.
    pub after: Option<Revision>,
    /// The lines that the operations are about, in their order.
    pub lines: Vec<LineChanged>,
    /// Whether it also holds what another program wrote at the same moment.
    pub merged: bool,
}

impl IndexChanged {
    /// Describes an index that went from `before` to `after`.
    pub fn new(before: Option<Revision>, after: Option<Revision>, lines: Vec<LineChanged>) -> Self {
        Self { action: Action::between(before, after), before, after, lines, merged: false }
    }
}

/// What became of the line for one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineChanged {
    /// The memory the line points to.
    pub path: MemPath,
    /// The line before, without its line end; absent: there was none.
    pub before: Option<String>,
    /// The line now; absent: there is none.
    pub after: Option<String>,
}

impl LineChanged {
    /// Describes a line that went from `before` to `after`.
    pub fn new(path: MemPath, before: Option<String>, after: Option<String>) -> Self {
        Self { path, before, after }
    }
}

/// An operation of a writer that died, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The operation.
    pub op: OpId,
    /// Whether it now stands or is taken back.
    pub outcome: Outcome,
    /// Files that somebody else had written meanwhile: left as they are, the other side kept in the journal.
    pub conflicts: Vec<MemPath>,
}

impl Recovered {
    /// Describes a recovered operation without conflicts.
    pub fn new(op: OpId, outcome: Outcome) -> Self {
        Self { op, outcome, conflicts: Vec::new() }
    }
}

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "an operation happens or does not")]
pub enum Outcome {
    /// It stands, in all its files but those in conflict.
    Finished,
    /// It is taken back, in all its files but those in conflict.
    TakenBack,
}
