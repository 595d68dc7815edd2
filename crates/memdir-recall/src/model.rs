//! What a model is asked to choose, and what its answer is worth.

use std::fmt;

use memdir_core::{
    prompt,
    text::{escape_control, prefix},
};
use memdir_model::{Content, Error, Message, Output, Request, Response, Role, Schema, Stop};
use memdir_scan::{Header, manifest};
use serde_json::{Value, json};

use crate::{Query, lexical::read_of, limits};

/// The purpose of the request, for ledgers and events.
const PURPOSE: &str = "recall";
/// The field of the answer.
const FIELD: &str = "selected_memories";

/// When a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "always, or where it may help")]
pub enum When {
    /// With every question that has words, if there is anything to choose.
    Always,
    /// Only where the words of the question leave a doubt, which costs fewer calls.
    InDoubt,
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// Words, triggers and files; there was no model to ask.
    Words,
    /// The same, since asking a model was of no use.
    Skipped(Skip),
    /// A model's choice, below what triggers and files brought up.
    Model {
        /// Names in its answer that it could not choose, and other things that are no names.
        unknown: usize,
    },
    /// Words, triggers and files, since the model gave no answer that is of use.
    Failed(Failure),
}

/// Why a model was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skip {
    /// Everything is in the conversation already, or brought up without it, or there are no memories.
    NothingToChoose,
    /// Triggers and files brought up as much as may be attached.
    NoRoom,
    /// The question has no word to look for.
    NoWords,
    /// The question shares only common words with the memories: `go on, please`.
    OnlyCommonWords,
    /// There are no more than [`limits::FEW`] memories.
    Few,
    /// The best memory has enough of what the question asks.
    Confident {
        /// The share, in percent.
        percent: u8,
    },
}

/// Why a model's answer is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// There was no answer; the text says why, on one line, without a secret.
    NoAnswer(String),
    /// The answer was cut.
    Cut,
    /// The model will not answer.
    Refused,
    /// The answer names no list of memories.
    Unreadable,
    /// The answer names only memories that it could not choose.
    OnlyUnknown {
        /// How many.
        unknown: usize,
    },
}

/// What a model chose.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Places among what it could choose, in its order, without doubles.
    pub(crate) places: Vec<usize>,
    pub(crate) unknown: usize,
}

/// Asks for the memories that help, at most `most`.
pub(crate) fn request(choosable: &[Header], query: &Query<'_>, most: usize) -> Request {
    let names: Vec<&str> = choosable.iter().map(|header| header.path.as_str()).collect();
    let schema = json!({
        "type": "object",
        "properties": {FIELD: {"type": "array", "items": {"type": "string", "enum": names}}},
        "required": [FIELD],
        "additionalProperties": false,
    });
    let listed = Message::new(Role::User, vec![Content::Text(manifest(choosable))]).cached();
    Request::new(PURPOSE, limits::CHOICE_TOKENS)
        .system(prompt::selector_instructions(most))
        .message(listed)
        .message(Message::user(asked(query)))
        .output(Output::Json(Schema::new(FIELD, schema)))
}

fn asked(query: &Query<'_>) -> String {
    let read = read_of(query.text);
    let tools = match query.tools {
        [] => String::new(),
        tools => {
            let named = tools.join(", ");
            let named = escape_control(prefix(&named, limits::TOOLS_BYTES));
            format!("\nTools in use: {named}\n")
        }
    };
    format!("The user's message:\n{}\n{tools}", read.join("\n"))
}

/// Reads an answer to [`request`].
pub(crate) fn read(
    answer: Result<Response, Error>,
    choosable: &[Header],
    most: usize,
) -> Result<Choice, Failure> {
    let answer = answer.map_err(|error| Failure::NoAnswer(chain(&error)))?;
    match answer.stop {
        Stop::Refusal => return Err(Failure::Refused),
        Stop::MaxTokens | Stop::ContextFull => return Err(Failure::Cut),
        _ => {}
    }
    let names = match answer.json() {
        Some(Value::Array(names)) => names,
        Some(Value::Object(mut fields)) => match fields.remove(FIELD) {
            Some(Value::Array(names)) => names,
            _ => return Err(Failure::Unreadable),
        },
        _ => return Err(Failure::Unreadable),
    };
    let mut choice = Choice { places: Vec::new(), unknown: 0 };
    for name in &names {
        let place = choosable.iter().position(|header| name == header.path.as_str());
        match place {
            Some(place) if choice.places.contains(&place) => {}
            Some(place) => choice.places.push(place),
            None => choice.unknown += 1,
        }
    }
    choice.places.truncate(most);
    match choice.unknown {
        unknown if unknown > 0 && choice.places.is_empty() => Err(Failure::OnlyUnknown { unknown }),
        _ => Ok(choice),
    }
}

/// An error with its causes, on one line.
fn chain(error: &Error) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(source) = cause {
        told.push_str(": ");
        told.push_str(&source.to_string());
        cause = source.source();
    }
    told
}

/// Displays as a clause in plain words.
impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingToChoose => f.write_str("there is nothing to choose from"),
            Self::NoRoom => f.write_str("triggers and files brought up enough"),
            Self::NoWords => f.write_str("the question has no word to look for"),
            Self::OnlyCommonWords => f.write_str("the question has only common words"),
            Self::Few => write!(f, "there are at most {} memories to choose from", limits::FEW),
            Self::Confident { percent } => {
                write!(f, "the best memory has {percent} % of what the question asks")
            }
        }
    }
}

/// Displays as a clause in plain words.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer(why) => f.write_str(why),
            Self::Cut => f.write_str("the model's answer was cut"),
            Self::Refused => f.write_str("the model refused to answer"),
            Self::Unreadable => f.write_str("the model's answer names no list of memories"),
            Self::OnlyUnknown { unknown } => {
                write!(
                    f,
                    "the model named {unknown} memories that it could not choose, and no other"
                )
            }
        }
    }
}

/// Displays as a clause in plain words.
impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words => f.write_str("chosen by words"),
            Self::Skipped(skip) => write!(f, "chosen by words; the model was not asked, as {skip}"),
            Self::Model { unknown: 0 } => f.write_str("chosen by the model"),
            Self::Model { unknown } => {
                write!(
                    f,
                    "chosen by the model, which also named {unknown} that it could not choose"
                )
            }
            Self::Failed(failure) => write!(f, "chosen by words, as {failure}"),
        }
    }
}
