//! Working out what to write to take operations back, on the directory as it is; writes nothing.

use std::collections::{BTreeMap, btree_map::Entry};

use memdir_core::{MemPath, index::Editor};

use super::{
    Disk, Error, Files, OpId, OpKind, UndoConflict, UndoFault, index, inverse, standing::Standing,
};
use crate::{
    Batch, Expect, IndexOp, PartUndone, Revision,
    store::{
        files::Seen,
        index_lines,
        locate::{self, Place},
    },
};

/// What every file will hold once operations are taken back, and what cannot be taken back.
#[derive(Default)]
pub(super) struct UndoPlan {
    files: BTreeMap<MemPath, Reverted>,
    /// What puts the lines of the index back, in the order of undoing.
    lines: Vec<IndexOp>,
    /// Whether somebody else changed the index since, so that its old bytes are not to be had.
    by_lines: bool,
    /// Whether the index is put back as a file by one of the operations, and not by its lines.
    index_is_whole: bool,
    /// What is left as it is, in all operations.
    left: BTreeMap<MemPath, UndoFault>,
}

/// A file that operations changed; absent contents: no file.
struct Reverted {
    /// What it holds on the disk.
    found: Option<Vec<u8>>,
    /// What it holds without the operations that were taken back so far.
    now: Option<Vec<u8>>,
}

impl UndoPlan {
    /// Works out how to take operations back, given newest first.
    pub(super) fn on<D: Disk>(files: Files<'_, D>, events: &[Standing]) -> Result<Self, Error> {
        let mut left = BTreeMap::new();
        loop {
            let known = left.len();
            let mut plan = Self { left, ..Self::default() };
            for event in events {
                plan.event(files, event)?;
            }
            if plan.index_is_whole && plan.by_lines {
                plan.left.insert(MemPath::index(), UndoFault::Changed(None));
            }
            // What turns out to be left is left from the start: newer operations may have taken back their part of it.
            if plan.left.len() == known {
                return Ok(plan);
            }
            left = plan.left;
        }
    }

    fn event<D: Disk>(&mut self, files: Files<'_, D>, event: &Standing) -> Result<(), Error> {
        let operation = event.operation();
        for step in operation.steps.iter().rev() {
            let is_by_lines = step.path.is_index() && !operation.lines.is_empty();
            if is_by_lines || self.left.contains_key(&step.path) {
                continue;
            }
            self.index_is_whole |= step.path.is_index();
            let reverted = self.reverted(files, &step.path)?;
            match inverse::of(files, step, reverted.now.as_deref())? {
                Ok(now) => reverted.now = now,
                Err(fault) => {
                    self.left.insert(step.path.clone(), fault);
                }
            }
        }
        if operation.lines.is_empty() { Ok(()) } else { self.take_back_lines(files, event) }
    }

    /// Takes back what an operation did to lines of the index: its bytes if nobody changed it since, else the lines.
    fn take_back_lines<D: Disk>(
        &mut self,
        files: Files<'_, D>,
        event: &Standing,
    ) -> Result<(), Error> {
        let index = MemPath::index();
        let lines = &event.operation().lines;
        let step = event.operation().steps.iter().find(|step| step.path == index);
        let now = self.reverted(files, &index)?.now.clone();
        if let Some(step) = step
            && !lines.iter().any(|line| self.left.contains_key(&line.path))
            && let Some(before) = index::bytes_before(files, step, now.as_deref())?
        {
            self.lines.extend(lines.iter().rev().map(index::back));
            self.reverted(files, &index)?.now = before;
            return Ok(());
        }
        self.by_lines = true;
        let text = now.unwrap_or_default();
        // What is not text is refused when it is to be written.
        let text = String::from_utf8_lossy(&text);
        let mut editor = Editor::new(&text);
        let mut says = index_lines::of(&text, lines);
        for line in lines.iter().rev() {
            if self.left.contains_key(&line.path) {
                continue;
            }
            let reverted = self.files.get(&line.path);
            let goes = reverted.is_some_and(|reverted| reverted.now.is_none());
            let says = says.entry(&line.path).or_default();
            if !goes
                && !index::is(says, line.after.as_deref())
                && !index::is(says, line.before.as_deref())
            {
                self.left.insert(line.path.clone(), UndoFault::LineChanged);
                continue;
            }
            let op = index::back(line);
            op.edit(&mut editor);
            index::note(says, line.before.as_deref());
            self.lines.push(op);
        }
        let after = editor.finish();
        self.reverted(files, &index)?.now = Some(after.into_bytes());
        Ok(())
    }

    fn reverted<D: Disk>(
        &mut self,
        files: Files<'_, D>,
        path: &MemPath,
    ) -> Result<&mut Reverted, Error> {
        Ok(match self.files.entry(path.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let found = present(files, path)?;
                new.insert(Reverted { now: found.clone(), found })
            }
        })
    }

    /// Tells whether it changes anything, or may do so once conflicts are resolved.
    pub(super) fn is_worth_trying(&self) -> bool {
        let changes = |(path, Reverted { found, now }): (&MemPath, &Reverted)| {
            if path.is_index() && self.by_lines {
                // Without lines an index that is not there is an empty one.
                found.as_deref().unwrap_or_default() != now.as_deref().unwrap_or_default()
            } else {
                found != now
            }
        };
        self.files.iter().any(changes)
            || self.left.values().any(|fault| *fault != UndoFault::NotKept)
    }

    /// Tells whether anything is left as it is, for whatever reason.
    pub(super) fn leaves_any(&self) -> bool {
        !self.left.is_empty()
    }

    /// Returns the operations of which something is left.
    pub(super) fn incomplete(&self, events: &[Standing]) -> Vec<OpId> {
        let is_incomplete =
            |event: &&Standing| event.groups().iter().any(|path| self.left.contains_key(path));
        let incomplete = events.iter().filter(is_incomplete);
        incomplete.map(|event| event.operation().id.clone()).collect()
    }

    pub(super) fn conflicts(&self, events: &[Standing]) -> Vec<UndoConflict> {
        let has_line = |path: &MemPath| {
            events.iter().flat_map(|event| &event.operation().lines).any(|line| line.path == *path)
        };
        let conflict = |(path, reason): (&MemPath, &UndoFault)| UndoConflict {
            path: path.clone(),
            reason: reason.clone(),
            has_line: has_line(path),
        };
        self.left.iter().map(conflict).collect()
    }

    /// Returns what is to be written.
    pub(super) fn batch(self, events: &[Standing]) -> Batch {
        let mut batch = Batch::new(OpKind::Undo);
        for event in events {
            let id = event.operation().id.clone();
            let mut taken = event.groups();
            let count = taken.len();
            taken.retain(|path| !self.left.contains_key(path));
            batch = if taken.len() == count && event.is_whole {
                batch.undoing([id])
            } else if taken.is_empty() {
                batch
            } else {
                batch.undoing_parts([PartUndone::new(id, taken)])
            };
        }
        for (path, reverted) in self.files {
            if reverted.found == reverted.now || path.is_index() && self.by_lines {
                continue;
            }
            let found = reverted.found.as_deref().map(Revision::of);
            let expect = found.map_or(Expect::Absent, Expect::Unchanged);
            batch = match reverted.now {
                Some(bytes) => batch.put(path, bytes, expect),
                None => batch.remove(path, expect),
            };
        }
        if self.by_lines {
            batch = self.lines.into_iter().fold(batch, Batch::index);
        }
        batch
    }
}

/// Returns what a file holds now.
fn present<D: Disk>(files: Files<'_, D>, path: &MemPath) -> Result<Option<Vec<u8>>, Error> {
    let Place::Here(raw, _) = locate::locate(files, path)? else { return Ok(None) };
    match files.see(&raw)? {
        Seen::Nothing => Ok(None),
        Seen::File(_, bytes) => Ok(Some(bytes)),
        Seen::Special(kind) => Err(Error::NotAFile { path: raw, kind }),
        Seen::Huge => Err(Error::TooLarge { path: raw, limit: crate::limits::MAX_FILE_BYTES }),
    }
}
