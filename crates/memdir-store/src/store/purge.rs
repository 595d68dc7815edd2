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
        journal::{self, Image, Images, Journal, Operation, Position, Record, Step, Unread},
        layout::{HEADS, JOURNAL},
        objects,
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
        let mut purged = BTreeSet::new();
        let mut count = 0;
        for segment in journal::segments(self.files)? {
            let mut text = String::new();
            let mut changed = 0;
            for (_, record) in journal::records(self.files, Position { segment, offset: 0 })? {
                let mut record = match record {
                    Ok(record) => record,
                    Err(Unread::Newer(version)) => {
                        return Err(Error::NewerFormat { path: journal::path(segment), version });
                    }
                    // A torn line may hold anything, so it does not stay either.
                    Err(Unread::Garbage) => {
                        changed += 1;
                        continue;
                    }
                };
                let old = record.clone();
                purged.extend(self.blank(&mut record, path)?);
                changed += usize::from(record != old);
                text.push_str(&record.to_line());
            }
            if changed > 0 {
                let file = journal::path(segment);
                self.files.replace_own(&file, text.as_bytes(), Persist::Now)?;
                count += changed;
            }
        }
        // Another file may have held the very same; then that cannot be undone any more either.
        for object in purged {
            objects::remove(self.files, object)?;
        }
        // It goes by places in the journal, which are other ones now.
        self.files.remove(HEADS)?;
        self.files.sync_folder(JOURNAL)?;
        self.journal = Journal::open(self.files)?;
        Ok(count)
    }

    /// Blanks what a line holds of a file; returns the revisions that it speaks of.
    fn blank(&self, record: &mut Record, path: &MemPath) -> Result<Vec<Revision>, Error> {
        Ok(match record {
            Record::Intent(operation) => self.blank_operation(operation, path)?,
            Record::Amend(_, of, amend) if of == path => {
                (amend.merged, amend.kept) = (Image::Object, Image::Object);
                vec![amend.after, amend.seen]
            }
            Record::Observed(observed) if observed.path == *path => {
                observed.image = observed.after.map_or(Image::NoFile, |_| Image::Object);
                observed.before.into_iter().chain(observed.after).collect()
            }
            Record::Conflict(clash) if clash.path == *path => clash.kept.into_iter().collect(),
            Record::Amend(_, of, amend) if of.is_index() => {
                let holds =
                    |image: &Image| matches!(image, Image::Bytes(bytes) if mentions(bytes, path));
                if !holds(&amend.merged) && !holds(&amend.kept) {
                    return Ok(Vec::new());
                }
                (amend.merged, amend.kept) = (Image::Object, Image::Object);
                vec![amend.after, amend.seen]
            }
            _ => Vec::new(),
        })
    }

    fn blank_operation(
        &self,
        operation: &mut Operation,
        path: &MemPath,
    ) -> Result<Vec<Revision>, Error> {
        let lines = operation.lines.len();
        operation.lines.retain(|line| line.path != *path);
        let had_line = operation.lines.len() < lines;
        let mut revisions = Vec::new();
        for step in &mut operation.steps {
            // What differs of a line need not have the name in it, so a line counts whatever the difference says.
            let is_index = step.path.is_index() && (had_line || self.index_mentions(step, path)?);
            if step.path != *path && !is_index {
                continue;
            }
            revisions.extend(step.before.into_iter().chain(step.after));
            let blank =
                |revision: Option<Revision>| revision.map_or(Image::NoFile, |_| Image::Object);
            let (before, after) = (blank(step.before), blank(step.after));
            step.images = Images { before, after, delta: None };
        }
        Ok(revisions)
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
