//! Forgetting for good: taking the content of a file out of the journal.

use std::collections::BTreeSet;

use memdir_core::{MemPath, index};

use crate::{
    ApplyError, Attribution, Error, Refusal, Revision,
    disk::{Disk, Persist},
    store::{
        Store,
        files::Seen,
        images,
        journal::{self, Image, Images, Journal, Operation, Position, Record, Step},
        layout::{HEADS, JOURNAL},
        objects,
        retention::objects_of,
        session::Session,
    },
};

impl<D: Disk> Store<D> {
    /// Takes out of the journal what a file ever held and what the index ever said of it; the file itself is not touched.
    ///
    /// That, when and by whom it was changed stays. Operations on it cannot be undone any more. Only a person may do so.
    /// Returns the number of lines of the journal that held something.
    ///
    /// # Errors
    ///
    /// [`ApplyError::Refused`] for an agent, else when the journal cannot be read or written.
    pub fn purge(&self, path: &MemPath, by: &Attribution) -> Result<usize, ApplyError> {
        if !by.actor.is_person() {
            let refusal = Refusal::PersonOnly;
            return Err(ApplyError::Refused { path: path.clone(), refusal });
        }
        self.session("purge", |session| Ok(session.purge(path)?))
    }
}

impl<D: Disk> Session<'_, D> {
    fn purge(&mut self, path: &MemPath) -> Result<usize, Error> {
        let (mut purged, mut needed) = (BTreeSet::new(), BTreeSet::new());
        let mut count = 0;
        for segment in journal::segments(self.files)? {
            let mut text = String::new();
            let mut changed = 0;
            for (_, record) in journal::records(self.files, Position { segment, offset: 0 })? {
                // What cannot be read may hold anything, so it does not stay either.
                let Ok(mut record) = record else {
                    changed += 1;
                    continue;
                };
                let before = objects_of(&record);
                let held = self.blank(&mut record, path)?;
                let after = objects_of(&record);
                changed += usize::from(held.is_some());
                purged.extend(held.into_iter().flatten());
                purged.extend(before.into_iter().filter(|object| !after.contains(object)));
                needed.extend(after.into_iter().filter(|object| !purged.contains(object)));
                text.push_str(&record.to_line());
            }
            if changed > 0 {
                let file = journal::path(segment);
                self.files.replace_own(&file, text.as_bytes(), Persist::Now)?;
                count += changed;
            }
        }
        for object in purged.difference(&needed) {
            objects::remove(self.files, *object)?;
        }
        // It goes by places in the journal, which are other ones now.
        self.files.remove(HEADS)?;
        self.files.sync_folder(JOURNAL)?;
        self.journal = Journal::open(self.files)?;
        Ok(count)
    }

    /// Blanks what a line holds of a file; returns the revisions that it held, `None` if it held nothing.
    fn blank(&self, record: &mut Record, path: &MemPath) -> Result<Option<Vec<Revision>>, Error> {
        Ok(match record {
            Record::Intent(operation) => self.blank_operation(operation, path)?,
            Record::Amend(_, of, amend) if of == path => {
                (amend.merged, amend.kept) = (Image::Object, Image::Object);
                Some(vec![amend.after, amend.seen])
            }
            Record::Observed(observed) if observed.path == *path => {
                observed.image = observed.after.map_or(Image::NoFile, |_| Image::Object);
                Some(observed.before.into_iter().chain(observed.after).collect())
            }
            Record::Conflict(clash) if clash.path == *path => clash.kept.map(|kept| vec![kept]),
            Record::Amend(_, of, amend) if of.is_index() => {
                let holds = [&amend.merged, &amend.kept]
                    .into_iter()
                    .any(|image| matches!(image, Image::Bytes(bytes) if mentions(bytes, path)));
                holds.then(|| {
                    (amend.merged, amend.kept) = (Image::Object, Image::Object);
                    Vec::new()
                })
            }
            _ => None,
        })
    }

    fn blank_operation(
        &self,
        operation: &mut Operation,
        path: &MemPath,
    ) -> Result<Option<Vec<Revision>>, Error> {
        let mut held = None;
        let lines = operation.lines.len();
        operation.lines.retain(|line| line.path != *path);
        if operation.lines.len() < lines {
            held = Some(Vec::new());
        }
        for step in &mut operation.steps {
            if step.path == *path {
                let revisions = step.before.into_iter().chain(step.after);
                held.get_or_insert_default().extend(revisions);
            } else if step.path.is_index() && self.index_mentions(step, path)? {
                held.get_or_insert_default();
            } else {
                continue;
            }
            let blank =
                |revision: Option<Revision>| revision.map_or(Image::NoFile, |_| Image::Object);
            let (before, after) = (blank(step.before), blank(step.after));
            step.images = Images { before, after, delta: None };
        }
        Ok(held)
    }

    fn index_mentions(&self, step: &Step, path: &MemPath) -> Result<bool, Error> {
        let Some(delta) = &step.images.delta else {
            let before = images::before(self.files, step, &Seen::Nothing)?;
            let after = images::after(self.files, step, &Seen::Nothing)?;
            return Ok([before, after].iter().flatten().any(|bytes| mentions(bytes, path)));
        };
        Ok(delta.texts().into_iter().any(|text| mentions(text.as_bytes(), path)))
    }
}

/// Tells whether an index, or a piece of one, has something on a memory.
fn mentions(index: &[u8], path: &MemPath) -> bool {
    let text = String::from_utf8_lossy(index);
    let points = |pointer: index::Pointer<'_>| pointer.path().as_ref() == Some(path);
    let is_pointer = index::lines(&text).filter_map(|line| line.pointer).any(points);
    // A delta can begin or end within a line.
    is_pointer || text.contains(path.file_name())
}
