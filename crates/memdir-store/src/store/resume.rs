//! Going on with an operation whose writer died, by what is found on the disk.
//!
//! Each file holds the content before the operation, the content after it, or something that another program wrote
//! meanwhile. The temporary file tells how far the step came: it holds the new content until the swap, and what was swapped
//! out from then on.

use std::collections::BTreeSet;

use crate::{
    Conflict, Error, Outcome, Recovered, Revision,
    disk::{Disk, Persist, Renamed},
    store::{
        commit::{Context, Found, Start, conflict},
        files::Seen,
        images,
        journal::{Operation, Replacement, Step},
        layout,
        session::Session,
        settle::{Ours, combine},
    },
};

/// What was found of a step: `None`: it has still to be taken; `Some(None)`: it was taken; else the conflict that it met.
type Settled = Option<Option<Conflict>>;

const TAKEN: Settled = Some(None);

impl<D: Disk> Session<'_, D> {
    /// Finishes an operation that a writer left behind, or takes it back where it cannot be finished.
    pub(crate) fn recover(&mut self, mut operation: Operation) -> Result<(), Error> {
        let outcome = if self.is_as_before(&operation)? {
            self.take_back(&operation, "nothing had happened")?;
            Outcome::TakenBack
        } else if let Some(conflict) = self.advance(&mut operation, Start::Resumed)? {
            self.clashed.insert(conflict.path);
            self.take_back(&operation, "conflict")?;
            Outcome::TakenBack
        } else {
            self.finish(&operation, Start::Resumed, &folders_above(&operation))?;
            Outcome::Finished
        };
        let mut recovered = Recovered::new(operation.id, outcome);
        recovered.conflicts = std::mem::take(&mut self.clashed).into_iter().collect();
        self.recovered.push(recovered);
        Ok(())
    }

    /// Tells whether no step was begun, and none can be: a power cut took what was prepared.
    fn is_as_before(&self, operation: &Operation) -> Result<bool, Error> {
        for step in &operation.steps {
            let is_untouched = step.amends.is_empty()
                && self.files.see(&step.raw)?.is(step.before)
                && self.files.kind(&step.temp)?.is_none();
            if !is_untouched {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds out from file and temporary file how far a step came before its writer died.
    pub(crate) fn look_again(
        &mut self,
        context: Context<'_>,
        step: &mut Step,
    ) -> Result<Settled, Error> {
        let Replacement { temp, before, after } = step.replacement();
        let (here, waiting) = (self.files.see(&step.raw)?, self.files.see(temp)?);
        if after.is_none() {
            self.look_at_removal(context, step, &here, &waiting)
        } else if here.is(after) {
            match waiting {
                Seen::File(revision, bytes) if !step.knows(revision) => {
                    self.settle(context, step, (revision, bytes), Found::Displaced).map(Some)
                }
                Seen::Nothing | Seen::File(..) => Ok(TAKEN),
                seen @ (Seen::Special(_) | Seen::Huge) => {
                    self.put_back(context, step, step.replacement(), None)?;
                    Ok(Some(Some(conflict(step, &seen))))
                }
            }
        } else if here.is(before) {
            self.prepare_again(context, step, &here, &waiting)
        } else {
            self.look_at_foreign(context, step, here, &waiting)
        }
    }

    /// Writes the new content beside the file once more, if it is not there.
    fn prepare_again(
        &mut self,
        context: Context<'_>,
        step: &Step,
        here: &Seen,
        waiting: &Seen,
    ) -> Result<Settled, Error> {
        let Replacement { temp, after, .. } = step.replacement();
        if waiting.is(after) {
            return Ok(None);
        }
        let bytes = images::result(self.files, step, here)?;
        let (Some(bytes), Seen::Nothing | Seen::File(..)) = (bytes, waiting) else {
            return Ok(Some(Some(conflict(step, here))));
        };
        self.clear(context, step, temp, here, waiting)?;
        self.make_folders(&step.raw, &mut BTreeSet::new())?;
        self.files.create(temp, &bytes, Persist::Now)?;
        Ok(None)
    }

    /// Somebody else wrote the file, before or after our turn.
    fn look_at_foreign(
        &mut self,
        context: Context<'_>,
        step: &mut Step,
        here: Seen,
        waiting: &Seen,
    ) -> Result<Settled, Error> {
        let Replacement { after, .. } = step.replacement();
        match waiting {
            // Ours was not there yet: the swap shows what theirs is.
            waiting if waiting.is(after) => return Ok(None),
            // Ours was there, and theirs came after it.
            Seen::File(revision, _) if step.knows(*revision) => return Ok(TAKEN),
            Seen::File(..) => {
                self.keep(context, step, here.revision(), waiting)?;
                return Ok(TAKEN);
            }
            Seen::Special(_) | Seen::Huge => return Ok(TAKEN),
            Seen::Nothing => {}
        }
        // Either the operation was complete before they wrote, or a power cut took the temporary file. Putting ours
        // into theirs is right in both cases: what is in already changes nothing.
        let base = images::before(self.files, step, &Seen::Nothing)?;
        let wanted = images::result(self.files, step, &Seen::Nothing)?;
        if let Seen::File(revision, bytes) = here {
            let (base, wanted) = (base.as_deref(), wanted.as_deref());
            match combine(context, step, base, &bytes, wanted, Ours::Perhaps) {
                Some(merged) if merged == bytes => return Ok(TAKEN),
                Some(_) => {
                    return self.settle(context, step, (revision, bytes), Found::InPlace).map(Some);
                }
                None => {}
            }
            let here = Some(revision);
            self.keep_ours(context, step, here, wanted)?;
        } else {
            self.keep_ours(context, step, here.revision(), wanted.as_deref())?;
        }
        Ok(TAKEN)
    }

    /// Keeps our content in the journal, where theirs stays in the file.
    fn keep_ours(
        &mut self,
        context: Context<'_>,
        step: &Step,
        here: Option<Revision>,
        ours: Option<&[u8]>,
    ) -> Result<(), Error> {
        let ours = match (ours, step.result()) {
            (Some(bytes), Some(revision)) => Seen::File(revision, bytes.to_vec()),
            _ => Seen::Nothing,
        };
        self.keep(context, step, here, &ours)
    }

    fn look_at_removal(
        &mut self,
        context: Context<'_>,
        step: &Step,
        here: &Seen,
        waiting: &Seen,
    ) -> Result<Settled, Error> {
        let temp = &step.temp;
        match (here, waiting) {
            (Seen::Nothing, waiting) if *waiting == Seen::Nothing || waiting.is(step.before) => {
                Ok(TAKEN)
            }
            // What was moved out is not what was to be removed.
            (Seen::Nothing, _) => {
                if self.files.rename_new(temp, &step.raw)? == Renamed::Exists {
                    let newer = self.files.see(&step.raw)?.revision();
                    self.keep(context, step, newer, waiting)?;
                }
                Ok(Some(Some(conflict(step, waiting))))
            }
            (here, _) if here.is(step.before) => {
                self.clear(context, step, temp, here, waiting)?;
                Ok(None)
            }
            // It was removed, and somebody made a new one.
            (_, waiting) if waiting.is(step.before) => Ok(TAKEN),
            // Somebody wrote it before or after; either way theirs is not what was to be removed.
            (here, waiting) => {
                self.keep(context, step, here.revision(), waiting)?;
                Ok(TAKEN)
            }
        }
    }

    /// Frees a temporary name; what only it holds is kept.
    fn clear(
        &mut self,
        context: Context<'_>,
        step: &Step,
        temp: &str,
        here: &Seen,
        waiting: &Seen,
    ) -> Result<(), Error> {
        match waiting {
            Seen::Nothing => return Ok(()),
            Seen::File(revision, _) if step.knows(*revision) => {}
            Seen::File(..) | Seen::Special(_) | Seen::Huge => {
                self.keep(context, step, here.revision(), waiting)?;
            }
        }
        self.files.remove(temp)
    }
}

/// The folders that may have been created for an operation.
fn folders_above(operation: &Operation) -> BTreeSet<String> {
    let raws = operation.steps.iter().map(|step| &*step.raw);
    let folders = raws.flat_map(layout::folders_of);
    folders.filter(|folder| !folder.is_empty()).map(str::to_owned).collect()
}
