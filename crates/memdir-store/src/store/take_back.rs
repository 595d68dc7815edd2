//! Undoing what an operation did before it met something that stops it.

use std::collections::BTreeSet;

use crate::{
    Error, Revision,
    disk::{Disk, Exchanged, Persist, Renamed},
    store::{
        commit::{Context, Start},
        files::Seen,
        images,
        journal::{Operation, Position, Record, Replacement, Step},
        session::Session,
    },
};

impl<D: Disk> Session<'_, D> {
    /// Puts every file back as it was where nobody else wrote, and ends the operation.
    pub(crate) fn take_back(&mut self, operation: &Operation, why: &str) -> Result<(), Error> {
        self.retreat_all(operation)?;
        self.journal.append(&[abort(operation, why)], Persist::Later).map(drop)
    }

    /// As [`take_back`](Self::take_back), right after the operation was begun.
    ///
    /// `begin` is where the journal stood before the intent, for a disk that is too full to write that it was taken back.
    pub(crate) fn take_back_to(
        &mut self,
        begin: Position,
        operation: &Operation,
        why: &str,
    ) -> Result<(), Error> {
        self.retreat_all(operation)?;
        match self.journal.append(&[abort(operation, why)], Persist::Later) {
            Ok(_) => Ok(()),
            Err(_) if self.clashed.is_empty() => self.journal.cut_back(begin),
            Err(error) => Err(error),
        }
    }

    fn retreat_all(&mut self, operation: &Operation) -> Result<(), Error> {
        let (id, lines, start) = (&operation.id, &*operation.lines, Start::Resumed);
        let context = Context { id, lines, start };
        for step in operation.steps.iter().rev() {
            self.retreat(context, step)?;
        }
        self.tidy(operation, Start::Resumed)?;
        // Before the line that ends it, as that may survive a power cut which what went before does not.
        self.sync(operation, &BTreeSet::new())
    }

    fn retreat(&mut self, context: Context<'_>, step: &Step) -> Result<(), Error> {
        let here = self.files.see(&step.raw)?;
        let unsettled = self.unsettled(step)?;
        if step.after.is_none() {
            return self.restore_removed(step, &here, unsettled);
        }
        let is_ours = here.revision().is_some_and(|revision| step.made(revision));
        match unsettled {
            Some((temp, _)) if is_ours => self.swap(context, step, &temp)?,
            Some((_, seen)) => self.keep(context, step, here.revision(), &seen)?,
            None if is_ours => match step.displaced() {
                None => self.take_away(context, step)?,
                Some(revision) => {
                    if let Some(temp) = self.waiting(step, revision, &here)? {
                        self.swap(context, step, &temp)?;
                    }
                }
            },
            None => {}
        }
        self.take_out(context, step)
    }

    /// Finds content in a temporary file that the operation does not know: swapped out, and not dealt with.
    fn unsettled(&self, step: &Step) -> Result<Option<(String, Seen)>, Error> {
        for temp in step.temps() {
            let seen = self.files.see(temp)?;
            if let Seen::File(revision, _) = &seen
                && !step.knows(*revision)
            {
                return Ok(Some((temp.to_owned(), seen)));
            }
        }
        Ok(None)
    }

    /// Returns a temporary file that holds the content to put back; writes one if there is none.
    fn waiting(
        &mut self,
        step: &Step,
        revision: Revision,
        here: &Seen,
    ) -> Result<Option<String>, Error> {
        for temp in step.temps() {
            if self.files.see(temp)?.is(Some(revision)) {
                return Ok(Some(temp.to_owned()));
            }
        }
        let bytes = match step.amends.last() {
            Some(amend) => images::load(self.files, &amend.kept, Some(amend.seen))?,
            None => images::before(self.files, step, here)?,
        };
        let Some(bytes) = bytes else { return Ok(None) };
        self.files.remove(&step.temp)?;
        self.files.create(&step.temp, &bytes, Persist::Now)?;
        Ok(Some(step.temp.clone()))
    }

    /// Puts the content of a temporary file in the place of ours; what is newer than ours stays.
    fn swap(&mut self, context: Context<'_>, step: &Step, temp: &str) -> Result<(), Error> {
        let displaced = self.files.see(temp)?;
        match self.files.exchange(temp, &step.raw)? {
            Exchanged::Done => {
                let out = self.files.see(temp)?;
                if out.revision().is_some_and(|revision| step.made(revision)) {
                    return Ok(());
                }
                // Somebody wrote over ours within this moment.
                let (before, after) = (step.result(), displaced.revision());
                let replacement = Replacement { temp, before, after };
                self.put_back(context, step, replacement, Some(&out))?;
                let found = self.files.see(&step.raw)?.revision();
                self.keep(context, step, found, &displaced)
            }
            Exchanged::Absent => Ok(()),
            Exchanged::Unsupported => {
                let here = self.files.see(&step.raw)?;
                if here.revision().is_some_and(|revision| step.made(revision)) {
                    self.files.rename(temp, &step.raw)?;
                }
                Ok(())
            }
        }
    }

    /// Takes away a file that the operation created.
    fn take_away(&mut self, context: Context<'_>, step: &Step) -> Result<(), Error> {
        self.files.remove(&step.temp)?;
        if self.files.rename_away(&step.raw, &step.temp)? != Some(Renamed::Done) {
            return Ok(());
        }
        let out = self.files.see(&step.temp)?;
        if out.revision().is_some_and(|revision| step.made(revision)) {
            return Ok(());
        }
        if self.files.rename_new(&step.temp, &step.raw)? == Renamed::Exists {
            let newer = self.files.see(&step.raw)?.revision();
            self.keep(context, step, newer, &out)?;
        }
        Ok(())
    }

    fn restore_removed(
        &mut self,
        step: &Step,
        here: &Seen,
        unsettled: Option<(String, Seen)>,
    ) -> Result<(), Error> {
        let (Seen::Nothing, Some(before)) = (here, step.before) else { return Ok(()) };
        let temp = match unsettled {
            Some((temp, _)) => Some(temp),
            None => self.waiting(step, before, here)?,
        };
        if let Some(temp) = temp {
            // Where somebody made a new file, that stays; the old content is in the journal.
            self.files.rename_new(&temp, &step.raw)?;
        }
        Ok(())
    }
}

fn abort(operation: &Operation, why: &str) -> Record {
    Record::Abort(operation.id.clone(), why.to_owned())
}
