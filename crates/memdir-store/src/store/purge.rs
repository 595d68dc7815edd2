//! Forgetting for good: taking the content of a file out of the journal.

use std::collections::{BTreeMap, BTreeSet};

use memdir_core::{MemPath, index};

use crate::{
    ApplyError, Attribution, Error, Refusal, Revision,
    disk::{Disk, Persist},
    store::{
        Store,
        files::Seen,
        heads::Heads,
        images,
        journal::{
            self, Image, Images, Journal, Observed, Operation, Position, Record, Step, Unread,
        },
        layout::JOURNAL,
        locate::{self, Place},
        objects, retention,
        session::Session,
    },
};

/// What was taken out of the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Purged {
    /// Lines of the journal that held texts of the memory or of its line in the index, or a reason.
    pub records: usize,
    /// Reasons among that: of each operation that changed the memory or its line.
    pub reasons: usize,
    /// Contents that were kept as files of their own.
    pub objects: usize,
    /// Torn lines, which went whole, as they may have held anything.
    pub torn_lines: usize,
    /// Paths that the memory had before another program renamed it, in order; what was held of these went too and is counted.
    pub former: Vec<MemPath>,
}

impl Purged {
    /// Tells whether nothing was left to take out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl<D: Disk> Store<D> {
    /// Takes out of the journal what a file ever held and what the index ever said of it; the file itself is not touched.
    ///
    /// That, when and by whom it was changed stays; why goes too, as a reason may quote what it is about. Operations on it
    /// cannot be undone any more. A path at which there is no file any more, though none was removed through this store, and
    /// whose last text the memory held at some time, is one that it had before it was renamed; what is held of that goes
    /// too. Only a person may do so.
    ///
    /// # Errors
    ///
    /// [`ApplyError::Refused`] for an agent, else when the journal cannot be read or written.
    pub fn purge(&self, path: &MemPath, by: &Attribution) -> Result<Purged, ApplyError> {
        if !by.actor.is_person() {
            let refusal = Refusal::PersonOnly;
            return Err(ApplyError::Refused { path: path.clone(), refusal });
        }
        self.session("purge", |session| Ok(session.purge(path)?))
    }
}

impl<D: Disk> Session<'_, D> {
    fn purge(&mut self, path: &MemPath) -> Result<Purged, Error> {
        let former = self.former_paths(path)?;
        let mut purged = Purged { former, ..Purged::default() };
        let mut revisions = BTreeSet::new();
        let paths: Vec<_> = [path].into_iter().chain(&purged.former).cloned().collect();
        self.note_removed(&paths)?;
        let heads = Heads::read(self.files)?;
        for segment in journal::segments(self.files)? {
            let known = purged.clone();
            let text = self.blank_segment(segment, &paths, &mut purged, &mut revisions)?;
            if purged != known {
                self.files.replace_own(&journal::path(segment), text.as_bytes(), Persist::Now)?;
            }
        }
        let objects = retention::object_sizes(self.files)?.into_keys();
        // Another file may have held the very same; then that cannot be undone any more either.
        for object in objects.filter(|object| revisions.contains(object)) {
            objects::remove(self.files, object)?;
            purged.objects += 1;
        }
        heads.write_anew(self.files)?;
        self.files.sync_folder(JOURNAL)?;
        self.journal = Journal::open(self.files)?;
        Ok(purged)
    }

    /// Finds the paths that a file had before another program renamed it, perhaps several times.
    fn former_paths(&self, path: &MemPath) -> Result<Vec<MemPath>, Error> {
        let heads = Heads::read(self.files)?;
        let held = self.revisions_held()?;
        let nothing = Revision::of(b"");
        let mut texts = held.get(path).cloned().unwrap_or_default();
        let mut former = BTreeSet::new();
        loop {
            let known = former.len();
            for (other, head) in &heads.files {
                // Empty files are alike without having to do with one another.
                let is_same = *head != nothing && texts.contains(head);
                let is_other = other != path && !other.is_index() && !former.contains(other);
                if is_same && is_other && self.is_free(other)? {
                    texts.extend(held.get(other).into_iter().flatten());
                    former.insert(other.clone());
                }
            }
            if former.len() == known {
                return Ok(former.into_iter().collect());
            }
        }
    }

    /// Returns what the journal says each file held at some time.
    fn revisions_held(&self) -> Result<BTreeMap<MemPath, BTreeSet<Revision>>, Error> {
        let mut held: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for segment in journal::segments(self.files)? {
            for (_, record) in journal::records(self.files, Position { segment, offset: 0 })? {
                match record {
                    Ok(Record::Intent(operation)) => {
                        for step in operation.steps {
                            let revisions = step.before.into_iter().chain(step.after);
                            held.entry(step.path).or_default().extend(revisions);
                        }
                    }
                    Ok(Record::Amend(_, path, amend)) => {
                        held.entry(path).or_default().extend([amend.after, amend.seen]);
                    }
                    Ok(Record::Observed(observed)) => {
                        let revisions = observed.before.into_iter().chain(observed.after);
                        held.entry(observed.path).or_default().extend(revisions);
                    }
                    Ok(Record::Done(_) | Record::Abort(..) | Record::Conflict(_)) | Err(_) => {}
                }
            }
        }
        Ok(held)
    }

    /// Writes down that files are gone which another program removed; else that would be told as news for good.
    fn note_removed(&mut self, paths: &[MemPath]) -> Result<(), Error> {
        let heads = Heads::read(self.files)?;
        let mut gone = Vec::new();
        for path in paths {
            if let Some(head) = heads.files.get(path).copied()
                && self.is_free(path)?
            {
                gone.push(Record::Observed(Observed {
                    id: self.new_id()?,
                    at: self.options.clock.now(),
                    path: path.clone(),
                    before: Some(head),
                    after: None,
                    image: Image::NoFile,
                }));
            }
        }
        if !gone.is_empty() {
            self.journal.append(&gone, Persist::Now)?;
        }
        Ok(())
    }

    fn is_free(&self, path: &MemPath) -> Result<bool, Error> {
        Ok(matches!(locate::locate(self.files, path)?, Place::Free(_) | Place::Twin(_)))
    }

    /// Returns a segment without what it holds of files, and notes the revisions that it speaks of.
    fn blank_segment(
        &self,
        segment: u64,
        paths: &[MemPath],
        purged: &mut Purged,
        revisions: &mut BTreeSet<Revision>,
    ) -> Result<String, Error> {
        let mut text = String::new();
        for (_, record) in journal::records(self.files, Position { segment, offset: 0 })? {
            let mut record = match record {
                Ok(record) => record,
                Err(Unread::Newer(version)) => {
                    return Err(Error::NewerFormat { path: journal::path(segment), version });
                }
                // A torn line may hold anything, so it does not stay either.
                Err(Unread::Garbage) => {
                    purged.torn_lines += 1;
                    continue;
                }
            };
            let old = record.clone();
            for path in paths {
                revisions.extend(self.blank(&mut record, path)?);
            }
            purged.records += usize::from(record != old);
            purged.reasons += usize::from(reason(&record) != reason(&old));
            text.push_str(&record.to_line());
        }
        Ok(text)
    }

    /// Blanks what a line holds of a file; returns the revisions that it speaks of.
    fn blank(&self, record: &mut Record, path: &MemPath) -> Result<Vec<Revision>, Error> {
        Ok(match record {
            Record::Intent(operation) => self.blank_operation(operation, path)?,
            Record::Amend(_, of, amend) => {
                let sides = [(&amend.merged, amend.after), (&amend.kept, amend.seen)];
                if of != path && !(of.is_index() && self.any_mentions(sides, path)?) {
                    return Ok(Vec::new());
                }
                (amend.merged, amend.kept) = (Image::Object, Image::Object);
                vec![amend.after, amend.seen]
            }
            Record::Observed(observed) => {
                let found = observed.after.map(|after| (&observed.image, after));
                let is_index = observed.path.is_index();
                if observed.path != *path && !(is_index && self.any_mentions(found, path)?) {
                    return Ok(Vec::new());
                }
                observed.image = observed.after.map_or(Image::NoFile, |_| Image::Object);
                observed.before.into_iter().chain(observed.after).collect()
            }
            Record::Conflict(clash) => {
                let kept = clash.kept.map(|kept| (&Image::Object, kept));
                if clash.path != *path
                    && !(clash.path.is_index() && self.any_mentions(kept, path)?)
                {
                    return Ok(Vec::new());
                }
                clash.kept.into_iter().collect()
            }
            Record::Done(_) | Record::Abort(..) => Vec::new(),
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
        if had_line || operation.steps.iter().any(|step| step.path == *path) {
            operation.by.reason = None;
        }
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

    fn any_mentions<'i>(
        &self,
        indexes: impl IntoIterator<Item = (&'i Image, Revision)>,
        path: &MemPath,
    ) -> Result<bool, Error> {
        for (image, revision) in indexes {
            let bytes = images::load(self.files, image, Some(revision))?;
            if bytes.is_some_and(|bytes| mentions(&bytes, path)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn reason(record: &Record) -> Option<&str> {
    match record {
        Record::Intent(operation) => operation.by.reason.as_deref(),
        Record::Amend(..)
        | Record::Done(_)
        | Record::Abort(..)
        | Record::Conflict(_)
        | Record::Observed(_) => None,
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
