//! An operation and its steps, as the journal keeps them.

use std::time::SystemTime;

use memdir_core::MemPath;

use super::delta::Delta;
use crate::{Attribution, LineChanged, OpId, OpKind, PartUndone, Revision, limits};

/// An operation as its intent says it: enough to finish it, to take it back, and to undo it later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) id: OpId,
    pub(crate) at: SystemTime,
    pub(crate) kind: OpKind,
    pub(crate) by: Attribution,
    /// In the order in which they are taken: creations and updates, the index, removals.
    pub(crate) steps: Vec<Step>,
    /// What the operation means for lines of the index.
    pub(crate) lines: Vec<LineChanged>,
    /// The folders that it had to make, as the disk spells them.
    pub(crate) folders: Vec<String>,
    /// The operations that it undoes as a whole.
    pub(crate) undoes: Vec<OpId>,
    pub(crate) undoes_part: Vec<PartUndone>,
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) path: MemPath,
    /// The path as the disk spells it.
    pub(crate) raw: String,
    /// Where the new content waits, and where the old one goes.
    pub(crate) temp: String,
    pub(crate) before: Option<Revision>,
    pub(crate) after: Option<Revision>,
    pub(crate) images: Images,
    /// Merges with what others wrote at the same moment, in order.
    pub(crate) amends: Vec<Amend>,
}

/// The content of a file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Images {
    pub(crate) before: Image,
    pub(crate) after: Image,
    /// How one follows from the other; then the journal holds this, and neither.
    pub(crate) delta: Option<Delta>,
}

/// The content of a file at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Image {
    /// There was no file.
    NoFile,
    Bytes(Vec<u8>),
    /// Among the objects, under its revision, unless it was purged.
    Object,
}

impl Image {
    pub(crate) fn of(bytes: Option<&[u8]>) -> Self {
        bytes.map_or(Self::NoFile, |bytes| Self::Bytes(bytes.to_vec()))
    }

    /// Tells whether it stands in the journal itself.
    pub(crate) fn is_inline(&self) -> bool {
        match self {
            Self::NoFile => true,
            Self::Object => false,
            Self::Bytes(bytes) => {
                bytes.len() <= limits::INLINE_IMAGE_BYTES && std::str::from_utf8(bytes).is_ok()
            }
        }
    }
}

/// A merge with what somebody else wrote while the operation was being carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Amend {
    pub(crate) temp: String,
    /// What the name held when the merge was made.
    pub(crate) before: Option<Revision>,
    pub(crate) after: Revision,
    pub(crate) merged: Image,
    /// What somebody else wrote.
    pub(crate) seen: Revision,
    pub(crate) kept: Image,
}

/// One content of a file in the place of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Replacement<'a> {
    /// Holds the new content before the swap, and what was swapped out after it.
    pub(crate) temp: &'a str,
    /// The content that is expected in the file; absent: no file.
    pub(crate) before: Option<Revision>,
    /// The new content; absent: the file is removed.
    pub(crate) after: Option<Revision>,
}

impl Operation {
    pub(crate) fn new(id: OpId, at: SystemTime, kind: OpKind, by: Attribution) -> Self {
        Self {
            id,
            at,
            kind,
            by,
            steps: Vec::new(),
            lines: Vec::new(),
            folders: Vec::new(),
            undoes: Vec::new(),
            undoes_part: Vec::new(),
        }
    }

    /// Notes a merge that was made while the operation was carried out.
    pub(crate) fn amend(&mut self, path: &MemPath, amend: Amend) {
        if let Some(step) = self.steps.iter_mut().find(|step| step.path == *path) {
            step.amends.push(amend);
        }
    }
}

impl Step {
    /// Returns the replacement that is due: that of the last merge, or of the step itself where nothing was merged.
    pub(crate) fn replacement(&self) -> Replacement<'_> {
        match self.amends.last() {
            Some(Amend { temp, before, after, .. }) => {
                Replacement { temp, before: *before, after: Some(*after) }
            }
            None => Replacement { temp: &self.temp, before: self.before, after: self.after },
        }
    }

    /// Returns the revision that the file has when all is done.
    pub(crate) fn result(&self) -> Option<Revision> {
        self.replacement().after
    }

    /// Tells whether these bytes are known to the operation, so that a copy of them may go.
    pub(crate) fn knows(&self, revision: Revision) -> bool {
        let amended = |amend: &Amend| amend.after == revision || amend.seen == revision;
        [self.before, self.after].contains(&Some(revision)) || self.amends.iter().any(amended)
    }

    /// Tells whether the operation itself put this content there.
    pub(crate) fn made(&self, revision: Revision) -> bool {
        self.after == Some(revision) || self.amends.iter().any(|amend| amend.after == revision)
    }

    /// Returns what the file held before the operation, somebody else's last writing included.
    pub(crate) fn displaced(&self) -> Option<Revision> {
        self.amends.last().map_or(self.before, |amend| Some(amend.seen))
    }

    /// Returns the length of the file after a merge, `None` if there was none.
    pub(crate) fn merged_len(&self) -> Option<u64> {
        match &self.amends.last()?.merged {
            Image::Bytes(bytes) => Some(bytes.len() as u64),
            Image::NoFile | Image::Object => None,
        }
    }

    /// Returns every temporary name in use.
    pub(crate) fn temps(&self) -> impl Iterator<Item = &str> {
        let amends = self.amends.iter().map(|amend| &*amend.temp);
        std::iter::once(&*self.temp).chain(amends)
    }
}
