//! Taking operations back after they happened, as an operation of its own.

use std::fmt;

use memdir_core::MemPath;

use crate::{
    ApplyError, Attribution, Batch, Error, Merge, OpId, OpKind, Receipt, UndoError,
    disk::Disk,
    store::{
        Store,
        files::Files,
        journal::{Event, LoggedState, Past},
    },
};

mod index;
mod inverse;
mod plan;
mod standing;

use plan::UndoPlan;
use standing::{Standing, Undone};

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
    /// Every one of a run.
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
    /// The operations meant that stood, wholly or in part, newest first.
    pub ops: Vec<OpId>,
    /// Those of them of which something was left. They still count as standing, so undoing can be tried again.
    pub incomplete: Vec<OpId>,
    /// The operations meant that were undone before, newest first; nothing was done about them.
    pub undone_before: Vec<OpId>,
    /// What was done; absent: nothing was, as it could not be or there was nothing to do.
    pub receipt: Option<Receipt>,
    /// Files that were left as they are.
    pub conflicts: Vec<UndoConflict>,
}

/// A file that was left as it is, in everything that the operations did to it and to its lines of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndoConflict {
    /// The file.
    pub path: MemPath,
    /// Why.
    pub reason: UndoFault,
    /// Whether lines of the index that lead to it would have been put back too.
    pub has_line: bool,
}

/// Why a file was left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndoFault {
    /// It was changed since in the same places; both stand in the merge, between conflict marks, if there are two texts.
    Changed(Option<Merge>),
    /// Its line of the index was changed since.
    LineChanged,
    /// What it held is not kept any more.
    NotKept,
}

/// Displays as a clause: `it was changed since`.
impl fmt::Display for UndoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed(_) => "it was changed since",
            Self::LineChanged => "its line of the index was changed since",
            Self::NotKept => "what it held is not kept any more",
        })
    }
}

impl<D: Disk> Store<D> {
    /// Takes operations back: files that are as they left them get their old bytes again, and from others their change is
    /// taken out where it can be told from what came later. Lines of the index are put back one by one.
    ///
    /// A file and the lines of the index that lead to it are taken back together, or both are left. Of what is undone
    /// already nothing is done again. It is an operation itself and can be undone.
    ///
    /// # Errors
    ///
    /// [`UndoError::Unknown`] if nothing in the journal is meant, [`UndoError::Apply`] if the result may not or cannot be
    /// written, [`UndoError::Store`] if the journal cannot be read.
    pub fn undo(&self, target: &UndoTarget, by: &Attribution) -> Result<UndoReport, UndoError> {
        self.session(OpKind::Undo.as_str(), |session| {
            answer(session.files, target, |batch| session.apply(batch, by))
        })
    }

    /// Answers as [`undo`](Self::undo) would for the directory as it is now. No lock is taken and nothing is written.
    ///
    /// The operation in the receipt never comes to be. What only writing meets is not foreseen: a full disk, another writer
    /// at plan, what one that died left to be finished first.
    ///
    /// # Errors
    ///
    /// As [`undo`](Self::undo), without what only writing meets.
    pub fn rehearse_undo(
        &self,
        target: &UndoTarget,
        by: &Attribution,
    ) -> Result<UndoReport, UndoError> {
        answer(self.files(), target, |batch| self.foresee(batch, by))
    }

    /// Returns the last operation that an undo without further words means, or the last one before another.
    ///
    /// That is neither an undo nor somebody else's change that was only found, it stands, at least in part, and undoing
    /// it would change something or meet later changes: what it replaced is not purged or too old, and not back already.
    ///
    /// # Errors
    ///
    /// When the journal, or a file that may be meant, cannot be read.
    pub fn last_undoable(&self, before: Option<&OpId>) -> Result<Option<OpId>, Error> {
        self.last(before, UndoPlan::is_worth_trying)
    }

    /// Returns the last operation that would be [undoable](Self::last_undoable) if everything were kept: where it is
    /// another one, that was purged or is too old.
    ///
    /// # Errors
    ///
    /// As [`last_undoable`](Self::last_undoable).
    pub fn last_standing(&self) -> Result<Option<OpId>, Error> {
        self.last(None, |plan| plan.is_worth_trying() || plan.leaves_any())
    }

    fn last(
        &self,
        before: Option<&OpId>,
        is_meant: impl Fn(&UndoPlan) -> bool,
    ) -> Result<Option<OpId>, Error> {
        let mut undone = Undone::default();
        let mut is_before = before.is_none();
        for event in Past::open(self.files())? {
            let event = event?;
            let is_candidate = is_before && !event.is_observed;
            is_before |= before == Some(&event.operation.id);
            if event.state != LoggedState::Done {
                continue;
            }
            undone.note(&event.operation);
            if !is_candidate || event.operation.kind == OpKind::Undo {
                continue;
            }
            let Some(standing) = undone.standing(event) else { continue };
            let standing = [standing];
            if is_meant(&UndoPlan::on(self.files(), &standing)?) {
                return Ok(standing.first().map(|standing| standing.operation().id.clone()));
            }
        }
        Ok(None)
    }
}

/// Works out what to take back, and hands it to `apply`.
fn answer<D: Disk>(
    files: Files<'_, D>,
    target: &UndoTarget,
    apply: impl FnOnce(&Batch) -> Result<Receipt, ApplyError>,
) -> Result<UndoReport, UndoError> {
    let Meant { standing, undone } = Meant::of(files, target)?;
    let ops: Vec<OpId> = standing.iter().map(|standing| standing.operation().id.clone()).collect();
    if ops.is_empty() && undone.is_empty() {
        return Err(UndoError::Unknown { target: target.to_string() });
    }
    let plan = UndoPlan::on(files, &standing)?;
    let mut report = UndoReport {
        incomplete: plan.incomplete(&standing),
        undone_before: undone,
        receipt: None,
        conflicts: plan.conflicts(&standing),
        ops,
    };
    let is_held = target.whole_only && !report.conflicts.is_empty();
    let batch = plan.batch(&standing);
    if let Some(newest) = report.ops.first()
        && !batch.is_empty()
        && !is_held
    {
        let failed = |source| UndoError::Apply { op: newest.clone(), source };
        report.receipt = Some(apply(&batch).map_err(failed)?).filter(Receipt::has_changes);
    }
    Ok(report)
}

/// The operations that a target means, newest first.
#[derive(Default)]
struct Meant {
    /// Those that stand, with what of them stands.
    standing: Vec<Standing>,
    /// Those that do not.
    undone: Vec<OpId>,
}

impl Meant {
    fn of<D: Disk>(files: Files<'_, D>, target: &UndoTarget) -> Result<Self, Error> {
        let mut undone = Undone::default();
        let mut meant = Self::default();
        for event in Past::open(files)? {
            let event = event?;
            if event.state != LoggedState::Done {
                continue;
            }
            undone.note(&event.operation);
            let operation = &event.operation;
            let is_one = matches!(&target.what, UndoWhat::Op(id) if operation.id == *id);
            let of_run = matches!(&target.what, UndoWhat::Run(run) if operation.by.run.as_ref() == Some(run));
            if is_one || of_run {
                let id = operation.id.clone();
                match undone.standing(event) {
                    Some(standing) => meant.standing.push(standing),
                    None => meant.undone.push(id),
                }
            }
            if is_one {
                break;
            }
        }
        Ok(meant)
    }
}
