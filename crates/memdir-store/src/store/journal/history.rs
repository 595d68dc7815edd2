//! Reading the journal backwards as operations.

use std::{collections::BTreeSet, time::SystemTime};

use memdir_core::MemPath;

use super::{Amend, Operation, Position, Record, Step, records, segments};
use crate::{
    Action, Attribution, Error, LineChanged, OpId, OpKind, PartUndone, Revision,
    disk::Disk,
    store::{Store, files::Files},
};

/// One operation as the journal tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Logged {
    /// Its name.
    pub id: OpId,
    /// When.
    pub at: SystemTime,
    /// What kind.
    pub kind: OpKind,
    /// Who and why; absent: somebody who does not use this store, found out later.
    pub by: Option<Attribution>,
    /// The files that changed.
    pub files: Vec<LoggedFile>,
    /// The lines of the index that changed.
    pub lines: Vec<LineChanged>,
    /// The operations that it undid as a whole.
    pub undoes: Vec<OpId>,
    /// The operations that it undid in part.
    pub undoes_part: Vec<PartUndone>,
    /// How it ended.
    pub state: LoggedState,
    /// Files where it met what somebody else wrote, and one side was kept in the journal only.
    pub conflicts: Vec<MemPath>,
}

/// A file that an operation of the journal changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedFile {
    /// The file.
    pub path: MemPath,
    /// What happened to it.
    pub action: Action,
    /// Its content before; absent: there was no file. See [`Store::content`].
    pub before: Option<Revision>,
    /// Its content afterwards; absent: there was no file.
    pub after: Option<Revision>,
    /// Whether that also holds what somebody else wrote at the same moment.
    pub merged: bool,
}

/// How an operation of the journal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoggedState {
    /// It stands.
    Done,
    /// It was taken back.
    TakenBack,
    /// Its writer is at it, or died; the next writer finishes it.
    Unfinished,
}

/// The operations of the journal, newest first; see [`Store::history`].
pub struct History<'s, D> {
    past: Past<'s, D>,
}

impl<D: Disk> Store<D> {
    /// Returns what was done, newest first.
    ///
    /// No lock is taken, so an operation of this very moment may be shown as unfinished. Lines that are torn or say nothing
    /// are passed over; [`Store::health`] counts them.
    ///
    /// # Errors
    ///
    /// When the journal cannot be listed; later ones come from the iterator.
    pub fn history(&self) -> Result<History<'_, D>, Error> {
        Ok(History { past: Past::open(self.files())? })
    }
}

impl<D: Disk> Iterator for History<'_, D> {
    type Item = Result<Logged, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.past.next()?.map(Logged::from))
    }
}

impl<D> std::fmt::Debug for History<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("History").finish_non_exhaustive()
    }
}

/// The journal read backwards, a segment at a time.
pub(crate) struct Past<'s, D> {
    files: Files<'s, D>,
    segments: Vec<u64>,
    /// What was read and not yet given out, oldest first.
    events: Vec<Event>,
}

/// An operation with everything that the journal says of it.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) operation: Operation,
    pub(crate) state: LoggedState,
    pub(crate) conflicts: BTreeSet<MemPath>,
    /// Whether somebody did it who does not use this store.
    pub(crate) is_observed: bool,
}

impl<'s, D: Disk> Past<'s, D> {
    pub(crate) fn open(files: Files<'s, D>) -> Result<Self, Error> {
        Ok(Self { files, segments: segments(files)?, events: Vec::new() })
    }
}

impl<D: Disk> Iterator for Past<'_, D> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.events.is_empty() {
            let segment = self.segments.pop()?;
            match records(self.files, Position { segment, offset: 0 }) {
                Ok(records) => {
                    let records = records.into_iter().filter_map(|(_, record)| record.ok());
                    self.events = events(records);
                }
                Err(error) => return Some(Err(error)),
            }
        }
        self.events.pop().map(Ok)
    }
}

/// Puts the records of one segment together; an operation never spans two.
fn events(records: impl Iterator<Item = Record>) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for record in records {
        let last = events.last_mut().filter(|event| event.operation.id == *record.id());
        match (record, last) {
            (Record::Intent(operation), _) => events.push(Event {
                operation,
                state: LoggedState::Unfinished,
                conflicts: BTreeSet::new(),
                is_observed: false,
            }),
            (Record::Observed(observed), _) => events.push(Event {
                state: LoggedState::Done,
                conflicts: BTreeSet::new(),
                is_observed: true,
                operation: observed.into_operation(),
            }),
            (Record::Amend(_, path, amend), Some(event)) => event.amend(&path, amend),
            (Record::Done(_), Some(event)) => event.state = LoggedState::Done,
            (Record::Abort(..), Some(event)) => event.state = LoggedState::TakenBack,
            (Record::Conflict(clash), Some(event)) => {
                event.conflicts.insert(clash.path);
            }
            // Its intent was dropped or is not readable.
            (
                Record::Amend(..) | Record::Done(_) | Record::Abort(..) | Record::Conflict(_),
                None,
            ) => {}
        }
    }
    events
}

impl Event {
    fn amend(&mut self, path: &MemPath, amend: Amend) {
        self.operation.amend(path, amend);
    }
}

impl From<Event> for Logged {
    fn from(event: Event) -> Self {
        let Operation { id, at, kind, by, steps, lines, undoes, undoes_part, .. } = event.operation;
        Self {
            id,
            at,
            kind,
            by: (!event.is_observed).then_some(by),
            files: steps.iter().map(LoggedFile::from).collect(),
            lines,
            undoes,
            undoes_part,
            state: event.state,
            conflicts: event.conflicts.into_iter().collect(),
        }
    }
}

impl From<&Step> for LoggedFile {
    fn from(step: &Step) -> Self {
        let (before, after) = (step.before, step.result());
        Self {
            path: step.path.clone(),
            action: Action::between(before, after),
            before,
            after,
            merged: !step.amends.is_empty(),
        }
    }
}
