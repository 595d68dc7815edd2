//! Why a model was not asked, or gave no answer that is of use.

use memdir::recall::{Failure, Skip};
use memdir_model::Error;
use memdir_model::budget::Limit;

use super::Reason;

impl From<Skip> for Reason {
    fn from(skip: Skip) -> Self {
        match skip {
            Skip::NothingToChoose => Self::NothingToChoose,
            Skip::NoRoom => Self::NoRoom,
            Skip::NoWords => Self::NoWords,
            Skip::OnlyCommonWords => Self::OnlyCommonWords,
            Skip::Few => Self::Few,
            Skip::Confident { .. } => Self::Confident,
            _ => Self::Other,
        }
    }
}

impl From<&Failure> for Reason {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::Cut => Self::Cut,
            Failure::Refused => Self::Refused,
            Failure::Unreadable => Self::NoList,
            Failure::OnlyUnknown { .. } => Self::OnlyUnknown,
            _ => Self::Other,
        }
    }
}

impl From<&Error> for Reason {
    fn from(error: &Error) -> Self {
        match error {
            Error::Status { status: 401 | 403, .. } => Self::KeyRefused,
            Error::Status { status: 429, .. } => Self::RateLimited,
            Error::Status { status: 408 | 409 | 500..=599, .. } => Self::ServerFailed,
            Error::Status { .. } | Error::Unsupported { .. } => Self::RequestRefused,
            Error::Timeout { .. } => Self::Timeout,
            Error::Unreachable { .. } => Self::Unreachable,
            Error::Connection { .. } => Self::Connection,
            Error::TooLarge { .. } => Self::AnswerTooLarge,
            Error::Malformed { .. } => Self::Malformed,
            Error::Invalid { .. } | Error::ToolsUnsupported => Self::NotSent,
            Error::Program { .. } => Self::Program,
            Error::Spent(refusal) => match refusal.limit {
                Limit::Calls => Self::CallsSpent,
                Limit::Tokens => Self::TokensSpent,
                Limit::Money => Self::MoneySpent,
                Limit::Price => Self::NoPrice,
                _ => Self::Other,
            },
            Error::Ledger(_) => Self::Ledger,
            Error::Exhausted { source, .. } => (&**source).into(),
            _ => Self::Other,
        }
    }
}

impl Reason {
    /// Whether nothing was sent.
    pub(crate) fn is_before_sending(self) -> bool {
        matches!(
            self,
            Self::CallsSpent
                | Self::TokensSpent
                | Self::MoneySpent
                | Self::NoPrice
                | Self::Ledger
                | Self::NotSent
        )
    }

    pub(super) fn clause_of_model(self) -> Option<&'static str> {
        Some(match self {
            Self::NothingToChoose => "there was nothing to choose from",
            Self::NoRoom => "triggers and files brought up enough",
            Self::Few => "there were few memories to choose from",
            Self::Confident => "the words of the question found enough",
            Self::CallsSpent => "the budget has no call left in this hour",
            Self::TokensSpent => "the budget has too few tokens left for this day",
            Self::MoneySpent => "the budget has too little money left for this day",
            Self::NoPrice => "the budget limits money and the price is not known",
            Self::Ledger => "what was spent could not be looked up",
            Self::NotSent => "settings or request were none that could be sent",
            Self::Timeout => "there was no answer in time",
            Self::Unreachable => "the server could not be reached",
            Self::Connection => "the connection broke",
            Self::KeyRefused => "the server did not take the key",
            Self::RateLimited => "the server had too many requests",
            Self::ServerFailed => "the server failed",
            Self::RequestRefused => "the server refused the request",
            Self::AnswerTooLarge => "the answer was too large",
            Self::Malformed => "the answer could not be read",
            Self::Program => "the program gave no answer",
            Self::Cut => "the answer was cut",
            Self::Refused => "the model refused to answer",
            Self::NoList => "the answer named no list of memories",
            Self::OnlyUnknown => "the answer named only memories that could not be chosen",
            _ => return None,
        })
    }

    pub(super) fn hint_of_model(self) -> Option<&'static str> {
        Some(match self {
            Self::Few | Self::Confident => "memdir recall --selector model asks all the same",
            Self::CallsSpent => "raise calls_per_hour under [budget] in config.toml",
            Self::TokensSpent => "raise tokens_per_day under [budget] in config.toml",
            Self::MoneySpent => "raise dollars_per_day under [budget] in config.toml",
            Self::NoPrice => "write `price` under [model] in config.toml",
            Self::Ledger => {
                "memdir config check names the file; where it is damaged, move it away, and count from nothing"
            }
            Self::Timeout => {
                "raise timeout_seconds under [model] in config.toml, or name a faster model"
            }
            Self::NotSent
            | Self::Unreachable
            | Self::KeyRefused
            | Self::RequestRefused
            | Self::Malformed
            | Self::AnswerTooLarge
            | Self::Program => "memdir config check",
            Self::NoList | Self::OnlyUnknown | Self::Cut => {
                "memdir config check tells whether the model answers in JSON; a larger model may"
            }
            Self::Connection | Self::RateLimited | Self::ServerFailed => {
                "it is asked again with the next question"
            }
            _ => return None,
        })
    }
}
