//! Why a call is not done.

use memdir_core::{
    MemPath, PathFault,
    text::{escape_control, prefix},
};
use memdir_store::{Error, project, project::ProjectPathFault};

use crate::limits;

/// Why a call was not done. Displays as what the model is told, on one line.
///
/// Holds names, of the model's words no more than a name, and no text of a memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Denial {
    /// The tool does nothing that this run may do.
    #[error("`{tool}` is not allowed in this run, which may only read, and write memories")]
    Tool {
        /// Its name as the model wrote it, shortened.
        tool: String,
    },
    /// A field of the input is absent or not what it must be.
    #[error("the input's `{field}` must be {expected}")]
    Input {
        /// The field.
        field: &'static str,
        /// What it must be, with its article.
        expected: &'static str,
    },
    /// No memory can have that path.
    #[error("{0}")]
    Path(PathFault),
    /// No file of the project can have that path.
    #[error("that is no path within the project: {0}")]
    ProjectPath(ProjectPathFault),
    /// It is hidden in the project.
    #[error("hidden files and folders of the project are not read")]
    Hidden,
    /// It would change a file of the project.
    #[error("files of the project are only read; what is written must be a memory")]
    ProjectReadOnly,
    /// It would write something else than Markdown.
    #[error("a memory is a file that ends in `.md`")]
    NotMarkdown,
    /// It would change what is shared.
    #[error("`team/` is shared with others, and only a person shares")]
    Team,
    /// It would change a log.
    #[error("`logs/` holds logs, which are not rewritten")]
    Logs,
    /// It would change, or make, what only a person changes.
    #[error("`{0}` is pinned, and only a person changes what is pinned")]
    Pinned(MemPath),
    /// It would make a second index.
    #[error("there is one index, `MEMORY.md` in the memory directory itself")]
    OtherIndex,
    /// The run may not take memories away.
    #[error("this run may not remove memories")]
    Removal,
    /// There is nothing of that name.
    #[error("there is no `{0}`")]
    Absent(String),
    /// It changes what was not read in this run.
    #[error("`{0}` exists and was not read in this run: read it first")]
    NotRead(MemPath),
    /// It writes the whole of what was read in part.
    #[error("of `{0}` not everything was shown, so edit it instead of writing it anew")]
    ReadInPart(MemPath),
    /// It was changed by somebody since it was read.
    #[error("`{0}` has changed since it was read: read it again")]
    Changed(MemPath),
    /// The text that an edit replaces is not there.
    #[error("the old text is not in `{0}`: copy it exactly, without the `> ` before each line")]
    OldAbsent(MemPath),
    /// The text that an edit replaces is there more than once.
    #[error(
        "the old text is {count} times in `{path}`: add lines around it until it is there once"
    )]
    OldAmbiguous {
        /// The file.
        path: MemPath,
        /// How often.
        count: usize,
    },
    /// It would leave a memory without text.
    #[error("a memory is not empty")]
    Empty,
    /// It is no text that can be edited.
    #[error("`{0}` is not UTF-8, and only a person changes it")]
    NotText(MemPath),
    /// A name that some file systems take for the same is there.
    #[error("`{path}` differs from the existing `{existing}` only in case or normal form")]
    Twin {
        /// The name asked for.
        path: MemPath,
        /// The name that is there.
        existing: MemPath,
    },
    /// It is a link or lies behind one, or is no regular file.
    #[error("`{path}` is not a file of its own: {reason}")]
    NotAFile {
        /// The name asked for.
        path: MemPath,
        /// What it is.
        reason: String,
    },
    /// A memory would say that another one is kept in it, and is not there.
    #[error("`{0}` does not exist, so nothing can be kept in it: write it first")]
    KeptNowhere(MemPath),
    /// The same was asked before, and nothing has changed since.
    #[error("this was asked before and nothing has changed since: the answer is above")]
    Repeated,
    /// Two calls of one answer have one id.
    #[error("another call of the same answer has the same id, so this one was not run")]
    SameId,
    /// The answer was cut, so its calls may be.
    #[error("the answer was cut at its limit, so none of its calls was run: write less at a time")]
    Cut,
    /// The answer holds no actions in the form asked for.
    #[error("the answer must be one JSON object with `actions`, a list, and `done`, true or false")]
    NotJson,
    /// One of the run's limits is reached.
    #[error("{0}")]
    Spent(Spent),
    /// The host said nothing of it.
    #[error("it was not done")]
    NotDone,
    /// A name holds a secret, which would end up in records.
    #[error("no name may hold what looks like a secret")]
    Secret,
    /// The store or the project could not be read; what it said.
    #[error("{0}")]
    Unreadable(String),
}

/// What a run has used up, though it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Spent {
    /// [`Limits::read_bytes`](crate::Limits::read_bytes).
    #[error("this run has read as much as it may")]
    Read,
    /// [`Limits::shown_bytes`](crate::Limits::shown_bytes).
    #[error("this run has been shown as much as it may")]
    Shown,
    /// [`Limits::written_bytes`](crate::Limits::written_bytes).
    #[error("this run has written as much as it may")]
    Written,
}

impl Denial {
    pub(crate) fn tool(name: &str) -> Self {
        Self::Tool { tool: named(name) }
    }

    pub(crate) fn absent(name: &impl ToString) -> Self {
        Self::Absent(name.to_string())
    }

    pub(crate) fn store(error: &Error) -> Self {
        Self::Unreadable(error.to_string())
    }

    pub(crate) fn project(error: &project::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// A name that a model wrote, fit for a message.
pub(crate) fn named(name: &str) -> String {
    if !memdir_guard::secrets(name).is_empty() {
        return "(looks like a secret)".to_owned();
    }
    escape_control(prefix(name, limits::SHOWN_NAME_BYTES)).replace('`', "'")
}
