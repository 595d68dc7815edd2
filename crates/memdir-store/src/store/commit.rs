//! Carrying out an operation whose intent is in the journal, at first and again after a crash.
//!
//! Other programs rename their files over ours without asking. So a file is never simply overwritten: it swaps names
//! with the temporary file that holds the new content, and what is found under the temporary name afterwards is compared
//! with what was expected. Anything else was written by another program: it is merged with the new content, or put back.

use std::collections::BTreeSet;

use memdir_core::MemPath;

use crate::{
    Conflict, Error, LineChanged, OpId, Revision,
    disk::{Disk, Exchanged, Persist, Renamed},
    store::{
        files::Seen,
        journal::{Clash, Operation, Record, Replacement, Step},
        layout, objects,
        session::Session,
    },
};

/// What is known of an operation when its steps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// This writer begins it: no step has been taken.
    Fresh,
    /// It is finished after a crash, or taken back: any step may have been taken, and others may have written since.
    Resumed,
}

/// The parts of an operation that each of its steps needs.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) id: &'a OpId,
    pub(crate) lines: &'a [LineChanged],
    pub(crate) start: Start,
}

/// Where content that nobody expected was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Under the temporary name, after the swap.
    Displaced,
    /// Under its own name, which was left alone.
    InPlace,
}

/// Content that another program wrote.
pub(crate) type Foreign = (Revision, Vec<u8>);

/// What came of putting new content into a file.
pub(crate) enum Swap {
    Done,
    /// Somebody else had written the file.
    Foreign(Foreign, Found),
    /// There is no file any more to put it into, or something else than one.
    Conflict(Conflict),
}

impl<D: Disk> Session<'_, D> {
    /// Takes the steps in order; stops at the first that meets a conflict, and returns it.
    pub(crate) fn advance(
        &mut self,
        operation: &mut Operation,
        start: Start,
    ) -> Result<Option<Conflict>, Error> {
        let Operation { id, steps, lines, .. } = operation;
        let context = Context { id, lines, start };
        for step in steps {
            if let Some(conflict) = self.step(context, step)? {
                return Ok(Some(conflict));
            }
        }
        Ok(None)
    }

    fn step(&mut self, context: Context<'_>, step: &mut Step) -> Result<Option<Conflict>, Error> {
        if context.start == Start::Resumed
            && let Some(settled) = self.look_again(context, step)?
        {
            return Ok(settled);
        }
        let Replacement { before, after, .. } = step.replacement();
        match (before, after) {
            (_, None) => self.remove(context, step),
            (None, Some(_)) => self.create(context, step),
            (Some(_), Some(_)) => self.update(context, step),
        }
    }

    fn create(&mut self, context: Context<'_>, step: &mut Step) -> Result<Option<Conflict>, Error> {
        let Replacement { temp, after, .. } = step.replacement();
        if self.files.rename_new(temp, &step.raw)? == Renamed::Done {
            return Ok(None);
        }
        match self.files.see(&step.raw)? {
            seen if seen.is(after) => Ok(None),
            Seen::File(revision, bytes) => {
                self.settle(context, step, (revision, bytes), Found::InPlace)
            }
            seen => Ok(Some(conflict(step, &seen))),
        }
    }

    fn update(&mut self, context: Context<'_>, step: &mut Step) -> Result<Option<Conflict>, Error> {
        let Replacement { before, .. } = step.replacement();
        // Looking first keeps what others wrote from being out of sight even for a moment, nearly always; the swap then
        // makes sure.
        match self.files.see(&step.raw)? {
            seen if seen.is(before) => {}
            Seen::File(revision, bytes) => {
                return self.settle(context, step, (revision, bytes), Found::InPlace);
            }
            seen => return Ok(Some(conflict(step, &seen))),
        }
        match self.swap_in(context, step)? {
            Swap::Done => Ok(None),
            Swap::Foreign(foreign, found) => self.settle(context, step, foreign, found),
            Swap::Conflict(conflict) => Ok(Some(conflict)),
        }
    }

    /// Puts the new content of a step into its file and looks at what came out of it.
    pub(crate) fn swap_in(&mut self, context: Context<'_>, step: &Step) -> Result<Swap, Error> {
        let Replacement { temp, before, .. } = step.replacement();
        Ok(match self.files.exchange(temp, &step.raw)? {
            Exchanged::Done => match self.files.see(temp)? {
                seen if seen.is(before) => Swap::Done,
                Seen::File(revision, bytes) => Swap::Foreign((revision, bytes), Found::Displaced),
                seen => {
                    self.put_back(context, step, step.replacement(), None)?;
                    Swap::Conflict(conflict(step, &seen))
                }
            },
            Exchanged::Absent => match self.files.see(&step.raw)? {
                Seen::Nothing => Swap::Conflict(conflict(step, &Seen::Nothing)),
                _ => return Err(vanished(temp)),
            },
            Exchanged::Unsupported => match self.files.see(&step.raw)? {
                seen if seen.is(before) => {
                    self.files.rename(temp, &step.raw)?;
                    Swap::Done
                }
                Seen::File(revision, bytes) => Swap::Foreign((revision, bytes), Found::InPlace),
                seen => Swap::Conflict(conflict(step, &seen)),
            },
        })
    }

    fn remove(&mut self, context: Context<'_>, step: &Step) -> Result<Option<Conflict>, Error> {
        match self.files.see(&step.raw)? {
            Seen::Nothing => return Ok(None),
            seen if seen.is(step.before) => {}
            seen => return Ok(Some(conflict(step, &seen))),
        }
        match self.files.rename_away(&step.raw, &step.temp)? {
            None => return Ok(None),
            Some(Renamed::Exists) => return Err(vanished(&step.temp)),
            Some(Renamed::Done) => {}
        }
        let seen = self.files.see(&step.temp)?;
        if seen.is(step.before) {
            return Ok(None);
        }
        if self.files.rename_new(&step.temp, &step.raw)? == Renamed::Exists {
            // Somebody wrote the name anew within this moment, which is newer.
            let newer = self.files.see(&step.raw)?.revision();
            self.keep(context, step, newer, &seen)?;
        }
        Ok(Some(conflict(step, &seen)))
    }

    /// Makes a finished operation survive a power cut and says so in the journal.
    pub(crate) fn finish(
        &mut self,
        operation: &Operation,
        start: Start,
        created: &BTreeSet<String>,
    ) -> Result<(), Error> {
        // The content before stands in the journal, so the copies that were swapped out may go.
        self.tidy(operation, start)?;
        self.sync(operation, created)?;
        // Without this line the next writer looks at every file of the operation again and finds it done.
        let done = Record::Done(operation.id.clone());
        self.leaves_rest |= self.journal.append(&[done], Persist::Later).is_err();
        Ok(())
    }

    /// Makes the names in every folder that the operation touches survive a power cut.
    pub(crate) fn sync(
        &self,
        operation: &Operation,
        created: &BTreeSet<String>,
    ) -> Result<(), Error> {
        let touched = operation.steps.iter().map(|step| layout::folder_of(&step.raw));
        let parents = created.iter().map(|folder| layout::folder_of(folder));
        let folders: BTreeSet<&str> = touched.chain(parents).collect();
        folders.into_iter().try_for_each(|folder| self.files.sync_folder(folder))
    }

    /// Removes the temporary files of an operation; one that cannot be removed is left to the next writer.
    ///
    /// Where things went as planned, each was looked at already; otherwise one may hold what only it holds.
    pub(crate) fn tidy(&mut self, operation: &Operation, start: Start) -> Result<(), Error> {
        let context = Context { id: &operation.id, lines: &operation.lines, start };
        for step in &operation.steps {
            for temp in step.temps() {
                if start == Start::Resumed
                    && let seen @ Seen::File(revision, _) = &self.files.see(temp)?
                    && !step.knows(*revision)
                {
                    let found = self.files.see(&step.raw)?.revision();
                    self.keep(context, step, found, seen)?;
                }
                self.leaves_rest |= self.files.remove(temp).is_err();
            }
        }
        Ok(())
    }

    /// Keeps content that cannot stand under its name, where `found` stands, and says so in the journal.
    pub(crate) fn keep(
        &mut self,
        context: Context<'_>,
        step: &Step,
        found: Option<Revision>,
        lost: &Seen,
    ) -> Result<(), Error> {
        let kept = match lost {
            Seen::File(_, bytes) => Some(objects::keep(self.files, bytes)?),
            Seen::Nothing | Seen::Special(_) | Seen::Huge => None,
        };
        self.clashed.insert(step.path.clone());
        let (id, path) = (context.id.clone(), step.path.clone());
        let clash = Clash { id, path, expected: step.before, found, kept };
        self.journal.append(&[Record::Conflict(clash)], Persist::Now)?;
        Ok(())
    }
}

/// Describes what is in the way of a step.
pub(crate) fn conflict(step: &Step, seen: &Seen) -> Conflict {
    Conflict::new(step.path.clone(), step.before, seen.revision(), step.after)
}

/// Says that a temporary file is not as this writer left it, although nobody else has any business with it.
fn vanished(temp: &str) -> Error {
    let missing = std::io::Error::new(
        std::io::ErrorKind::NotFound,
        "a temporary file was taken away or put there by another program",
    );
    Error::io("use", temp, missing)
}

/// Tells whether a step changes the index line by line.
pub(crate) fn is_by_lines(context: Context<'_>, path: &MemPath) -> bool {
    path.is_index() && !context.lines.is_empty()
}
