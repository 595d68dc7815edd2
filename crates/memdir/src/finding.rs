//! What is told of a memory directory: how much it matters, where, and in which words.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use memdir_core::frontmatter::Note;
use memdir_core::index::OverLimit;
use memdir_core::limits::{INDEX_BYTES, INDEX_LINE_CHARS, INDEX_LINES};
use memdir_core::{MemPath, PathFault};
use memdir_scan::ProblemKind;
use memdir_store::{OpId, Remedy};

use crate::error::chain;

/// Something in a memory directory that its owner may want to change.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// The file or folder, relative to the memory directory and fit to print.
    pub path: String,
    /// Its line, from 1; absent where it is about all of the file.
    pub line: Option<usize>,
    /// What it is.
    pub kind: FindingKind,
    /// Whether [`Memory::fix`](crate::Memory::fix) mends it.
    pub fixable: bool,
}

/// How much a finding matters, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "what is found is lost, wrong or worth knowing")]
pub enum Level {
    /// Something cannot be read or is unfinished.
    Error,
    /// Something is wrong, and everything else works.
    Warning,
    /// Worth knowing.
    Remark,
}

/// What a [`Finding`] is about; displays as a clause.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum FindingKind {
    /// No line of the index leads to the memory.
    Orphan,
    /// A link leads to no file.
    Dangling {
        /// The missing file.
        target: MemPath,
    },
    /// Several lines of the index point to one memory.
    Duplicate {
        /// The memory.
        target: MemPath,
        /// The lines, from 1, ascending.
        lines: Vec<usize>,
    },
    /// Other files have names that some file system takes for the same.
    Twins {
        /// Those files, by path.
        others: Vec<MemPath>,
    },
    /// A line of the index says more than a pointer should.
    LongLine {
        /// Its length in Unicode scalar values.
        chars: usize,
    },
    /// A link to a name that no memory can have.
    BadLink(PathFault),
    /// Only part of the index is loaded.
    IndexOverLimit(OverLimit),
    /// The index is a link to another file, so its lines cannot be changed.
    IndexIsLink,
    /// The index itself cannot be read.
    IndexUnreadable(Arc<memdir_store::Error>),
    /// An operation is being carried out, or its writer died.
    Unfinished {
        /// The operation.
        op: OpId,
        /// Who holds the lock, as far as they say, or held it when they died.
        writer: Option<String>,
    },
    /// A temporary file.
    Leftover {
        /// Who holds the lock, as far as they say, or held it when they died.
        writer: Option<String>,
    },
    /// Lines of the journal that say nothing.
    UnreadJournal {
        /// How many.
        lines: usize,
    },
    /// A file of memdir's own cannot be read.
    StateUnreadable {
        /// Why.
        error: Arc<memdir_store::Error>,
        /// What is to be done.
        remedy: Remedy,
    },
    /// Somebody changed the memory without this store.
    ChangedOutside {
        /// It was removed.
        is_gone: bool,
    },
    /// What a scan met.
    Scan(ProblemKind),
    /// Something worth knowing about the frontmatter.
    Advice(Note),
    /// A secret, hidden characters, or what reads like an order to a model.
    Suspicious(memdir_guard::Finding),
    /// The file holds more of what is suspicious than is listed.
    MoreSuspicious {
        /// How many findings are left out.
        count: usize,
    },
}

impl FindingKind {
    /// Returns a short name for programs, `orphan` and the like.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Orphan => "orphan",
            Self::Dangling { .. } => "dangling",
            Self::Duplicate { .. } => "duplicate",
            Self::Twins { .. } => "twins",
            Self::LongLine { .. } => "long_line",
            Self::BadLink(_) => "bad_link",
            Self::IndexOverLimit(_) => "index_over_limit",
            Self::IndexIsLink => "index_is_link",
            Self::IndexUnreadable(_) => "index_unreadable",
            Self::Unfinished { .. } => "unfinished",
            Self::Leftover { .. } => "leftover",
            Self::UnreadJournal { .. } => "unread_journal",
            Self::StateUnreadable { .. } => "state_unreadable",
            Self::ChangedOutside { .. } => "changed_outside",
            Self::Scan(ProblemKind::Skipped(_)) => "skipped",
            Self::Scan(ProblemKind::Unreadable(_)) => "unreadable",
            Self::Scan(ProblemKind::TooLarge { .. }) => "too_large",
            Self::Scan(ProblemKind::Binary) => "binary",
            Self::Scan(ProblemKind::HardLinks { .. }) => "hard_links",
            Self::Scan(ProblemKind::FutureDate) => "future_date",
            Self::Scan(ProblemKind::Note(_)) => "frontmatter",
            Self::Scan(_) => "other",
            Self::Advice(_) => "advice",
            Self::Suspicious(found) => found.kind.name(),
            Self::MoreSuspicious { .. } => "more_suspicious",
        }
    }
}

/// Numbers of lines that a finding names. Ours: what fits a terminal line.
const LINES_SHOWN: usize = 5;

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Orphan => f.write_str("no line of the index leads to it"),
            Self::Dangling { target } => write!(f, "leads to `{target}`, which does not exist"),
            Self::Duplicate { target, lines } => {
                let first: Vec<_> = lines.iter().take(LINES_SHOWN).map(ToString::to_string).collect();
                let more = lines.len().saturating_sub(LINES_SHOWN);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(f, "lines {}{more} all lead to `{target}`", first.join(", "))
            }
            Self::LongLine { chars } => write!(
                f,
                "has {chars} characters; under {INDEX_LINE_CHARS} the whole index stays readable, the detail belongs in the file"
            ),
            Self::Twins { others } => {
                let others: Vec<_> = others.iter().map(|path| format!("`{path}`")).collect();
                let others = others.join(", ");
                write!(f, "where case and Unicode normal form do not count it is one file with {others}; rename one")
            }
            Self::BadLink(fault) => write!(f, "leads to a name that no memory can have: {fault}"),
            Self::IndexOverLimit(over) => write!(
                f,
                "has {} lines and {} bytes, of which {INDEX_LINES} lines and {INDEX_BYTES} bytes are loaded; shorten lines, or move some to a further index that it links",
                over.lines, over.bytes
            ),
            Self::IndexIsLink => f.write_str(
                "is a link, and links are not written through; replace it by the file that it leads to",
            ),
            Self::IndexUnreadable(error) => f.write_str(&chain(error)),
            Self::Unfinished { op, writer: Some(writer) } => {
                write!(f, "operation {op} is being carried out by {writer}, or that one died")
            }
            Self::Unfinished { op, writer: None } => write!(f, "operation {op} was interrupted"),
            Self::Leftover { writer: Some(writer) } => {
                write!(f, "a temporary file of {writer}, or left over from it")
            }
            Self::Leftover { writer: None } => f.write_str("a temporary file left over from a writer that died"),
            Self::UnreadJournal { lines: 1 } => f.write_str(
                "1 line says nothing, and what it told is lost to undo; nothing has to be done, it goes with the oldest part of the journal",
            ),
            Self::UnreadJournal { lines } => write!(
                f,
                "{lines} lines say nothing, and what they told is lost to undo; nothing has to be done, they go with the oldest part of the journal"
            ),
            Self::StateUnreadable { error, remedy } => {
                let to_do = match remedy {
                    Remedy::Remake => "; move it away, it is made anew and nothing is lost",
                    Remedy::LoseHistory => {
                        "; move it away: no memory is in it, but `log` and `undo` forget what is"
                    }
                    Remedy::Update => "; update memdir",
                    _ => "",
                };
                write!(f, "{}{to_do}", chain(error))
            }
            Self::ChangedOutside { is_gone: true } => {
                f.write_str("was removed by another program since memdir wrote it")
            }
            Self::ChangedOutside { is_gone: false } => {
                f.write_str("was changed by another program since memdir wrote it; `memdir log --diff` shows how")
            }
            // The finding tells the line itself.
            Self::Scan(ProblemKind::Note(note)) | Self::Advice(note) => note.kind.fmt(f),
            Self::Suspicious(found) => found.kind.fmt(f),
            Self::MoreSuspicious { count } => {
                write!(f, "{count} more suspicious places; `memdir scan-text FILE` lists all")
            }
            Self::Scan(problem) => problem.fmt(f),
        }
    }
}

impl Finding {
    pub(crate) fn new(
        level: Level,
        path: impl Into<String>,
        line: Option<usize>,
        kind: FindingKind,
    ) -> Self {
        Self { level, path: path.into(), line, kind, fixable: false }
    }

    /// The worst first, then by path and line.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        (self.level, &self.path, self.line).cmp(&(other.level, &other.path, other.line))
    }
}
