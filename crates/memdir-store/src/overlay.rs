//! Changes that nobody sees until they are committed, for runs that think for a while.
//!
//! An [`Overlay`] reads through to a store and keeps what is written to itself. [`commit`](Overlay::commit) applies
//! it as one batch to the store as it is by then: a file that changed meanwhile is merged, or what depends on it is
//! held back while the rest is applied. A run that is killed, fails or is refused has done nothing.
//!
//! ```
//! use std::time::SystemTime;
//!
//! use memdir_core::MemPath;
//! use memdir_store::{
//!     Actor, Attribution, InMemory, OpKind, ReadStore,
//!     overlay::{Group, Overlay, Proposal, Verdict},
//! };
//!
//! let store = InMemory::new();
//! let path = MemPath::parse("project_release.md")?;
//! let mut overlay = Overlay::new(&store, OpKind::Save, SystemTime::UNIX_EPOCH);
//! overlay.put(Group::new(1), path.clone(), "The release is on 2026-12-04.\n")?;
//! assert_eq!(store.read(&path)?, None);
//!
//! let validate = |_: &Proposal<'_>| Verdict::Accepted;
//! let outcome = overlay.commit(&store, &validate, &Attribution::new(Actor::Agent));
//! let outcome = outcome.map_err(|failed| failed.error)?;
//! assert!(outcome.applied.is_some() && outcome.held.is_empty());
//! assert!(store.read(&path)?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod commit;
mod outcome;
mod validate;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    time::SystemTime,
};

use memdir_core::{MemPath, index::Editor};

pub use outcome::{Held, HeldChange, HeldReason, Outcome, Uncommitted};
pub use validate::{Objection, Pending, Proposal, Validate, Verdict};

use crate::{Entry, Error, Flow, IndexOp, Listed, OpKind, ReadStore};

/// Names changes that belong together: they are applied together or held together.
///
/// Groups that touch the same memory, by its file or its index line, count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(u32);

impl Group {
    /// The group of that number; numbers are the caller's.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// A store with changes on top that are not in it yet.
#[derive(Debug)]
pub struct Overlay<S> {
    base: S,
    kind: OpKind,
    now: SystemTime,
    files: BTreeMap<MemPath, Layer>,
    index: Vec<IndexChange>,
}

/// A file that was changed here.
#[derive(Debug)]
struct Layer {
    /// What the base held when it was first changed here.
    base: Option<Vec<u8>>,
    now: Option<Vec<u8>>,
    groups: BTreeSet<Group>,
}

#[derive(Debug)]
struct IndexChange {
    group: Group,
    op: IndexOp,
    /// Whether the memory existed when the operation was recorded.
    had_memory: bool,
}

/// What a file shows; absent: it is gone.
type Shown<'a> = Option<Cow<'a, [u8]>>;

/// Why a change was not recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The index is changed by [`Overlay::index`] alone, so that lines that others add meanwhile stay.
    #[error("the index is changed line by line, not as a file")]
    IsIndex,
    /// The file below could not be read.
    #[error(transparent)]
    Store(#[from] Error),
}

impl<S: ReadStore> Overlay<S> {
    /// Starts without changes. `kind` is what the journal will call the commit; `now` is the time that a listing shows for new files.
    pub fn new(base: S, kind: OpKind, now: SystemTime) -> Self {
        Self { base, kind, now, files: BTreeMap::new(), index: Vec::new() }
    }

    /// Records: the file holds these bytes.
    ///
    /// # Errors
    ///
    /// [`RecordError::IsIndex`] for the index, [`RecordError::Store`] where the file below cannot be read.
    pub fn put(
        &mut self,
        group: Group,
        path: MemPath,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<(), RecordError> {
        self.change(group, path, Some(bytes.into()))
    }

    /// Records: the file is gone.
    ///
    /// # Errors
    ///
    /// As [`put`](Self::put).
    pub fn remove(&mut self, group: Group, path: MemPath) -> Result<(), RecordError> {
        self.change(group, path, None)
    }

    /// Records a change of the index.
    ///
    /// # Errors
    ///
    /// [`RecordError::Store`] where the memory it names cannot be looked at.
    pub fn index(&mut self, group: Group, op: IndexOp) -> Result<(), RecordError> {
        let had_memory = self.read_head(op.path(), 0)?.is_some();
        self.index.push(IndexChange { group, op, had_memory });
        Ok(())
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.index.is_empty()
    }

    fn change(
        &mut self,
        group: Group,
        path: MemPath,
        now: Option<Vec<u8>>,
    ) -> Result<(), RecordError> {
        if path.is_index() {
            return Err(RecordError::IsIndex);
        }
        if let Some(layer) = self.files.get_mut(&path) {
            layer.now = now;
            layer.groups.insert(group);
        } else {
            let base = self.base.read(&path)?;
            self.files.insert(path, Layer { base, now, groups: BTreeSet::from([group]) });
        }
        Ok(())
    }

    /// The index with the recorded operations applied; `None` where there are none and the base's own index holds.
    fn index_text(&self) -> Result<Option<Vec<u8>>, Error> {
        if self.index.is_empty() {
            return Ok(None);
        }
        let below = self.base.read(&MemPath::index())?;
        let text = String::from_utf8_lossy(below.as_deref().unwrap_or_default());
        let mut index = Editor::new(&text);
        for IndexChange { op, .. } in &self.index {
            op.edit(&mut index);
        }
        let text = index.finish();
        // Taking lines out of an index that is not there does not make one.
        let is_there = below.is_some() || !text.is_empty();
        Ok(is_there.then(|| text.into_bytes()))
    }

    /// What stands above the base.
    fn layers(&self) -> Result<BTreeMap<MemPath, Shown<'_>>, Error> {
        let files = self.files.iter();
        let mut layers: BTreeMap<_, _> = files
            .map(|(path, layer)| (path.clone(), layer.now.as_deref().map(Cow::Borrowed)))
            .collect();
        if let Some(index) = self.index_text()? {
            layers.insert(MemPath::index(), Some(Cow::Owned(index)));
        }
        Ok(layers)
    }
}

impl<S: ReadStore> ReadStore for Overlay<S> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        let mut layers = self.layers()?;
        let mut flow = Flow::Continue(());
        self.base.visit(&mut |listed| {
            flow = match listed {
                Listed::Entry(entry) => match layers.remove(&entry.path) {
                    None => each(Listed::Entry(entry)),
                    Some(None) => Flow::Continue(()),
                    Some(Some(bytes)) => each(self.entry(entry.path, &bytes)),
                },
                Listed::Skipped(skipped) => each(Listed::Skipped(skipped)),
            };
            flow
        })?;
        for (path, bytes) in layers {
            if flow.is_break() {
                break;
            }
            if let Some(bytes) = bytes {
                flow = each(self.entry(path, &bytes));
            }
        }
        Ok(())
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let max = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        let head = |bytes: &[u8]| bytes.iter().copied().take(max).collect();
        if path.is_index()
            && let Some(index) = self.index_text()?
        {
            return Ok(Some(head(&index)));
        }
        match self.files.get(path) {
            Some(layer) => Ok(layer.now.as_deref().map(head)),
            None => self.base.read_head(path, max_bytes),
        }
    }
}

impl<S> Overlay<S> {
    fn entry(&self, path: MemPath, bytes: &[u8]) -> Listed {
        Listed::Entry(Entry::new(path, self.now, bytes.len() as u64))
    }
}
