//! What a batch comes to on the directory as it is: decided before anything is written.

use std::collections::BTreeMap;

use memdir_core::{MemPath, frontmatter, index::Editor};

use crate::{
    ApplyError, Attribution, Batch, Change, Conflict, Edit, Error, Expect, FileKind, IndexOp,
    LineChanged, Refusal, Revision,
    disk::Disk,
    limits, merge,
    store::{
        content,
        files::{Files, Seen},
        journal::{Delta, Image, Images, Step},
        locate::{self, Place},
    },
};

/// A batch, worked out.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Every file that the batch names, in the order of first mention; the index last, unless named before.
    pub(crate) files: Vec<Touched>,
    /// What the index operations came to.
    pub(crate) lines: Vec<LineChanged>,
}

/// A file that a batch names.
#[derive(Debug)]
pub(crate) struct Touched {
    pub(crate) path: MemPath,
    /// The path as the disk spells it.
    pub(crate) raw: String,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) now: Option<Vec<u8>>,
    /// How it is changed.
    how: How,
    twin: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Only its lines are, as an index.
    Lines,
    /// Something is added at its end, and nothing else.
    Appended,
    /// In any other way.
    Whole,
}

impl Touched {
    pub(crate) fn before(&self) -> Option<Revision> {
        self.before.as_deref().map(Revision::of)
    }

    pub(crate) fn after(&self) -> Option<Revision> {
        self.now.as_deref().map(Revision::of)
    }

    pub(crate) fn changes(&self) -> bool {
        self.before != self.now
    }

    /// Tells whether only lines of this index change, so that others' changes of it can be kept beside them.
    pub(crate) fn is_by_lines(&self) -> bool {
        self.how == How::Lines
    }

    /// Returns the step that makes the change.
    pub(crate) fn step(&self, temp: String) -> Step {
        let delta = match self.how {
            How::Whole => None,
            How::Appended | How::Lines => {
                let (before, now) = (self.before.as_deref(), self.now.as_deref());
                Delta::between(before.unwrap_or_default(), now.unwrap_or_default())
            }
        };
        let images = Images {
            before: Image::of(self.before.as_deref()),
            after: Image::of(self.now.as_deref()),
            delta: delta.filter(|delta| delta.size() <= limits::INLINE_IMAGE_BYTES),
        };
        Step {
            path: self.path.clone(),
            raw: self.raw.clone(),
            temp,
            before: self.before(),
            after: self.after(),
            images,
            amends: Vec::new(),
        }
    }
}

impl<D: Disk> Files<'_, D> {
    /// Works out a batch; writes nothing.
    pub(crate) fn plan(self, batch: &Batch, by: &Attribution) -> Result<Plan, ApplyError> {
        let mut plan = Plan { files: Vec::new(), lines: Vec::new() };
        let mut conflicts = Vec::new();
        for change in batch.changes() {
            let touched = self.touch(&mut plan.files, &change.path, How::Whole)?;
            if let Some(conflict) = unexpected(touched, change) {
                conflicts.push(self.with_merge(conflict, touched, change)?);
                continue;
            }
            change_one(touched, &change.edit);
        }
        if !conflicts.is_empty() {
            return Err(ApplyError::Conflict(conflicts));
        }
        if !batch.index_ops().is_empty() {
            let touched = self.touch(&mut plan.files, &MemPath::index(), How::Lines)?;
            plan.lines = change_lines(touched, batch.index_ops())?;
        }
        check(&plan.files, by)?;
        Ok(plan)
    }

    /// Finds a file among those touched already, or on the disk.
    fn touch<'p>(
        self,
        files: &'p mut Vec<Touched>,
        path: &MemPath,
        how: How,
    ) -> Result<&'p mut Touched, ApplyError> {
        let known = files.iter().position(|touched| touched.path == *path);
        let at = known.unwrap_or(files.len());
        if known.is_none() {
            files.push(self.load(path, how)?);
        }
        Ok(files.get_mut(at).expect("it was found or added"))
    }

    fn load(self, path: &MemPath, how: How) -> Result<Touched, ApplyError> {
        let refused = |refusal| ApplyError::Refused { path: path.clone(), refusal };
        let special = |kind| match kind {
            FileKind::Link => refused(Refusal::Link),
            kind => refused(Refusal::NotAFile(kind)),
        };
        let (raw, twin) = match locate::locate(self, path)? {
            Place::Here(raw, FileKind::File) | Place::Free(raw) => (raw, None),
            Place::Here(_, kind) => return Err(special(kind)),
            Place::Twin(existing) => (path.to_string(), Some(existing)),
            Place::Blocked(FileKind::Link) => return Err(refused(Refusal::Link)),
            Place::Blocked(_) => return Err(refused(Refusal::NotInAFolder)),
        };
        let before = match self.see(&raw)? {
            // On a file system that takes both for one, the twin is found under either name.
            _ if twin.is_some() => None,
            Seen::Nothing => None,
            Seen::File(_, bytes) => Some(bytes),
            Seen::Special(kind) => return Err(special(kind)),
            Seen::Huge => return Err(too_large(path).into()),
        };
        Ok(Touched { path: path.clone(), raw, now: before.clone(), before, how, twin })
    }

    /// Adds to a conflict what both sides come to together, if the content that the change was made for is known.
    fn with_merge(
        self,
        mut conflict: Conflict,
        touched: &Touched,
        change: &Change,
    ) -> Result<Conflict, Error> {
        if let (Some(expected), Some(found), Edit::Put(wanted)) =
            (conflict.expected, &touched.now, &change.edit)
            && let Some(base) = content::find(self, &change.path, expected)?
        {
            conflict.merge = Some(merge::three_way(&base, found, wanted));
        }
        Ok(conflict)
    }
}

fn unexpected(touched: &Touched, change: &Change) -> Option<Conflict> {
    let found = touched.now.as_deref().map(Revision::of);
    let expected = match change.expect {
        Expect::Any => return None,
        Expect::Absent => None,
        Expect::Unchanged(revision) => Some(revision),
    };
    let wanted = match &change.edit {
        Edit::Put(bytes) => Some(Revision::of(bytes)),
        Edit::Append(bytes) => Some(Revision::of(&appended(touched, bytes))),
        Edit::Remove => None,
    };
    (found != expected).then(|| Conflict::new(change.path.clone(), expected, found, wanted))
}

fn change_one(touched: &mut Touched, edit: &Edit) {
    let is_first = !touched.changes();
    (touched.now, touched.how) = match edit {
        Edit::Put(bytes) => (Some(bytes.clone()), How::Whole),
        Edit::Remove => (None, How::Whole),
        Edit::Append(bytes) => {
            let how = match touched.how {
                How::Appended => How::Appended,
                _ if is_first => How::Appended,
                how => how,
            };
            (Some(appended(touched, bytes)), how)
        }
    };
}

fn appended(touched: &Touched, bytes: &[u8]) -> Vec<u8> {
    [touched.now.as_deref().unwrap_or_default(), bytes].concat()
}

fn change_lines(touched: &mut Touched, ops: &[IndexOp]) -> Result<Vec<LineChanged>, ApplyError> {
    let refusal = Refusal::IndexNotUtf8;
    let refused = ApplyError::Refused { path: touched.path.clone(), refusal };
    let Ok(text) = std::str::from_utf8(touched.now.as_deref().unwrap_or_default()) else {
        return Err(refused);
    };
    let mut index = Editor::new(text);
    let line_changed = |op: &IndexOp| {
        let change = op.edit(&mut index);
        LineChanged::new(op.path().clone(), change.before, change.after)
    };
    let lines = ops.iter().map(line_changed).collect();
    let text = index.finish();
    if touched.now.is_some() || !text.is_empty() {
        touched.now = Some(text.into_bytes());
    }
    Ok(lines)
}

/// Refuses what may not be written, whatever is there.
fn check(files: &[Touched], by: &Attribution) -> Result<(), ApplyError> {
    let mut keys: BTreeMap<String, &MemPath> = BTreeMap::new();
    for touched in files.iter().filter(|touched| touched.changes()) {
        let refused = |refusal| Err(ApplyError::Refused { path: touched.path.clone(), refusal });
        let pinned = |bytes: &Option<Vec<u8>>| bytes.as_deref().is_some_and(is_pinned);
        let in_pinned = touched.path.is_in_pinned();
        if !by.actor.is_person() && (in_pinned || pinned(&touched.before) || pinned(&touched.now)) {
            return refused(Refusal::Pinned);
        }
        let Some(now) = &touched.now else { continue };
        if now.len() as u64 > limits::MAX_FILE_BYTES {
            return Err(too_large(&touched.path).into());
        }
        if let Some(existing) = touched.twin.clone() {
            return refused(Refusal::Twin { existing });
        }
        if let Some(other) = keys.insert(touched.path.twin_key(), &touched.path) {
            return refused(Refusal::Twin { existing: other.to_string() });
        }
    }
    Ok(())
}

fn is_pinned(bytes: &[u8]) -> bool {
    frontmatter::parse(&frontmatter::decode(bytes).0).fields.pinned
}

fn too_large(path: &MemPath) -> Error {
    Error::TooLarge { path: path.to_string(), limit: limits::MAX_FILE_BYTES }
}
