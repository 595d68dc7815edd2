//! Decisions as lines of the trail: what a part did or left undone, for which session, and why.
//!
//! A line holds times, paths of memories, revisions and words of this program. No text of a prompt, a memory, a setting or an
//! error is in it.

mod reason;
mod usage;

use std::path::Path;
use std::time::SystemTime;

use memdir::core::MemPath;
use memdir::core::age::format_rfc3339;
use memdir::recall::{Basis, Recall, Surfaced};
use memdir::scan::ProblemKind;
use memdir::store::limits::TRAIL_BYTES;
use memdir::store::{Error as StoreError, LocalDir, Revision, SkipReason, Trail};
use memdir_model::Error as ModelError;
use serde::{Deserialize, Serialize};

use crate::env::{CLAUDE_SESSION_ID, World};
use crate::place::Session;

pub(crate) use reason::Reason;
pub(crate) use usage::reads;

/// Files that could not be read and are named. Ours: enough to see that something is wrong; `check` names all.
const MAX_UNREAD: usize = 3;

/// One decision. Keys that are unknown are passed over when it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Event {
    /// RFC 3339, whole seconds, UTC.
    pub(crate) at: String,
    pub(crate) part: Part,
    /// The client's name for the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// The project, where the line lies outside its memory directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<String>,
    pub(crate) outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<Reason>,
    /// Memories that were put before the agent, the best first, or that it read; of a line that takes back, those that were not after all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) surfaced: Vec<Shown>,
    /// When a budget that was spent has room again, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<String>,
    /// Files that could not be read, the first few; a memory among them may have been the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unread: Vec<String>,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    Recall,
    SessionStart,
    /// A model chooses among memories.
    Model,
    /// An agent read a memory by itself.
    Read,
    /// One of a later version.
    #[serde(other)]
    Other,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// Memories were put before the agent.
    Surfaced,
    /// There was nothing to say.
    Silent,
    /// It could not be done.
    Failed,
    /// It could have been done, but not noted, so it was left undone.
    Unnoted,
    /// A session began or went on.
    Started,
    /// An agent read memories.
    Read,
    /// A model was asked, and chose.
    Asked,
    /// No model was asked.
    Skipped,
    /// One of a later version.
    #[serde(other)]
    Other,
}

/// Why a model gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    /// When a budget that was spent has room again.
    pub(crate) again: Option<SystemTime>,
}

impl From<&ModelError> for Fault {
    fn from(error: &ModelError) -> Self {
        let again = match error {
            ModelError::Spent(refusal) => refusal.again,
            ModelError::Exhausted { source, .. } => Self::from(&**source).again,
            _ => None,
        };
        Self { reason: error.into(), again }
    }
}

/// A memory that was put before the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub(crate) path: String,
    /// Absent where the file is too large to be read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revision: Option<String>,
}

impl Event {
    pub(crate) fn new(world: &World, part: Part, session: Option<&str>, outcome: Outcome) -> Self {
        Self {
            at: format_rfc3339(world.now()),
            part,
            session: session.map(str::to_owned),
            project: None,
            outcome,
            reason: None,
            surfaced: Vec::new(),
            again: None,
            unread: Vec::new(),
        }
    }

    pub(crate) fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// That an agent read a memory, of this revision.
    pub(crate) fn read_of(world: &World, path: &MemPath, revision: Revision) -> Self {
        let shown = Shown { path: path.to_string(), revision: Some(revision.to_string()) };
        Self { surfaced: vec![shown], ..Self::new(world, Part::Read, None, Outcome::Read) }
    }

    /// What a model had to do with an answer; `fault` is why it gave none, if it was to. `None` where there was no model to ask.
    pub(crate) fn of_model(world: &World, basis: &Basis, fault: Option<&Fault>) -> Option<Self> {
        let (outcome, reason) = match (basis, fault) {
            (_, Some(Fault { reason, .. })) if reason.is_before_sending() => {
                (Outcome::Skipped, Some(*reason))
            }
            (_, Some(Fault { reason, .. })) => (Outcome::Failed, Some(*reason)),
            (Basis::Model { .. }, None) => (Outcome::Asked, None),
            (Basis::Skipped(skip), None) => (Outcome::Skipped, Some((*skip).into())),
            (Basis::Failed(failure), None) => (Outcome::Failed, Some(failure.into())),
            (_, None) => return None,
        };
        let session = world.text(CLAUDE_SESSION_ID);
        let again = fault.and_then(|fault| fault.again).map(format_rfc3339);
        let event = Self::new(world, Part::Model, session.as_deref(), outcome);
        Some(Self { reason, again, ..event })
    }

    /// The line that takes back an earlier one: what that says was put before the agent did not get there.
    pub(crate) fn taken_back(self) -> Self {
        let unread = Vec::new();
        Self { outcome: Outcome::Failed, reason: Some(Reason::Output), unread, ..self }
    }

    /// Takes the decision from an answer of which the first `shown` memories are put before the agent.
    pub(crate) fn of(self, recall: &Recall, shown: usize) -> Self {
        let shown = recall.attachments.iter().take(shown).map(|attachment| Shown {
            path: attachment.path.to_string(),
            revision: attachment.revision.map(|revision| revision.to_string()),
        });
        let unread = recall.problems.iter().filter(|problem| {
            matches!(
                problem.kind,
                ProblemKind::Unreadable(_) | ProblemKind::Skipped(SkipReason::Unreadable)
            )
        });
        Self {
            reason: recall.silence.map(Reason::from),
            surfaced: shown.collect(),
            unread: unread.take(MAX_UNREAD).map(|problem| problem.path.clone()).collect(),
            ..self
        }
    }

    /// A line of the trail; `None` where it holds no event.
    pub(crate) fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// Adds it to the trail of a memory directory.
    ///
    /// # Errors
    ///
    /// The trail cannot be written.
    pub(crate) fn note_in(&self, store: &LocalDir) -> Result<(), StoreError> {
        let line = serde_json::to_string(self).map_err(std::io::Error::from).map_err(|source| {
            StoreError::Io { op: "write", path: "an event".to_owned(), source }
        })?;
        store.add_to_trail(&line)
    }

    /// Adds it to the user's own trail, for want of a memory directory that takes it.
    pub(crate) fn note_apart(self, session: &Session, project: &Path) {
        let Some(folder) = session.state_folder() else { return };
        let event = Self { project: Some(project.to_string_lossy().into_owned()), ..self };
        // Where this fails too nobody can be told; `why` looks at how things stand besides.
        drop(
            LocalDir::open_or_create(&folder, session.store_options())
                .and_then(|store| event.note_in(&store)),
        );
    }

    /// Events of a project in the user's own trail, oldest first.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(crate) fn apart(session: &Session, project: &Path) -> Result<Vec<Self>, StoreError> {
        let Some(folder) = session.state_folder() else { return Ok(Vec::new()) };
        let store = match LocalDir::open(&folder, session.store_options()) {
            Err(StoreError::Absent { .. }) => return Ok(Vec::new()),
            opened => opened?,
        };
        let project = project.to_string_lossy();
        let mut events = Self::all(&store.trail(u64::MAX)?);
        events.retain(|event| event.project.as_deref() == Some(&*project));
        Ok(events)
    }

    /// Events of a trail, oldest first.
    pub(crate) fn all(trail: &Trail) -> Vec<Self> {
        trail.lines().filter_map(Self::read).collect()
    }

    pub(crate) fn takes_back(&self) -> bool {
        self.outcome == Outcome::Failed && self.reason == Some(Reason::Output)
    }

    /// Whether the conversation lost what it held before.
    fn resets(&self) -> bool {
        self.part == Part::SessionStart
            && matches!(self.reason, Some(Reason::Compact | Reason::Clear))
    }
}

/// The end of a trail, as far back as recall looks.
///
/// # Errors
///
/// The trail cannot be read.
pub(crate) fn recent(store: &LocalDir) -> Result<Trail, StoreError> {
    store.trail(TRAIL_BYTES)
}

/// What a conversation holds already, as far as the trail tells.
pub(crate) fn surfaced(trail: &Trail, session: &str) -> Vec<Surfaced> {
    let mut found: Vec<Surfaced> = Vec::new();
    let mut taken_back: Vec<Shown> = Vec::new();
    let of_session = trail.lines_with(session).into_iter().rev();
    for event in of_session.filter_map(Event::read) {
        if event.session.as_deref() != Some(session) {
            continue;
        }
        if event.resets() {
            break;
        }
        if event.takes_back() {
            taken_back.extend(event.surfaced);
            continue;
        }
        for shown in event.surfaced {
            if let Some(at) = taken_back.iter().position(|back| *back == shown) {
                taken_back.swap_remove(at);
                continue;
            }
            let Ok(path) = MemPath::parse(&shown.path) else { continue };
            if found.iter().all(|newer| newer.path != path) {
                let revision = shown.revision.and_then(|revision| revision.parse().ok());
                found.push(Surfaced::new(path, revision));
            }
        }
    }
    found
}
