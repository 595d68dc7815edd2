//! Applying a batch: write ahead, commit, carry out.

use std::collections::BTreeSet;

use crate::{
    Action, ApplyError, Attribution, Batch, Changed, Error, FileKind, IndexChanged, LineChanged,
    OpId, Receipt,
    disk::{Disk, Persist},
    store::{
        Store,
        commit::Start,
        heads::Heads,
        journal::{Image, Images, Observed, Operation, Position, Record, Step},
        layout, objects,
        plan::Plan,
        session::Session,
    },
};

impl<D: Disk> Session<'_, D> {
    /// Does everything in the batch, or nothing.
    pub(crate) fn apply(&mut self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        let plan = self.files.plan(batch, by)?;
        let at = self.options.clock.now();
        let mut operation = Operation::new(self.new_id()?, at, batch.kind().clone(), by.clone());
        operation.undoes = batch.undoes().to_vec();
        operation.undoes_part = batch.undoes_part().to_vec();
        if plan.files.iter().any(|touched| touched.is_by_lines() && touched.changes()) {
            operation.lines = changed_lines(&plan.lines);
        }
        for touched in plan.files.iter().filter(|touched| touched.changes()) {
            operation.steps.push(touched.step(self.files.temp_beside(&touched.raw)?));
        }
        // What others rely on comes first and goes last: memories, then the index that names them, then removals.
        operation.steps.sort_by_key(|step| (step.after.is_none(), step.path.is_index()));

        let mut observed = Vec::new();
        if !operation.steps.is_empty() {
            let is_new_segment = self.journal.rotate(self.options.segment_bytes);
            let heads = Heads::read(self.files)?;
            observed = self.observed(&heads, &operation)?;
            let begin = self.journal.end();
            let (at, created) = self.write_ahead(&mut operation, &plan, &observed)?;
            self.carry_out(&mut operation, begin, &created)?;
            self.drop_folders(&heads, &operation);
            // The operation stands; what saves work later may fail and be tried again later.
            self.leaves_rest |= self.note_heads(heads, &operation, at).is_err();
            if is_new_segment {
                self.leaves_rest |= self.drop_old().is_err();
            }
        }
        let mut receipt = receipt(&operation, &plan, !batch.index_ops().is_empty());
        receipt.recovered = std::mem::take(&mut self.recovered);
        receipt.observed = observed.into_iter().map(|observed| observed.path).collect();
        Ok(receipt)
    }

    pub(crate) fn new_id(&self) -> Result<OpId, Error> {
        Ok(OpId::new(self.options.clock.now(), self.files.random()?))
    }

    /// Writes everything that finishing or taking back will need, ending with the intent, which makes it count.
    ///
    /// Returns where that is, and the folders that had to be created.
    fn write_ahead(
        &mut self,
        operation: &mut Operation,
        plan: &Plan,
        observed: &[Observed],
    ) -> Result<(Position, BTreeSet<String>), Error> {
        let mut created = BTreeSet::new();
        let written = self.prepare(operation, plan, &mut created).and_then(|()| {
            operation.folders.extend(created.iter().cloned());
            let observed = observed.iter().cloned().map(Record::Observed);
            let records: Vec<_> = observed.chain([Record::Intent(operation.clone())]).collect();
            self.journal.append(&records, Persist::Now)
        });
        match written {
            Ok(at) => Ok((at, created)),
            Err(error) => {
                self.clean_up(operation, &created);
                self.leaves_rest = true;
                Err(error)
            }
        }
    }

    fn prepare(
        &self,
        operation: &Operation,
        plan: &Plan,
        created: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        for step in &operation.steps {
            let Images { before, after, delta } = &step.images;
            if delta.is_none() {
                for image in [before, after].into_iter().filter(|image| !image.is_inline()) {
                    if let Image::Bytes(bytes) = image {
                        objects::keep(self.files, bytes)?;
                    }
                }
            }
            let touched = plan.files.iter().find(|touched| touched.path == step.path);
            if let Some(now) = touched.and_then(|touched| touched.now.as_deref()) {
                self.make_folders(&step.raw, created)?;
                self.files.create(&step.temp, now, Persist::Now)?;
            }
        }
        Ok(())
    }

    /// Creates the folders that a file needs.
    pub(crate) fn make_folders(
        &self,
        raw: &str,
        created: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        let mut folders: Vec<&str> = layout::folders_of(raw).filter(|f| !f.is_empty()).collect();
        folders.reverse();
        for folder in folders {
            if self.files.kind(folder)? != Some(FileKind::Folder) {
                self.files.create_folder(folder)?;
                created.insert(folder.to_owned());
            }
        }
        Ok(())
    }

    /// Carries out an operation that counts, or takes it back.
    fn carry_out(
        &mut self,
        operation: &mut Operation,
        begin: Position,
        created: &BTreeSet<String>,
    ) -> Result<(), ApplyError> {
        match self.advance(operation, Start::Fresh) {
            Ok(None) => Ok(self.finish(operation, Start::Fresh, created)?),
            Ok(Some(conflict)) => {
                self.take_back_to(begin, operation, "conflict")?;
                self.clean_up(operation, created);
                Err(ApplyError::Conflict(vec![conflict]))
            }
            Err(error) => {
                // If this fails too, the next writer finishes the operation from the journal.
                if self.take_back_to(begin, operation, "error").is_ok() {
                    self.clean_up(operation, created);
                }
                self.leaves_rest = true;
                Err(error.into())
            }
        }
    }

    /// Removes temporary files and new folders of an operation that does not happen, as far as that can be done.
    fn clean_up(&mut self, operation: &Operation, created: &BTreeSet<String>) {
        for temp in operation.steps.iter().flat_map(Step::temps) {
            self.leaves_rest |= self.files.remove(temp).is_err();
        }
        for folder in created.iter().rev() {
            // Somebody else may have put something there by now; then it stays, and that is right.
            drop(self.files.remove_folder(folder));
        }
    }
}

impl<D: Disk> Store<D> {
    /// Works out what applying a batch would do to the directory as it is now. The operation never comes to be.
    pub(crate) fn foresee(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        let files = self.files();
        let plan = files.plan(batch, by)?;
        let at = self.options.clock.now();
        let id = OpId::new(at, files.random()?);
        let operation = Operation::new(id, at, batch.kind().clone(), by.clone());
        Ok(receipt(&operation, &plan, !batch.index_ops().is_empty()))
    }
}

/// The lines that were changed; an operation that changed nothing is not one to repeat or undo.
fn changed_lines(lines: &[LineChanged]) -> Vec<LineChanged> {
    lines.iter().filter(|line| line.before != line.after).cloned().collect()
}

fn receipt(operation: &Operation, plan: &Plan, has_index_ops: bool) -> Receipt {
    let mut receipt = Receipt::new(operation.id.clone());
    for touched in &plan.files {
        let step = operation.steps.iter().find(|step| step.path == touched.path);
        let (before, planned) = (touched.before(), touched.after());
        let after = step.map_or(planned, Step::result);
        let merged = step.is_some_and(|step| !step.amends.is_empty());
        if has_index_ops && touched.path.is_index() {
            let mut index = IndexChanged::new(before, after, plan.lines.clone());
            index.merged = merged;
            receipt.index = Some(index);
        }
        if !touched.is_by_lines() {
            let len = touched.now.as_ref().map_or(0, Vec::len) as u64;
            let bytes = step.and_then(Step::merged_len).unwrap_or(len);
            let mut changed = Changed::new(touched.path.clone(), before, after, bytes);
            changed.merged = merged;
            receipt.changes.push(changed);
        }
    }
    debug_assert!(
        receipt.changes.iter().all(|c| c.action != Action::Unchanged || c.before == c.after)
    );
    receipt
}
