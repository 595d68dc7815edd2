//! What was looked at, and what became of it.

use std::fmt;

use memdir_core::MemPath;

use crate::{Summons, Why, limits};

/// A memory that was looked at for an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// Its file.
    pub path: MemPath,
    /// Why it was looked at.
    pub cause: Cause,
    /// How well its words fit, to be compared within one answer; absent where something else brought it up.
    pub score: Option<f32>,
    /// The share of what the question asks that it has, from 0 to 1; absent as the score is.
    pub coverage: Option<f32>,
    /// Why it is not attached; absent where it is.
    pub omission: Option<Omission>,
}

/// Why a memory was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "without ranking, by it, or by a model")]
pub enum Cause {
    /// A trigger or a file in play brought it up, before anything was ranked.
    Summons(Summons),
    /// It has words of the question.
    Words(Why),
    /// A model chose it.
    Model,
}

/// Why a memory that was looked at is not attached.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Omission {
    /// It is in the conversation already, as it is now.
    Surfaced,
    /// It says how to use a tool that is in use.
    ToolInUse(String),
    /// Nothing has enough of what the question asks, and this has not either.
    TooLittle,
    /// It scores too little beside the best.
    FarBehind {
        /// Its score in percent of the best.
        percent: u8,
    },
    /// As many as were wanted come before it.
    TooMany,
    /// The model did not choose it.
    NotChosen,
    /// The bytes for attachments are used up.
    NoRoom,
    /// It cannot be read, or has vanished.
    Unreadable,
}

/// Displays as a clause in plain words.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Summons(summons) => summons.fmt(f),
            Self::Words(why) => why.fmt(f),
            Self::Model => f.write_str("the model chose it"),
        }
    }
}

/// Displays as a clause in plain words.
impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Surfaced => f.write_str("it is in the conversation already"),
            Self::ToolInUse(tool) => write!(f, "it says how to use `{tool}`, which is in use"),
            Self::TooLittle => {
                write!(f, "it has less than {} % of what is asked", limits::COVERAGE_PERCENT)
            }
            Self::FarBehind { percent } => write!(f, "it scores {percent} % of the best"),
            Self::TooMany => f.write_str("enough others come before it"),
            Self::NotChosen => f.write_str("the model did not choose it"),
            Self::NoRoom => f.write_str("others have used up the room"),
            Self::Unreadable => f.write_str("it cannot be read"),
        }
    }
}
