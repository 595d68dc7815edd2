//! What a run proposes: operations as a model names them, unchecked.

mod read;
mod schema;

use memdir_core::frontmatter::Origin;

pub use read::{Note, NoteKind, Reading, read_plan};
pub use schema::plan_schema;

use crate::OpWord;

/// What a run proposes to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The operations, in the order in which they are numbered from 0.
    pub operations: Vec<Operation>,
}

impl Plan {
    /// Puts operations together.
    pub fn new(operations: impl IntoIterator<Item = Operation>) -> Self {
        Self { operations: operations.into_iter().collect() }
    }
}

/// One operation, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation {
    /// What is done.
    pub change: Change,
    /// Operations with the same name of a group are done together or not at all; absent: it stands alone.
    pub group: Option<String>,
    /// Why, for a person.
    pub reason: String,
    /// What shows that somebody said so.
    pub evidence: Vec<Evidence>,
    /// Who it comes from, as the run says; evidence that comes from further away counts instead.
    pub origin: Origin,
}

impl Operation {
    /// An operation of an agent, alone and without evidence.
    pub fn new(change: Change, reason: impl Into<String>) -> Self {
        let (group, evidence) = (None, Vec::new());
        Self { change, group, reason: reason.into(), evidence, origin: Origin::Agent }
    }

    /// Puts it into a group.
    #[must_use]
    pub fn group(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }

    /// Adds a quote of a message, or of a memory by its path.
    #[must_use]
    pub fn quoting(mut self, message: impl Into<String>, quote: impl Into<String>) -> Self {
        self.evidence.push(Evidence::new(message, quote));
        self
    }

    /// Says who it comes from.
    #[must_use]
    pub fn origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }
}

/// What is done. Paths and types are text as the model wrote it; [`validate`](crate::validate()) reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A new memory. One with the same type and name is updated instead.
    Create(Draft),
    /// An existing memory says something else.
    Update {
        /// Its path.
        path: String,
        /// What it says now; what is absent stays.
        revised: Revised,
    },
    /// Several memories become one.
    Merge {
        /// Their paths.
        sources: Vec<String>,
        /// The one; its path may be that of a source. The other sources go.
        into: Draft,
    },
    /// One memory becomes several.
    Split {
        /// Its path. It goes unless one of the others takes it.
        source: String,
        /// What it becomes.
        into: Vec<Draft>,
    },
    /// A memory takes the place of another, which goes.
    Supersede {
        /// The path of the old one.
        old: String,
        /// The new one.
        by: Draft,
    },
    /// A memory goes.
    Delete {
        /// Its path.
        path: String,
    },
    /// A line of the index says something else.
    Index {
        /// The memory that it leads to.
        path: String,
        /// The text of the link.
        title: String,
        /// What stands after it.
        hook: String,
    },
    /// Something that could not be understood. It is refused, and its group with it.
    Unread {
        /// Why.
        fault: String,
    },
}

impl Change {
    /// The memories that it changes or takes away, as the model wrote their paths.
    pub(crate) fn sources(&self) -> Vec<&str> {
        match self {
            Self::Update { path, .. } | Self::Delete { path } => vec![path],
            Self::Merge { sources, .. } => sources.iter().map(String::as_str).collect(),
            Self::Split { source, .. } => vec![source],
            Self::Supersede { old, .. } => vec![old],
            Self::Create(_) | Self::Index { .. } | Self::Unread { .. } => Vec::new(),
        }
    }

    /// What kind it is; `None` where that could not be understood.
    pub fn word(&self) -> Option<OpWord> {
        Some(match self {
            Self::Create(_) => OpWord::Create,
            Self::Update { .. } => OpWord::Update,
            Self::Merge { .. } => OpWord::Merge,
            Self::Split { .. } => OpWord::Split,
            Self::Supersede { .. } => OpWord::Supersede,
            Self::Delete { .. } => OpWord::Delete,
            Self::Index { .. } => OpWord::Index,
            Self::Unread { .. } => return None,
        })
    }
}

/// A memory as a run wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Draft {
    /// Its path; absent: made from type and name.
    pub path: Option<String>,
    /// Its name.
    pub name: String,
    /// One line that tells when it matters.
    pub description: String,
    /// One of the four types.
    pub kind: String,
    /// Its text.
    pub body: String,
}

impl Draft {
    /// A memory whose path is made from type and name.
    pub fn new(
        kind: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
        body: impl Into<String>,
    ) -> Self {
        Self {
            path: None,
            name: name.into(),
            description: description.into(),
            kind: kind.into(),
            body: body.into(),
        }
    }

    /// Gives it a path.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }
}

/// What changes of a memory; what is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Revised {
    /// Its name.
    pub name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// Its text, all of it.
    pub body: Option<String>,
}

impl Revised {
    /// Changes the text alone.
    pub fn body(body: impl Into<String>) -> Self {
        Self { body: Some(body.into()), ..Self::default() }
    }

    /// Changes the name too.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Changes the description too.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..self }
    }
}

/// A place that shows that somebody said so.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The conversation; absent: the one that the run is about.
    pub session: Option<String>,
    /// The message, by its id, or a memory, by its path.
    pub message: String,
    /// What stands there, word for word.
    pub quote: String,
}

impl Evidence {
    /// A quote of a message of the conversation that the run is about, or of a memory.
    pub fn new(message: impl Into<String>, quote: impl Into<String>) -> Self {
        Self { session: None, message: message.into(), quote: quote.into() }
    }
}
