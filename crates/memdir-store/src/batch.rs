//! Changes that happen together.

use std::{collections::BTreeSet, fmt};

use memdir_core::{MemPath, index};

use crate::{OpId, Revision};

/// What kind of operation a batch is, for the journal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OpKind {
    /// A memory is saved.
    Save,
    /// A memory is edited.
    Edit,
    /// A memory is forgotten.
    Forget,
    /// Something is added at the end of a file.
    Append,
    /// Findings are mended.
    Fix,
    /// Earlier operations are undone.
    Undo,
    /// Somebody who does not use this store changed a file, and it was found out later.
    Observed,
    /// A kind of the host's own, such as `extract`; shown as it is.
    Named(String),
}

impl OpKind {
    /// Returns the word kept in the journal.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Save => "save",
            Self::Edit => "edit",
            Self::Forget => "forget",
            Self::Append => "append",
            Self::Fix => "fix",
            Self::Undo => "undo",
            Self::Observed => "observed",
            Self::Named(name) => name,
        }
    }

    /// Reads the word kept in the journal; an unknown one is a [`Named`](Self::Named) kind.
    pub fn parse(text: &str) -> Self {
        match text {
            "save" => Self::Save,
            "edit" => Self::Edit,
            "forget" => Self::Forget,
            "append" => Self::Append,
            "fix" => Self::Fix,
            "undo" => Self::Undo,
            "observed" => Self::Observed,
            other => Self::Named(other.to_owned()),
        }
    }
}

impl fmt::Display for OpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a change expects to find; otherwise the whole batch is a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a file is there or not, and has one content")]
pub enum Expect {
    /// Anything, or nothing.
    Any,
    /// No file of that name.
    Absent,
    /// A file with exactly this content.
    Unchanged(Revision),
}

/// What a change does to its file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a store must do every one of them")]
pub enum Edit {
    /// The file holds these bytes afterwards.
    Put(Vec<u8>),
    /// These bytes follow what the file holds; an absent file counts as empty.
    Append(Vec<u8>),
    /// The file is gone afterwards; an absent file is no fault.
    Remove,
}

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The file.
    pub path: MemPath,
    /// What is done to it.
    pub edit: Edit,
    /// What must be there beforehand.
    pub expect: Expect,
}

/// A change of the index, `MEMORY.md`, said as what it means.
///
/// It is applied to whatever the index holds when the batch is applied, so two writers never undo each other's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexOp {
    /// The line for `path` says this; one is added if there is none.
    Upsert {
        /// The memory the line points to.
        path: MemPath,
        /// The text of the link.
        title: String,
        /// What stands after it.
        hook: String,
    },
    /// No line points to `path`.
    Remove {
        /// The memory the lines point to.
        path: MemPath,
    },
    /// The line for `path` is this very text, or gone; how an undo puts back what was there.
    Restore {
        /// The memory the line points to.
        path: MemPath,
        /// The line without its line end; absent: no line.
        line: Option<String>,
    },
}

impl IndexOp {
    /// Returns the memory whose line changes.
    pub fn path(&self) -> &MemPath {
        match self {
            Self::Upsert { path, .. } | Self::Remove { path } | Self::Restore { path, .. } => path,
        }
    }

    /// Returns what an index with this text becomes; [`edit`](Self::edit) is for several operations on one text.
    pub fn apply_to(&self, text: &str) -> index::Edited {
        let mut index = index::Editor::new(text);
        let change = self.edit(&mut index);
        index::Edited::new(index.finish(), change)
    }

    /// Does it to an index and says what that came to.
    pub fn edit(&self, index: &mut index::Editor<'_>) -> index::Change {
        match self {
            Self::Upsert { path, title, hook } => index.upsert(&index::Entry { path, title, hook }),
            Self::Remove { path } => index.remove(path),
            Self::Restore { path, line } => index.restore_line(path, line.as_deref()),
        }
    }
}

/// Changes that happen together or not at all.
///
/// Changes of one file are applied in the order given, index operations after all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    kind: OpKind,
    changes: Vec<Change>,
    index: Vec<IndexOp>,
    undoes: Vec<OpId>,
    undoes_part: Vec<PartUndone>,
}

/// A part of an operation that was taken back, while the rest was left or was taken back at another time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartUndone {
    /// The operation.
    pub op: OpId,
    /// The files that were taken back, with the lines of the index that lead to them.
    pub files: BTreeSet<MemPath>,
}

impl PartUndone {
    /// Describes a part.
    pub fn new(op: OpId, files: BTreeSet<MemPath>) -> Self {
        Self { op, files }
    }
}

impl Batch {
    /// Starts with nothing to do.
    pub fn new(kind: OpKind) -> Self {
        Self {
            kind,
            changes: Vec::new(),
            index: Vec::new(),
            undoes: Vec::new(),
            undoes_part: Vec::new(),
        }
    }

    /// Adds: the file holds these bytes.
    #[must_use]
    pub fn put(self, path: MemPath, bytes: impl Into<Vec<u8>>, expect: Expect) -> Self {
        self.change(path, Edit::Put(bytes.into()), expect)
    }

    /// Adds: these bytes follow what the file holds.
    #[must_use]
    pub fn append(self, path: MemPath, bytes: impl Into<Vec<u8>>, expect: Expect) -> Self {
        self.change(path, Edit::Append(bytes.into()), expect)
    }

    /// Adds: the file is gone.
    #[must_use]
    pub fn remove(self, path: MemPath, expect: Expect) -> Self {
        self.change(path, Edit::Remove, expect)
    }

    /// Adds a change of the index.
    #[must_use]
    pub fn index(mut self, op: IndexOp) -> Self {
        self.index.push(op);
        self
    }

    /// Says which earlier operations this batch undoes as a whole, for the journal.
    #[must_use]
    pub fn undoing(mut self, ops: impl IntoIterator<Item = OpId>) -> Self {
        self.undoes.extend(ops);
        self
    }

    /// Returns its kind.
    pub fn kind(&self) -> &OpKind {
        &self.kind
    }

    /// Says of which earlier operations this batch undoes a part, for the journal.
    #[must_use]
    pub fn undoing_parts(mut self, parts: impl IntoIterator<Item = PartUndone>) -> Self {
        self.undoes_part.extend(parts);
        self
    }

    /// Returns the changes of files, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the changes of the index, in order.
    pub fn index_ops(&self) -> &[IndexOp] {
        &self.index
    }

    /// Returns the operations it undoes as a whole.
    pub fn undoes(&self) -> &[OpId] {
        &self.undoes
    }

    /// Returns the parts of operations it undoes.
    pub fn undoes_part(&self) -> &[PartUndone] {
        &self.undoes_part
    }

    /// Tells whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.index.is_empty()
    }

    fn change(mut self, path: MemPath, edit: Edit, expect: Expect) -> Self {
        self.changes.push(Change { path, edit, expect });
        self
    }
}
