//! Who changes a memory, and for what reason.

/// Who changes a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Actor {
    /// A person, by a command they typed or a program that acts on their word alone.
    User,
    /// An agent in a conversation.
    Agent,
    /// A background run; the text says which, such as `extract` or `dream`.
    Worker(String),
}

impl Actor {
    /// Tells whether this is a person, who alone may change what is pinned.
    pub fn is_person(&self) -> bool {
        *self == Self::User
    }

    /// Returns the form kept in the journal: `user`, `agent`, or `worker:` and the name.
    pub fn as_text(&self) -> String {
        match self {
            Self::User => "user".to_owned(),
            Self::Agent => "agent".to_owned(),
            Self::Worker(name) => format!("worker:{name}"),
        }
    }

    /// Reads the form kept in the journal; what it does not know is taken for a worker, which may do least.
    pub fn from_text(text: &str) -> Self {
        match text {
            "user" => Self::User,
            "agent" => Self::Agent,
            other => Self::Worker(other.strip_prefix("worker:").unwrap_or(other).to_owned()),
        }
    }
}

/// Says of a change who made it, in which run and session, and why; kept in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribution {
    /// Who.
    pub actor: Actor,
    /// The run it belongs to; operations of one run can be undone together. Absent: it stands alone.
    pub run: Option<String>,
    /// The conversation that led to it.
    pub session: Option<String>,
    /// Why, in words for a person.
    pub reason: Option<String>,
}

impl Attribution {
    /// Names the actor and nothing else.
    pub fn new(actor: Actor) -> Self {
        Self { actor, run: None, session: None, reason: None }
    }

    /// Names the run.
    #[must_use]
    pub fn run(self, run: impl Into<String>) -> Self {
        Self { run: Some(run.into()), ..self }
    }

    /// Names the session.
    #[must_use]
    pub fn session(self, session: impl Into<String>) -> Self {
        Self { session: Some(session.into()), ..self }
    }

    /// Gives the reason.
    #[must_use]
    pub fn reason(self, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..self }
    }
}
