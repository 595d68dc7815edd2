//! Reading a plan as a model wrote it: a value, and notes on what was read leniently or not at all.

use std::fmt;

use memdir_core::frontmatter::Origin;
use serde_json::{Map, Value};

use super::{Change, Draft, Evidence, Operation, Plan, Revised};
use crate::OpWord;
use crate::limits::{PLAN_BYTES, PLAN_NOTES, PLAN_OPERATIONS};
use crate::shown::shown;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reading {
    /// The plan; empty where there was none.
    pub plan: Plan,
    /// What was met on the way, in order; at most [`PLAN_NOTES`].
    pub notes: Vec<Note>,
    /// Notes beyond those.
    pub more_notes: usize,
}

/// Something met while a plan was read. Displays as a line: `operation 3: …`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The operation, numbered from 0; absent: the plan as a whole.
    pub operation: Option<usize>,
    /// What.
    pub kind: NoteKind,
}

/// What was met while a plan was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The text is no JSON, for example because it is cut; there is no plan.
    NotJson,
    /// The JSON is no plan.
    NotAPlan,
    /// The text is larger than [`PLAN_BYTES`]; there is no plan.
    TooLarge,
    /// There are more than [`PLAN_OPERATIONS`]; there is no plan.
    TooMany {
        /// How many there are.
        operations: usize,
    },
    /// A key that says nothing here; it was passed over.
    UnknownField {
        /// Its name, cut and fit to print.
        field: String,
    },
    /// A value of another kind than was asked for; read as far as it can be.
    WrongType {
        /// The key.
        field: &'static str,
    },
    /// An origin that is none of the three; it counts as external.
    UnknownOrigin,
    /// The operation could not be understood.
    Unread {
        /// Why.
        fault: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            write!(f, "operation {operation}: ")?;
        }
        match &self.kind {
            NoteKind::NotJson => f.write_str("the answer is no JSON"),
            NoteKind::NotAPlan => f.write_str("the answer is no plan: it has no list `operations`"),
            NoteKind::TooLarge => write!(f, "the plan is larger than {PLAN_BYTES} bytes"),
            NoteKind::TooMany { operations } => {
                write!(f, "the plan has {operations} operations, more than {PLAN_OPERATIONS}")
            }
            NoteKind::UnknownField { field } => write!(f, "`{field}` means nothing here"),
            NoteKind::WrongType { field } => write!(f, "`{field}` has a value of the wrong kind"),
            NoteKind::UnknownOrigin => f.write_str(
                "`origin` is none of `user`, `agent`, `external`, so it counts as external",
            ),
            NoteKind::Unread { fault } => f.write_str(fault),
        }
    }
}

/// Reads a plan; never fails, and takes time and memory in proportion to the text.
///
/// A code fence around it, and a list without the object around it, are taken. An operation that cannot be understood
/// keeps its place and its group, so that what depends on it is not done without it.
pub fn read_plan(text: &str) -> Reading {
    let mut notes = Notes::default();
    let operations = match operations_of(text) {
        Ok((operations, fields)) => {
            for field in fields {
                notes.add(None, NoteKind::UnknownField { field });
            }
            operations
        }
        Err(kind) => {
            notes.add(None, kind);
            Vec::new()
        }
    };
    let read =
        |(number, value)| operation(value, &mut Reader { number, notes: &mut notes, broken: None });
    let plan = Plan::new(operations.into_iter().enumerate().map(read));
    Reading { plan, notes: notes.kept, more_notes: notes.more }
}

/// The list of operations, and keys beside it that mean nothing.
fn operations_of(text: &str) -> Result<(Vec<Value>, Vec<String>), NoteKind> {
    if text.len() > PLAN_BYTES {
        return Err(NoteKind::TooLarge);
    }
    let value = serde_json::from_str(unfenced(text)).map_err(|_| NoteKind::NotJson)?;
    let (list, fields) = match value {
        Value::Array(list) => (list, Vec::new()),
        Value::Object(mut object) => match object.remove("operations") {
            Some(Value::Array(list)) => (list, object.keys().map(|key| shown(key)).collect()),
            _ => return Err(NoteKind::NotAPlan),
        },
        _ => return Err(NoteKind::NotAPlan),
    };
    if list.len() > PLAN_OPERATIONS {
        return Err(NoteKind::TooMany { operations: list.len() });
    }
    Ok((list, fields))
}

/// The text without a code fence around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.map_or(text, |inner| inner.strip_prefix("json").unwrap_or(inner))
}

fn operation(value: Value, reader: &mut Reader<'_>) -> Operation {
    let Value::Object(object) = value else {
        let change = reader.unread("it is no object".to_owned());
        return Operation::new(change, "");
    };
    let mut fields = Fields(object);
    let group = reader.text(&mut fields, "group");
    let reason = reader.text(&mut fields, "reason").unwrap_or_default();
    let evidence = reader.list(&mut fields, "evidence");
    let evidence = evidence.into_iter().filter_map(|value| reader.evidence(value)).collect();
    let origin = match reader.text(&mut fields, "origin") {
        None => Origin::Agent,
        Some(text) => Origin::parse(&text).unwrap_or_else(|| {
            reader.note(NoteKind::UnknownOrigin);
            Origin::External
        }),
    };
    let word = reader.text(&mut fields, "op").unwrap_or_default();
    let change = match OpWord::parse(&word) {
        Some(word) => {
            reader.change(word, &mut fields).map_err(|key| format!("`{word}` needs `{key}`"))
        }
        None => Err(format!("there is no operation `{}`", shown(&word))),
    };
    let change = match reader.broken {
        Some(key) => Err(format!("`{key}` has a value of the wrong kind")),
        None => change,
    };
    let change = change.unwrap_or_else(|fault| reader.unread(fault));
    if !matches!(change, Change::Unread { .. }) {
        reader.rest(&fields);
    }
    Operation { change, group, reason, evidence, origin }
}

/// The keys of an object that were not read yet.
struct Fields(Map<String, Value>);

/// Reads one operation.
struct Reader<'n> {
    number: usize,
    notes: &'n mut Notes,
    /// A key whose value is no text at all: half of an operation is another operation.
    broken: Option<&'static str>,
}

impl Reader<'_> {
    fn note(&mut self, kind: NoteKind) {
        self.notes.add(Some(self.number), kind);
    }

    fn unread(&mut self, fault: String) -> Change {
        self.note(NoteKind::Unread { fault: fault.clone() });
        Change::Unread { fault }
    }

    /// What the operation does, or the key that it lacks.
    fn change(&mut self, word: OpWord, fields: &mut Fields) -> Result<Change, &'static str> {
        Ok(match word {
            OpWord::Create => Change::Create(self.draft(fields)?),
            OpWord::Update => Change::Update {
                path: self.needed(fields, "path")?,
                revised: Revised {
                    name: self.text(fields, "name"),
                    description: self.text(fields, "description"),
                    kind: self.text(fields, "type"),
                    body: self.text(fields, "body"),
                },
            },
            OpWord::Merge => {
                let sources = self.list(fields, "sources");
                let sources =
                    sources.into_iter().filter_map(|value| self.as_text(value, "sources"));
                Change::Merge { sources: sources.collect(), into: self.only_draft(fields)? }
            }
            OpWord::Split => {
                Change::Split { source: self.needed(fields, "path")?, into: self.drafts(fields)? }
            }
            OpWord::Supersede => Change::Supersede {
                old: self.needed(fields, "path")?,
                by: self.only_draft(fields)?,
            },
            OpWord::Delete => Change::Delete { path: self.needed(fields, "path")? },
            OpWord::Index => Change::Index {
                path: self.needed(fields, "path")?,
                title: self.needed(fields, "title")?,
                hook: self.needed(fields, "hook")?,
            },
        })
    }

    fn draft(&mut self, fields: &mut Fields) -> Result<Draft, &'static str> {
        Ok(Draft {
            path: self.text(fields, "path"),
            name: self.needed(fields, "name")?,
            description: self.needed(fields, "description")?,
            kind: self.needed(fields, "type")?,
            body: self.needed(fields, "body")?,
        })
    }

    fn drafts(&mut self, fields: &mut Fields) -> Result<Vec<Draft>, &'static str> {
        let values = self.list(fields, "into");
        let mut draft = |value| {
            let Value::Object(object) = value else { return Err("into") };
            let mut inner = Fields(object);
            let draft = self.draft(&mut inner)?;
            self.rest(&inner);
            Ok(draft)
        };
        values.into_iter().map(&mut draft).collect()
    }

    fn only_draft(&mut self, fields: &mut Fields) -> Result<Draft, &'static str> {
        let mut drafts = self.drafts(fields)?;
        if drafts.len() == 1 { drafts.pop().ok_or("into") } else { Err("into, one memory") }
    }

    fn evidence(&mut self, value: Value) -> Option<Evidence> {
        let Value::Object(object) = value else {
            self.note(NoteKind::WrongType { field: "evidence" });
            return None;
        };
        let mut fields = Fields(object);
        let session = self.text(&mut fields, "session");
        let message = self.text(&mut fields, "message").unwrap_or_default();
        let quote = self.text(&mut fields, "quote").unwrap_or_default();
        self.rest(&fields);
        Some(Evidence { session, message, quote })
    }

    fn needed(&mut self, fields: &mut Fields, key: &'static str) -> Result<String, &'static str> {
        self.text(fields, key).ok_or(key)
    }

    fn text(&mut self, fields: &mut Fields, key: &'static str) -> Option<String> {
        let value = fields.0.remove(key)?;
        self.as_text(value, key)
    }

    fn as_text(&mut self, value: Value, key: &'static str) -> Option<String> {
        match value {
            Value::String(text) => Some(text),
            Value::Null => None,
            Value::Number(_) | Value::Bool(_) => {
                self.note(NoteKind::WrongType { field: key });
                Some(value.to_string())
            }
            Value::Array(_) | Value::Object(_) => {
                self.broken.get_or_insert(key);
                None
            }
        }
    }

    /// A list; what stands alone where a list is asked for is its only item.
    fn list(&mut self, fields: &mut Fields, key: &'static str) -> Vec<Value> {
        match fields.0.remove(key) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(list)) => list,
            Some(alone) => {
                self.note(NoteKind::WrongType { field: key });
                vec![alone]
            }
        }
    }

    fn rest(&mut self, fields: &Fields) {
        // A form that asks for all keys is filled with nothing where a key means nothing.
        let is_empty = |value: &Value| {
            value.is_null()
                || value.as_str().is_some_and(str::is_empty)
                || value.as_array().is_some_and(Vec::is_empty)
        };
        for (key, _) in fields.0.iter().filter(|(_, value)| !is_empty(value)) {
            self.note(NoteKind::UnknownField { field: shown(key) });
        }
    }
}

#[derive(Default)]
struct Notes {
    kept: Vec<Note>,
    more: usize,
}

impl Notes {
    fn add(&mut self, operation: Option<usize>, kind: NoteKind) {
        if self.kept.len() < PLAN_NOTES {
            self.kept.push(Note { operation, kind });
        } else {
            self.more += 1;
        }
    }
}
