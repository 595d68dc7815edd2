//! What a person is told once of a run that they did not watch.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::SystemTime;

use memdir_core::age::format_rfc3339;
use memdir_store::disk::Disk;
use memdir_store::{Action, Error, OpId, Receipt, StateName, Store, Turn};
use serde::{Deserialize, Serialize};

use crate::limits::{NOTICE_BYTES, NOTICE_FILES, NOTICES};

const STATE: StateName = StateName::new("notices.jsonl");

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notice {
    /// When, in RFC 3339, UTC.
    pub at: String,
    /// Who, as the journal names actors: `worker:dream`.
    pub actor: String,
    /// The run; all its operations are taken back together.
    pub run: Option<String>,
    /// The operation; absent: memories were left as they are.
    pub op: Option<String>,
    /// Files that changed, by path; at most [`NOTICE_FILES`].
    pub files: Vec<Touched>,
    /// Files beyond those.
    pub more_files: usize,
    /// Proposals that the run put into the inbox.
    pub waiting: Vec<u64>,
}

/// A file that a run changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Touched {
    /// The file.
    pub path: String,
    /// What happened to it: `created`, `updated` or `removed`.
    pub action: String,
}

/// A line of the file: a notice, or that one was told. Unknown keys are passed over.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Left {
        notice: String,
        at: String,
        actor: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        op: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<(String, String)>,
        #[serde(default)]
        more_files: usize,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        waiting: Vec<u64>,
    },
    Told {
        told: String,
        by: String,
    },
}

impl Line {
    fn to_text(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|fault| Error::Io {
            op: "write",
            path: STATE.to_string(),
            source: fault.into(),
        })
    }
}

/// Returns the notices that nobody was told of yet, oldest first, and marks them as told.
///
/// Takes no lock, and of several readers at once each notice goes to one: who wrote its mark first. A reader that dies
/// before it shows a notice takes that along; so does one that cannot write its mark, and then nothing is returned.
///
/// # Errors
///
/// When the file cannot be read or written.
pub fn deliver<D: Disk>(store: &Store<D>) -> Result<Vec<Notice>, Error> {
    let (left, told) = fold(store)?;
    let fresh: Vec<_> = left.into_iter().filter(|(id, _)| !told.contains_key(id)).collect();
    if fresh.is_empty() {
        return Ok(Vec::new());
    }
    let by = token(store)?;
    let mut marks = Vec::new();
    for (id, _) in &fresh {
        marks.push(Line::Told { told: id.clone(), by: by.clone() }.to_text()?);
    }
    store.append_to_state(STATE, &marks.join("\n"))?;
    let (_, told) = fold(store)?;
    let is_ours = |id: &String| told.get(id) == Some(&by);
    Ok(fresh.into_iter().filter(|(id, _)| is_ours(id)).map(|(_, notice)| notice).collect())
}

/// Notices in order, and of each one told who was first.
type Folded = (Vec<(String, Notice)>, BTreeMap<String, String>);

fn fold<D: Disk>(store: &Store<D>) -> Result<Folded, Error> {
    let (mut left, mut told) = (Vec::new(), BTreeMap::new());
    let bytes = store.state(STATE)?.unwrap_or_default();
    for line in bytes.split(|byte| *byte == b'\n') {
        // A torn line was never a notice.
        match serde_json::from_slice(line) {
            Ok(Line::Told { told: id, by }) => {
                told.entry(id).or_insert(by);
            }
            Ok(Line::Left { notice, at, actor, run, op, files, more_files, waiting }) => {
                let files = files.into_iter().map(|(action, path)| Touched { path, action });
                let files = files.collect();
                left.push((notice, Notice { at, actor, run, op, files, more_files, waiting }));
            }
            Err(_) => {}
        }
    }
    Ok((left, told))
}

/// Leaves a notice of what a run did.
pub(crate) fn leave<D: Disk>(
    store: &Store<D>,
    turn: &mut Turn<'_, '_, D>,
    notice: &Notice,
) -> Result<(), Error> {
    drop_told(store, turn)?;
    store.append_to_state(STATE, &line(token(store)?, notice).to_text()?)
}

fn line(id: String, notice: &Notice) -> Line {
    let Notice { at, actor, run, op, files, more_files, waiting } = notice.clone();
    let files = files.into_iter().map(|file| (file.action, file.path)).collect();
    Line::Left { notice: id, at, actor, run, op, files, more_files, waiting }
}

/// Makes the file short again once it is long: the newest that nobody was told of stay.
fn drop_told<D: Disk>(store: &Store<D>, turn: &mut Turn<'_, '_, D>) -> Result<(), Error> {
    if turn.state(STATE)?.is_none_or(|bytes| bytes.len() < NOTICE_BYTES) {
        return Ok(());
    }
    let (left, told) = fold(store)?;
    let fresh = left.into_iter().rev().filter(|(id, _)| !told.contains_key(id)).take(NOTICES);
    let fresh: Vec<_> = fresh.collect();
    let mut text = String::new();
    for (id, notice) in fresh.into_iter().rev() {
        text.push_str(&line(id, &notice).to_text()?);
        text.push('\n');
    }
    turn.set_state(STATE, text.as_bytes())
}

fn token<D: Disk>(store: &Store<D>) -> Result<String, Error> {
    let random = store.disk().random().map_err(|source| Error::Io {
        op: "get random numbers for",
        path: STATE.to_string(),
        source,
    })?;
    Ok(random.iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every write");
        text
    }))
}

impl Notice {
    /// Describes a run that changed nothing and proposed nothing.
    pub(crate) fn new(at: SystemTime, actor: String, run: Option<String>) -> Self {
        let (op, files, more_files, waiting) = (None, Vec::new(), 0, Vec::new());
        Self { at: format_rfc3339(at), actor, run, op, files, more_files, waiting }
    }

    /// Adds what was applied, if anything changed.
    pub(crate) fn of(mut self, receipt: Option<&Receipt>) -> Self {
        let Some(receipt) = receipt.filter(|receipt| receipt.has_changes()) else { return self };
        self.op = Some(OpId::to_string(&receipt.op));
        let touched = receipt.changes.iter().filter_map(|changed| {
            let action = match changed.action {
                Action::Created => "created",
                Action::Updated => "updated",
                Action::Removed => "removed",
                Action::Unchanged => return None,
            };
            Some((changed.path.to_string(), action))
        });
        let touched: BTreeSet<_> = touched.collect();
        self.more_files = touched.len().saturating_sub(NOTICE_FILES);
        let first = touched.into_iter().take(NOTICE_FILES);
        self.files =
            first.map(|(path, action)| Touched { path, action: action.to_owned() }).collect();
        self
    }
}
