//! Why nothing came of it, or what began: a word for the trail, a clause for people, and what to try.

mod model;

use std::io::ErrorKind;

use memdir::Error;
use memdir::recall::Silence;
use memdir::store::{Error as StoreError, location};
use serde::{Deserialize, Serialize};

/// The reason of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reason {
    NoMemories,
    NoWords,
    NoMatch,
    OnlyCommonWords,
    TooLittle,
    AllSurfaced,
    Unreadable,
    /// What the client said on stdin is no input of a hook.
    Input,
    /// Settings and environment name no directory that can be used.
    Settings,
    /// The directory is another project's.
    Foreign,
    NotADirectory,
    Denied,
    ReadOnly,
    NoSpace,
    TooLarge,
    Disk,
    /// What was found could not be handed to the client.
    Output,
    Startup,
    Resume,
    Clear,
    Compact,
    Fork,
    /// There was nothing that a model could choose.
    NothingToChoose,
    /// Triggers and files brought up as much as may be attached.
    NoRoom,
    Few,
    /// Words found enough.
    Confident,
    CallsSpent,
    TokensSpent,
    MoneySpent,
    NoPrice,
    Ledger,
    /// No request could be made of settings and question.
    NotSent,
    Timeout,
    Unreachable,
    Connection,
    KeyRefused,
    RateLimited,
    ServerFailed,
    RequestRefused,
    AnswerTooLarge,
    Malformed,
    Program,
    Cut,
    Refused,
    NoList,
    OnlyUnknown,
    /// One of a later version, or of a client that is newer.
    #[serde(other)]
    Other,
}

impl Reason {
    /// What began, in the client's word.
    pub(crate) fn of_source(source: Option<&str>) -> Self {
        match source {
            Some("startup") => Self::Startup,
            Some("resume") => Self::Resume,
            Some("clear") => Self::Clear,
            Some("compact") => Self::Compact,
            Some("fork") => Self::Fork,
            _ => Self::Other,
        }
    }

    fn of_io(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotADirectory => Self::NotADirectory,
            ErrorKind::PermissionDenied => Self::Denied,
            ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::NoSpace,
            ErrorKind::FileTooLarge => Self::TooLarge,
            _ => Self::Disk,
        }
    }

    /// The reason as a clause.
    pub(crate) fn clause(self) -> String {
        let silence = match self {
            Self::NoMemories => Silence::NoMemories,
            Self::NoWords => Silence::NoWords,
            Self::NoMatch => Silence::NoMatch,
            Self::OnlyCommonWords => Silence::OnlyCommonWords,
            Self::AllSurfaced => Silence::AllSurfaced,
            Self::Unreadable => Silence::Unreadable,
            other => return other.own_clause().to_owned(),
        };
        silence.to_string()
    }

    fn own_clause(self) -> &'static str {
        match self {
            Self::TooLittle => "the best memory had too little of what was asked",
            Self::Input => "what the client said could not be understood",
            Self::Settings => "settings or environment named no memory directory that can be used",
            Self::Foreign => "the memory directory belongs to another project",
            Self::NotADirectory => "the memory directory, or memdir's folder in it, is none",
            Self::Denied => "the memory directory may not be read or written",
            Self::ReadOnly => "the file system is read-only",
            Self::NoSpace => "the disk is full",
            Self::TooLarge => "a file would be larger than it may be",
            Self::Disk => "the disk failed",
            Self::Output => "the client no longer took what the hook said",
            Self::Startup => "a new conversation",
            Self::Resume => "a conversation was taken up again",
            Self::Clear => "the conversation was cleared",
            Self::Compact => "the conversation was compacted",
            Self::Fork => "a conversation was forked",
            other => other.clause_of_model().unwrap_or("a reason that this version does not know"),
        }
    }

    /// What would change it; `None` where nothing has to.
    pub(crate) fn hint(self) -> Option<&'static str> {
        Some(match self {
            Self::NoMemories => "memdir save",
            Self::NoWords => "say in the prompt what it is about",
            Self::NoMatch | Self::OnlyCommonWords | Self::TooLittle => {
                "give the memory that was missed the words that you use: memdir edit NAME --description TEXT; \
                 memdir recall \"your words\" shows what they find"
            }
            Self::AllSurfaced => {
                "it comes again after a compaction, in a new conversation, or when its file changes"
            }
            Self::Input => "look whether the client or memdir has a newer version",
            Self::Settings => "memdir path",
            Self::Foreign => "memdir path --relink, if that is this project under an old name",
            Self::NotADirectory => "move away the file of that name",
            Self::Denied => "give the owner of the directory the right to read and write it",
            Self::ReadOnly => {
                "put the memory on a disk that can be written: memdir notes there what it showed"
            }
            Self::NoSpace => "make room on the disk: memdir notes there what it showed",
            Self::Output => "it comes again with the next prompt that it fits",
            Self::Unreadable | Self::TooLarge | Self::Disk => "memdir check",
            Self::Startup
            | Self::Resume
            | Self::Clear
            | Self::Compact
            | Self::Fork
            | Self::Other => return None,
            of_model => return of_model.hint_of_model(),
        })
    }
}

impl From<Silence> for Reason {
    fn from(silence: Silence) -> Self {
        match silence {
            Silence::NoMemories => Self::NoMemories,
            Silence::NoWords => Self::NoWords,
            Silence::NoMatch => Self::NoMatch,
            Silence::OnlyCommonWords => Self::OnlyCommonWords,
            Silence::TooLittle { .. } => Self::TooLittle,
            Silence::AllSurfaced => Self::AllSurfaced,
            Silence::Unreadable => Self::Unreadable,
            _ => Self::Other,
        }
    }
}

impl From<&StoreError> for Reason {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::NoSpace { .. } => Self::NoSpace,
            StoreError::ReadOnly { .. } => Self::ReadOnly,
            StoreError::Denied { .. } => Self::Denied,
            StoreError::NotADirectory { .. } => Self::NotADirectory,
            StoreError::TooLarge { .. } => Self::TooLarge,
            StoreError::Io { source, .. } => Self::of_io(source.kind()),
            _ => Self::Disk,
        }
    }
}

impl From<&location::Error> for Reason {
    fn from(error: &location::Error) -> Self {
        match error {
            location::Error::NotAFolder { .. } => Self::NotADirectory,
            location::Error::Store(error) => error.into(),
            location::Error::Io { source, .. } => Self::of_io(source.kind()),
            _ => Self::Disk,
        }
    }
}

impl From<&Error> for Reason {
    fn from(error: &Error) -> Self {
        match error {
            Error::Store(error) => error.into(),
            _ => Self::Disk,
        }
    }
}
