//! What a run came to.

use std::fmt;

use memdir_model::{Error, Usage};

use crate::Mode;

/// Why a run ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// The model was done.
    Done,
    /// It had all the answers that it may have and was not done.
    Turns,
    /// An answer called for more than was left; none of it was done.
    Calls,
    /// An answer was longer than any may be; none of it was done.
    Bytes,
    /// It used up its tokens.
    Tokens,
    /// An answer was cut before it called for anything.
    Cut,
    /// The conversation is longer than the model can read.
    ContextFull,
    /// The model would not answer.
    Refused,
    /// There was no answer.
    Model(Error),
    /// The host gave it up.
    Cancelled,
    /// The host's time for it was over.
    OutOfTime,
}

impl End {
    /// Returns the word for it: `done`, `turns`, `calls`, `bytes`, `tokens`, `cut`, `context_full`, `refused`, `model`, `cancelled` or `out_of_time`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Turns => "turns",
            Self::Calls => "calls",
            Self::Bytes => "bytes",
            Self::Tokens => "tokens",
            Self::Cut => "cut",
            Self::ContextFull => "context_full",
            Self::Refused => "refused",
            Self::Model(_) => "model",
            Self::Cancelled => "cancelled",
            Self::OutOfTime => "out_of_time",
        }
    }
}

/// Displays as a clause: `the model was done`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done => "the model was done",
            Self::Turns => "the model had all its answers and was not done",
            Self::Calls => "the model called for more than was left",
            Self::Bytes => "an answer was too long to be looked at",
            Self::Tokens => "the tokens of the run are used up",
            Self::Cut => "an answer was cut before it called for anything",
            Self::ContextFull => "the conversation is longer than the model can read",
            Self::Refused => "the model would not answer",
            Self::Model(error) => return write!(f, "there was no answer: {error}"),
            Self::Cancelled => "it was cancelled",
            Self::OutOfTime => "its time was over",
        })
    }
}

/// What a run came to in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Account {
    /// Answers of the model.
    pub turns: u32,
    /// Calls in them, refused ones included.
    pub calls: u32,
    /// Calls that were refused.
    pub denied: u32,
    /// What the answers cost together; `micros` only where the provider told it for each.
    pub usage: Usage,
}

/// A run that is over.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// Why it ended.
    pub end: End,
    /// What it went on from.
    pub mode: Mode,
    /// What it came to.
    pub account: Account,
}
