//! The last revision of each file that the journal records. A file with another one was changed by another program.
//!
//! `heads.json` saves reading the journal from its start, and remembers files whose operations are in segments that were
//! dropped. It is not synced. It names the last operation that it includes and where in the journal that stands; if the
//! journal does not have that operation there, the file is ignored and what the journal holds is read anew.

use std::collections::{BTreeMap, BTreeSet};

use memdir_core::MemPath;
use serde::{Deserialize, Serialize};

use crate::{
    Error, OpId, Revision,
    disk::{Disk, Persist},
    store::{
        files::Files,
        journal::{self, Image, Observed, Operation, Position, Record, Unread},
        layout::{self, HEADS, VERSION, check_version},
        session::Session,
    },
};

/// How far the journal may run ahead of the file before it is written anew, in bytes; or, if that is more, as far as
/// the file is long, so that writing it costs no more than the journal itself.
const LAG_BYTES: u64 = 64 * 1024;

/// The last revision of each file, and the folders that this store made.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    pub(crate) files: BTreeMap<MemPath, Revision>,
    /// Folders that this store made, as the disk spells them, as long as it knows a file in them.
    folders: BTreeSet<String>,
    /// The last operation that the file on the disk knows.
    last: Option<OpId>,
    /// Where the intent of that operation begins, and how long the file is.
    saved: Option<(Position, u64)>,
}

#[derive(Serialize, Deserialize)]
struct File {
    v: u64,
    op: String,
    segment: u64,
    offset: u64,
    files: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    folders: BTreeSet<String>,
}

impl Heads {
    /// Reads the file and what the journal has beyond it, or all of the journal.
    pub(crate) fn read<D: Disk>(files: Files<'_, D>) -> Result<Self, Error> {
        let segments = journal::segments(files)?;
        if let Some(mut heads) = Self::saved(files)?
            && let Some((at, _)) = heads.saved
            && segments.contains(&at.segment)
        {
            let records = journal::records(files, at)?;
            if matches!(records.first(), Some((_, Ok(Record::Intent(first)))) if Some(&first.id) == heads.last.as_ref())
            {
                heads.follow(records.into_iter().map(|(_, record)| record));
                for segment in segments.into_iter().filter(|segment| *segment > at.segment) {
                    heads.follow_segment(files, segment)?;
                }
                return Ok(heads);
            }
        }
        let mut heads = Self::default();
        for segment in segments {
            heads.follow_segment(files, segment)?;
        }
        Ok(heads)
    }

    fn saved<D: Disk>(files: Files<'_, D>) -> Result<Option<Self>, Error> {
        // Without it only files of dropped segments are forgotten.
        let Ok(Some(bytes)) = files.read_own(HEADS) else { return Ok(None) };
        let Ok(file) = serde_json::from_slice::<File>(&bytes) else { return Ok(None) };
        check_version(HEADS, file.v)?;
        let at = Position { segment: file.segment, offset: file.offset };
        // Of files whose operations are in dropped segments only this tells, so one bad entry does not take the rest along.
        let entry = |(path, revision): (String, String)| {
            Some((MemPath::parse(&path).ok()?, revision.parse().ok()?))
        };
        Ok(file.op.parse().ok().map(|id| Self {
            files: file.files.into_iter().filter_map(entry).collect(),
            folders: file.folders,
            last: Some(id),
            saved: Some((at, bytes.len() as u64)),
        }))
    }

    /// Writes the file anew where the journal was rewritten, so that the places in it are other ones.
    pub(crate) fn write_anew<D: Disk>(self, files: Files<'_, D>) -> Result<(), Error> {
        for segment in journal::segments(files)?.into_iter().rev() {
            let records = journal::records(files, Position { segment, offset: 0 })?;
            let last = records.into_iter().rev().find_map(|(at, record)| match record {
                Ok(Record::Intent(operation)) => Some((at, operation.id)),
                Ok(_) | Err(_) => None,
            });
            if let Some((at, id)) = last {
                return self.write(files, &id, at);
            }
        }
        files.remove(HEADS)
    }

    /// Writes the file; `id` is the last operation that is included, and its intent begins at `at`.
    fn write<D: Disk>(self, files: Files<'_, D>, id: &OpId, at: Position) -> Result<(), Error> {
        let text =
            |(path, revision): (&MemPath, &Revision)| (path.to_string(), revision.to_string());
        let file = File {
            v: VERSION,
            op: id.to_string(),
            segment: at.segment,
            offset: at.offset,
            files: self.files.iter().map(text).collect(),
            folders: self.folders,
        };
        let bytes = serde_json::to_vec(&file).expect("numbers and texts are always JSON");
        files.replace_own(HEADS, &bytes, Persist::Later)
    }

    fn follow_segment<D: Disk>(&mut self, files: Files<'_, D>, segment: u64) -> Result<(), Error> {
        let records = journal::records(files, Position { segment, offset: 0 })?;
        self.follow(records.into_iter().map(|(_, record)| record));
        Ok(())
    }

    /// Takes in what happened.
    fn follow(&mut self, records: impl Iterator<Item = Result<Record, Unread>>) {
        let mut open: Option<Operation> = None;
        for record in records {
            match record {
                Ok(Record::Intent(operation)) => open = Some(operation),
                Ok(Record::Amend(id, path, amend)) => {
                    if let Some(operation) = open.as_mut().filter(|open| open.id == id) {
                        operation.amend(&path, amend);
                    }
                }
                Ok(Record::Done(id)) => {
                    if let Some(operation) = open.take().filter(|open| open.id == id) {
                        self.note(&operation);
                    }
                }
                Ok(Record::Abort(..)) => open = None,
                Ok(Record::Observed(observed)) => self.set(observed.path, observed.after),
                Ok(Record::Conflict(_)) | Err(_) => {}
            }
        }
    }

    fn note(&mut self, operation: &Operation) {
        self.folders.extend(operation.folders.iter().cloned());
        for step in &operation.steps {
            self.set(step.path.clone(), step.result());
        }
        if operation.steps.iter().any(|step| step.result().is_none()) {
            let files = &self.files;
            self.folders.retain(|folder| holds_any(files, folder));
        }
    }

    fn set(&mut self, path: MemPath, revision: Option<Revision>) {
        match revision {
            Some(revision) => self.files.insert(path, revision),
            None => self.files.remove(&path),
        };
    }

    /// Tells whether the file on the disk is so far behind that it should be written anew.
    fn is_behind(&self, end: Position) -> bool {
        match self.saved {
            None => end.segment > 1 || end.offset > LAG_BYTES,
            Some((at, len)) => {
                at.segment != end.segment
                    || end.offset.saturating_sub(at.offset) > LAG_BYTES.max(len)
            }
        }
    }
}

/// Tells whether any of these files lies in a folder, or in one below it.
fn holds_any(files: &BTreeMap<MemPath, Revision>, folder: &str) -> bool {
    // The disk may spell it decomposed.
    MemPath::parse(folder).is_ok_and(|folder| {
        let mut from = files.range(folder.clone()..).map(|(path, _)| path.as_str());
        from.find_map(|path| match path.strip_prefix(folder.as_str()) {
            // Names such as `sub-2` and `sub.md` stand before `sub/`.
            Some(rest) => rest.starts_with('/').then_some(true),
            None => Some(false),
        }) == Some(true)
    })
}

impl<D: Disk> Session<'_, D> {
    /// Removes folders that this store made and that are empty now that the operation removed files from them.
    pub(crate) fn drop_folders(&self, heads: &Heads, operation: &Operation) {
        for step in operation.steps.iter().filter(|step| step.result().is_none()) {
            let above = layout::folders_of(&step.raw).filter(|folder| !folder.is_empty());
            for folder in above.take_while(|folder| heads.folders.contains(*folder)) {
                // What is not empty stays, and so does all above it.
                if self.files.remove_folder(folder).is_err() {
                    break;
                }
            }
        }
    }

    /// Returns what others have done to the files of an operation, to be written before it.
    pub(crate) fn observed(
        &self,
        heads: &Heads,
        operation: &Operation,
    ) -> Result<Vec<Observed>, Error> {
        let mut observed = Vec::new();
        for step in &operation.steps {
            let head = heads.files.get(&step.path).copied();
            if head.is_some() && head != step.before {
                observed.push(Observed {
                    id: self.new_id()?,
                    at: operation.at,
                    path: step.path.clone(),
                    before: head,
                    after: step.before,
                    // The operation itself holds it.
                    image: step.before.map_or(Image::NoFile, |_| Image::Object),
                });
            }
        }
        Ok(observed)
    }

    /// Takes an operation in, and writes the file anew if the journal has run far ahead of it.
    pub(crate) fn note_heads(
        &mut self,
        mut heads: Heads,
        operation: &Operation,
        at: Position,
    ) -> Result<(), Error> {
        heads.note(operation);
        if !heads.is_behind(self.journal.end()) {
            return Ok(());
        }
        heads.write(self.files, &operation.id, at)
    }
}
