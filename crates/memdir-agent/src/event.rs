//! What a run tells of itself.

use std::fmt;

use memdir_core::MemPath;
use memdir_model::Usage;

use crate::{Denial, Mode, Verb};

/// Something that happened in a run. Holds no text of a memory, of the project or of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Who asked, see [`ForkOptions::query_source`](crate::ForkOptions::query_source).
    pub query_source: String,
    /// Which run it is, see [`ForkOptions::fork_label`](crate::ForkOptions::fork_label).
    pub fork_label: String,
    /// What happened.
    pub what: What,
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// It began.
    Started {
        /// What it goes on from.
        mode: Mode,
    },
    /// It does not go on from the request of its parent.
    Digest(DigestReason),
    /// The model calls no tools and is asked for JSON.
    JsonInstead,
    /// The model answered.
    Answered {
        /// Which answer, from 1.
        turn: u32,
        /// How much it called for.
        calls: u32,
        /// What it cost.
        usage: Usage,
    },
    /// A call was done.
    Ran {
        /// In which answer, from 1.
        turn: u32,
        /// What it does.
        verb: Verb,
        /// The memory that it changed; `None` where it changed none.
        changed: Option<MemPath>,
        /// Bytes that the model is shown of it.
        bytes: usize,
    },
    /// A call was not done.
    Denied {
        /// In which answer, from 1.
        turn: u32,
        /// The tool as the model wrote it, shortened.
        tool: String,
        /// Why.
        reason: Denial,
    },
    /// It ended; the word is that of [`End::as_str`](crate::End::as_str).
    Ended {
        /// Why.
        end: &'static str,
        /// Answers that there were.
        turns: u32,
    },
}

/// Why a run does not go on from the request of its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigestReason {
    /// That request holds a secret; the clause names the rule that it meets.
    Secret(String),
    /// It offers none of the tools that a run can use.
    NoTools,
    /// The model shall answer in JSON, which the tools of the parent are no help for.
    Json,
}

/// Displays as a clause: `the conversation holds a secret (…)`.
impl fmt::Display for DigestReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(clause) => write!(f, "the parent's request holds a secret ({clause})"),
            Self::NoTools => {
                f.write_str("the parent's request offers no tool that the run can use")
            }
            Self::Json => f.write_str("the model answers in JSON"),
        }
    }
}
