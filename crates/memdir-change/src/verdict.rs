//! What validation says of each operation.

use std::fmt;

use memdir_core::MemPath;
use memdir_store::{IndexOp, Revision};

use crate::Operation;

/// The kinds of operations, as a plan names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OpWord {
    /// A new memory.
    Create,
    /// An existing memory says something else.
    Update,
    /// Several memories become one.
    Merge,
    /// One memory becomes several.
    Split,
    /// A memory takes the place of another.
    Supersede,
    /// A memory goes.
    Delete,
    /// A line of the index says something else.
    Index,
}

impl OpWord {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Create,
        Self::Update,
        Self::Merge,
        Self::Split,
        Self::Supersede,
        Self::Delete,
        Self::Index,
    ];

    /// The word in a plan.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Merge => "merge",
            Self::Split => "split",
            Self::Supersede => "supersede",
            Self::Delete => "delete",
            Self::Index => "index",
        }
    }

    /// Reads the word, exactly so.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.as_str() == text)
    }
}

impl fmt::Display for OpWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A rule by which an operation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// It could not be understood.
    Shape,
    /// No memory can have that name, or the name is another memory's.
    Name,
    /// It is about a memory that is not there or cannot be read.
    Missing,
    /// It is about what lies in `team/` or `logs/`, where no run writes.
    Reserved,
    /// Only a person changes what is pinned.
    Pinned,
    /// There are four types and no others.
    Type,
    /// Name, description or text is missing, or readers would not see what is written.
    Frontmatter,
    /// It is larger than a memory should be.
    Size,
    /// It holds what looks like a secret.
    Secret,
    /// It was forgotten, and stays so.
    Forgotten,
    /// Another operation of the plan is about the same memory.
    Twice,
    /// Operations of this kind are switched off.
    Off,
    /// Another operation of its group is refused.
    Group,
}

impl Rule {
    /// A short name for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Name => "name",
            Self::Missing => "missing",
            Self::Reserved => "reserved",
            Self::Pinned => "pinned",
            Self::Type => "type",
            Self::Frontmatter => "frontmatter",
            Self::Size => "size",
            Self::Secret => "secret",
            Self::Forgotten => "forgotten",
            Self::Twice => "twice",
            Self::Off => "off",
            Self::Group => "group",
        }
    }
}

/// Why an operation waits for a person. Displays as a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hold {
    /// A person wants to see operations of this kind.
    Review,
    /// It does not prove that anybody said so.
    Unproven {
        /// What is wrong with its evidence.
        why: String,
    },
    /// It comes from outside: a page, an issue, another's text.
    External,
    /// It holds hidden characters or reads like an order to a model.
    Suspicious {
        /// What was found, without what was hidden.
        what: String,
    },
    /// The run would take away too much.
    Loss {
        /// Files that would be removed or emptied.
        files: usize,
        /// Memories that are there.
        of_files: usize,
        /// Bytes that would go.
        bytes: u64,
        /// Bytes that are there.
        of_bytes: u64,
    },
    /// Another operation of its group waits.
    Group {
        /// Its number in the plan.
        operation: usize,
    },
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Review => f.write_str("a person decides on operations of this kind"),
            Self::Unproven { why } => write!(f, "nothing shows that anybody said so: {why}"),
            Self::External => f.write_str("it comes from outside"),
            Self::Suspicious { what } => write!(f, "it is suspicious: {what}"),
            Self::Loss { files, of_files, bytes, of_bytes } => write!(
                f,
                "the run would remove or empty {files} of {of_files} memories and take away {bytes} of {of_bytes} bytes"
            ),
            Self::Group { operation } => {
                write!(f, "operation {operation}, which belongs to it, waits")
            }
        }
    }
}

/// What becomes of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Judgement {
    /// It may be done.
    Accepted,
    /// There is nothing to do: a memory says so already.
    Known {
        /// That memory.
        path: MemPath,
    },
    /// It waits in the inbox.
    Held(Hold),
    /// It is not done.
    Refused {
        /// The rule that it breaks.
        rule: Rule,
        /// How, in words for a person and for the model; holds no secret.
        reason: String,
    },
}

/// An operation and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judged {
    /// Its number in the plan, from 0.
    pub operation: usize,
    /// What kind it is; absent where that could not be told.
    pub word: Option<OpWord>,
    /// The operations that stand and fall with it have the same number.
    pub group: usize,
    /// What becomes of it.
    pub judgement: Judgement,
}

/// What becomes of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Verdict {
    /// Each operation, in the order of the plan.
    pub judged: Vec<Judged>,
    pub(crate) prepared: Vec<Prepared>,
}

impl Verdict {
    /// Tells whether something is to be done, or to be shown to a person.
    pub fn has_changes(&self) -> bool {
        let moves =
            |judged: &Judged| matches!(judged.judgement, Judgement::Accepted | Judgement::Held(_));
        self.judged.iter().any(moves)
    }

    /// Returns the refused operations with rule and reason, in the order of the plan.
    pub fn refused(&self) -> impl Iterator<Item = (usize, Rule, &str)> {
        self.judged.iter().filter_map(|judged| match &judged.judgement {
            Judgement::Refused { rule, reason } => Some((judged.operation, *rule, &**reason)),
            Judgement::Accepted | Judgement::Known { .. } | Judgement::Held(_) => None,
        })
    }

    /// Returns what the accepted operations make of each file: its text, `None` for one that goes.
    pub fn files(&self) -> impl Iterator<Item = (&MemPath, Option<&str>)> {
        let accepted = self.with(|judgement| *judgement == Judgement::Accepted);
        accepted.flat_map(|(_, prepared)| {
            prepared.files.iter().map(|file| (&file.path, file.after.as_deref()))
        })
    }

    /// The operations of this judgement that change something.
    pub(crate) fn with(
        &self,
        is_meant: impl Fn(&Judgement) -> bool,
    ) -> impl Iterator<Item = (&Judged, &Prepared)> {
        self.judged
            .iter()
            .zip(&self.prepared)
            .filter(move |(judged, _)| is_meant(&judged.judgement))
    }
}

/// What an operation comes to on the store that was looked at; nothing where it is refused.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Prepared {
    pub(crate) files: Vec<FileChange>,
    pub(crate) index: Vec<IndexOp>,
    /// What was asked, for the inbox.
    pub(crate) asked: Option<Operation>,
}

/// A file that an operation changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) path: MemPath,
    /// Revision and length of what is there; absent: no file.
    pub(crate) before: Option<(Revision, u64)>,
    /// What is there afterwards; absent: no file.
    pub(crate) after: Option<String>,
    /// Whether it held a text that it does not hold any more.
    pub(crate) is_emptied: bool,
}
