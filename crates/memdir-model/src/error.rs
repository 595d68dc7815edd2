//! Why there is no answer.

use std::time::Duration;

use crate::budget::{LedgerError, Refusal};

/// A cause that another library names.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no answer.
///
/// No variant holds a key, and none holds text of the request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server answered with an error.
    #[error("the model's server answered {status}: {message}")]
    Status {
        /// HTTP status.
        status: u16,
        /// What it says, on one line, with secrets blotted out, at most 500 characters.
        message: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
    },
    /// There was no answer in time.
    #[error("no answer from the model within {after:?}")]
    Timeout {
        /// How long it was waited for.
        after: Duration,
    },
    /// The server does not take what was asked in this form. Whoever returns this has noted it: the same request asks in a plainer form the next time.
    ///
    /// An error and no loop within the provider, so that every request that is sent passes the budget: see [`Retry`](crate::Retry).
    #[error("the model's server does not take {form}: {message}")]
    Unsupported {
        /// What it does not take, such as `a schema`.
        form: String,
        /// What it says, as in [`Error::Status`].
        message: String,
    },
    /// The server cannot be reached, so nothing was sent.
    #[error("the model's server cannot be reached")]
    Unreachable {
        /// Why.
        source: Source,
    },
    /// The connection broke; what was sent may have been read.
    #[error("the connection to the model's server broke")]
    Connection {
        /// Why.
        source: Source,
    },
    /// The answer is longer than anything that was asked for.
    #[error("the model's answer has more than {limit} bytes")]
    TooLarge {
        /// Bytes that are read at most.
        limit: u64,
    },
    /// The answer is not what this provider sends.
    #[error("the model's answer cannot be read: {what}")]
    Malformed {
        /// What is wrong with it.
        what: String,
    },
    /// The request is not one that can be sent, so it was not.
    #[error("the request cannot be sent: {what}")]
    Invalid {
        /// What is wrong with it.
        what: String,
    },
    /// The model calls no tools, so the request was not answered; it may answer in JSON.
    #[error("the model calls no tools")]
    ToolsUnsupported,
    /// The program that shall answer did not.
    #[error("`{program}` {what}")]
    Program {
        /// Its name.
        program: String,
        /// What became of it, as a clause.
        what: String,
    },
    /// The budget is spent, so nothing was sent.
    #[error("the budget for models is spent: {0}")]
    Spent(Refusal),
    /// What was spent is not known, so nothing was sent.
    #[error("what was spent on models cannot be looked up")]
    Ledger(#[source] LedgerError),
    /// Several attempts failed; the source is the last one's reason.
    #[error("gave up after {attempts} attempts")]
    Exhausted {
        /// How many.
        attempts: u32,
        /// Why the last one failed.
        source: Box<Self>,
    },
}

impl Error {
    /// Tells whether the same request may succeed a little later.
    ///
    /// 408, 409, 429 and 5xx may, and where there was no connection or it broke, or a plainer form is next; no other status does, and no answer that came.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Status { status, .. } => matches!(status, 408 | 409 | 429 | 500..=599),
            Self::Unsupported { .. } | Self::Unreachable { .. } | Self::Connection { .. } => true,
            Self::Timeout { .. }
            | Self::TooLarge { .. }
            | Self::Malformed { .. }
            | Self::Invalid { .. }
            | Self::ToolsUnsupported
            | Self::Program { .. }
            | Self::Spent(_)
            | Self::Ledger(_)
            | Self::Exhausted { .. } => false,
        }
    }

    /// Tells whether the model may have worked for it, so that it may cost something.
    pub(crate) fn may_cost(&self) -> bool {
        match self {
            Self::Status { .. }
            | Self::Unsupported { .. }
            | Self::Unreachable { .. }
            | Self::Invalid { .. }
            | Self::ToolsUnsupported
            | Self::Spent(_)
            | Self::Ledger(_) => false,
            Self::Timeout { .. }
            | Self::Connection { .. }
            | Self::TooLarge { .. }
            | Self::Malformed { .. }
            | Self::Program { .. } => true,
            Self::Exhausted { source, .. } => source.may_cost(),
        }
    }
}
