//! How a memory stands to its snapshot.

use std::fmt;

use crate::{Files, Snapshot, Stamp};

/// How a memory stands to its snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// What is to be done.
    pub state: State,
    /// Of when the snapshot is; absent where there is none.
    pub snapshot: Option<Stamp>,
    /// Of when the snapshot was that the memory last took in or dismissed; absent where there was none.
    pub synced_from: Option<Stamp>,
}

/// What is to be done about a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Nothing: there is no snapshot, or the memory has taken it in.
    None,
    /// There is no memory yet, and a snapshot to begin with.
    Initialize,
    /// There is a memory, and a snapshot newer than what it has taken in: the agent is told, and merges.
    PromptUpdate,
}

impl Status {
    /// Decides. Where nothing says what the memory has taken in, a snapshot is new to it.
    pub fn of(memory: &Files, snapshot: Option<&Snapshot>, synced_from: Option<Stamp>) -> Self {
        let snapshot = snapshot.map(|snapshot| snapshot.stamp.clone());
        let state = match (&snapshot, &synced_from) {
            (None, _) => State::None,
            (Some(_), _) if memory.is_empty() => State::Initialize,
            (Some(snapshot), Some(synced)) if snapshot.at() <= synced.at() => State::None,
            (Some(_), _) => State::PromptUpdate,
        };
        Self { state, snapshot, synced_from }
    }
}

impl State {
    /// The word for it: `none`, `initialize` or `prompt-update`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Initialize => "initialize",
            Self::PromptUpdate => "prompt-update",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
