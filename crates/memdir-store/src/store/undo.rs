//! Taking operations back after they happened, as an operation of its own.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fmt,
};

use memdir_core::MemPath;

use crate::{
    Attribution, Batch, Error, Expect, Merge, OpId, OpKind, Receipt, Revision, UndoError,
    disk::Disk,
    merge,
    store::{
        Store, content,
        files::Seen,
        images,
        journal::{Event, LoggedState, Past, Step},
        locate::{self, Place},
        session::Session,
    },
};

mod index;
mod inverse;

/// What to undo.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoTarget {
    /// Which operations.
    pub what: UndoWhat,
    /// Whether nothing is undone if not everything can be; otherwise what can be undone is.
    pub whole_only: bool,
}

/// Which operations to undo.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndoWhat {
    /// One.
    Op(OpId),
    /// Every one of a run that is not undone yet.
    Run(String),
}

impl UndoTarget {
    /// Aims at one operation.
    pub fn op(id: OpId) -> Self {
        Self { what: UndoWhat::Op(id), whole_only: false }
    }

    /// Aims at a whole run.
    pub fn run(run: impl Into<String>) -> Self {
        Self { what: UndoWhat::Run(run.into()), whole_only: false }
    }

    /// Undoes everything or nothing.
    #[must_use]
    pub fn whole_only(self) -> Self {
        Self { whole_only: true, ..self }
    }
}

impl fmt::Display for UndoTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            UndoWhat::Op(id) => write!(f, "completed operation `{id}`"),
            UndoWhat::Run(run) => write!(f, "completed operation of run `{run}`"),
        }
    }
}

/// What undoing came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoReport {
    /// The operations meant, newest first.
    pub ops: Vec<OpId>,
    /// What was done; absent: nothing was, as it could not be or there was nothing to do.
    pub receipt: Option<Receipt>,
    /// Files that were left as they are.
    pub conflicts: Vec<UndoConflict>,
}

/// A file that was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoConflict {
    /// The file.
    pub path: MemPath,
    /// Why.
    pub reason: UndoFault,
}

/// Why a file was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndoFault {
    /// It was changed since in the same places; both stand in the merge, between conflict marks, if there are two texts.
    Changed(Option<Merge>),
    /// What it held is not kept any more.
    NotKept,
}

/// Displays as a clause: `it was changed since`.
impl fmt::Display for UndoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed(_) => "it was changed since",
            Self::NotKept => "what it held is not kept any more",
        })
    }
}

impl<D: Disk> Store<D> {
    /// Takes operations back: files that are as they left them get their old bytes again, and from others their change is
    /// taken out where it can be told from what came later. Lines of the index are put back one by one.
    ///
    /// It is an operation itself and can be undone.
    ///
    /// # Errors
    ///
    /// [`UndoError::Unknown`] if nothing in the journal is meant, [`UndoError::Apply`] if the result may not or cannot be
    /// written, [`UndoError::Store`] if the journal cannot be read.
    pub fn undo(&self, target: &UndoTarget, by: &Attribution) -> Result<UndoReport, UndoError> {
        self.session(OpKind::Undo.as_str(), |session| session.undo(target, by))
    }
}

impl<D: Disk> Session<'_, D> {
    fn undo(&mut self, target: &UndoTarget, by: &Attribution) -> Result<UndoReport, UndoError> {
        let events = self.meant(target)?;
        let ops: Vec<OpId> = events.iter().map(|event| event.operation.id.clone()).collect();
        let Some(newest) = ops.first().cloned() else {
            return Err(UndoError::Unknown { target: target.to_string() });
        };
        let mut undoing = Undoing::default();
        for event in &events {
            for step in event.operation.steps.iter().rev() {
                undoing.step(self, event, step)?;
            }
        }
        let mut report = UndoReport { ops: ops.clone(), receipt: None, conflicts: Vec::new() };
        let batch = undoing.finish(ops, &mut report.conflicts);
        let is_held = target.whole_only && !report.conflicts.is_empty();
        if !batch.is_empty() && !is_held {
            let applied = self.apply(&batch, by);
            let receipt = applied.map_err(|source| UndoError::Apply { op: newest, source })?;
            report.receipt = Some(receipt).filter(Receipt::has_changes);
        }
        Ok(report)
    }

    /// Returns the operations that a target means, newest first.
    fn meant(&self, target: &UndoTarget) -> Result<Vec<Event>, Error> {
        let mut undone: BTreeSet<OpId> = BTreeSet::new();
        let mut meant = Vec::new();
        for event in Past::open(self.files)? {
            let event = event?;
            let operation = &event.operation;
            if event.state != LoggedState::Done {
                continue;
            }
            let is_undone = undone.contains(&operation.id);
            if !is_undone {
                undone.extend(operation.undoes.iter().cloned());
            }
            match &target.what {
                UndoWhat::Op(id) if operation.id == *id => return Ok(vec![event]),
                UndoWhat::Run(run) if operation.by.run.as_ref() == Some(run) && !is_undone => {
                    meant.push(event);
                }
                UndoWhat::Op(_) | UndoWhat::Run(_) => {}
            }
        }
        Ok(meant)
    }
}

/// The files as they come to be while operations are taken back one after the other.
#[derive(Default)]
struct Undoing {
    files: BTreeMap<MemPath, Turned>,
    index: index::Turned,
    /// Whether the index is put back as a file by one of the operations, and not by its lines.
    index_is_whole: bool,
    conflicts: BTreeMap<MemPath, UndoFault>,
}

struct Turned {
    found: Option<Vec<u8>>,
    now: Option<Vec<u8>>,
}

impl Undoing {
    fn step<D: Disk>(
        &mut self,
        session: &Session<'_, D>,
        event: &Event,
        step: &Step,
    ) -> Result<(), Error> {
        if self.conflicts.contains_key(&step.path) {
            return Ok(());
        }
        let turned = match self.files.entry(step.path.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let found = present(session, &step.path)?;
                new.insert(Turned { now: found.clone(), found })
            }
        };
        if step.path.is_index() && !event.operation.lines.is_empty() {
            self.index.take_back(session, event, step, &mut turned.now)?;
            return Ok(());
        }
        self.index_is_whole |= step.path.is_index();
        match inverse::of(session, step, turned.now.as_deref())? {
            Ok(now) => turned.now = now,
            Err(fault) => {
                self.conflicts.insert(step.path.clone(), fault);
            }
        }
        Ok(())
    }

    /// Returns what is to be written; a file with a conflict is left out altogether.
    fn finish(mut self, ops: Vec<OpId>, conflicts: &mut Vec<UndoConflict>) -> Batch {
        if self.index_is_whole && !self.index.is_exact() {
            self.conflicts.insert(MemPath::index(), UndoFault::Changed(None));
        }
        let mut batch = Batch::new(OpKind::Undo).undoing(ops);
        for (path, turned) in self.files {
            if self.conflicts.contains_key(&path) || turned.found == turned.now {
                continue;
            }
            let found = turned.found.as_deref().map(Revision::of);
            let expect = found.map_or(Expect::Absent, Expect::Unchanged);
            batch = match turned.now {
                _ if path.is_index() && !self.index.is_exact() => batch,
                Some(bytes) => batch.put(path, bytes, expect),
                None => batch.remove(path, expect),
            };
        }
        if !self.index.is_exact() {
            batch = self.index.ops().into_iter().fold(batch, Batch::index);
        }
        let conflict = |(path, reason)| UndoConflict { path, reason };
        conflicts.extend(self.conflicts.into_iter().map(conflict));
        batch
    }
}

/// Returns what a file holds now.
fn present<D: Disk>(session: &Session<'_, D>, path: &MemPath) -> Result<Option<Vec<u8>>, Error> {
    let Place::Here(raw, _) = locate::locate(session.files, path)? else { return Ok(None) };
    match session.files.see(&raw)? {
        Seen::Nothing => Ok(None),
        Seen::File(_, bytes) => Ok(Some(bytes)),
        Seen::Special(kind) => Err(Error::NotAFile { path: raw, kind }),
        Seen::Huge => Err(Error::TooLarge { path: raw, limit: crate::limits::MAX_FILE_BYTES }),
    }
}
