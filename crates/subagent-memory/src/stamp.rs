//! The date of a snapshot.

use std::time::{Duration, SystemTime};

use memdir_core::{
    age::{format_rfc3339, parse_date},
    text::{escape_control, prefix},
};

use crate::limits;

/// Bytes of a bad date that a message repeats.
const SHOWN_BYTES: usize = 80;

/// The date of a snapshot: a moment, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    text: String,
    at: SystemTime,
}

impl Stamp {
    /// Reads a date as [`parse_date`] does.
    ///
    /// # Errors
    ///
    /// [`StampFault`] where it is none, or more than [`limits::CLOCK_SKEW`] later than `now`.
    pub fn parse(text: &str, now: SystemTime) -> Result<Self, StampFault> {
        let shown = || escape_control(prefix(text, SHOWN_BYTES)).into_owned();
        let at = parse_date(text).ok_or_else(|| StampFault::NotADate { text: shown() })?;
        let ahead = at.duration_since(now).unwrap_or_default();
        if ahead > limits::CLOCK_SKEW {
            return Err(StampFault::InTheFuture { text: shown() });
        }
        Ok(Self { text: text.trim().to_owned(), at })
    }

    /// The date of a snapshot that is made now: `now` to the second, and later than the one before.
    pub(crate) fn after(before: Option<&Self>, now: SystemTime) -> Self {
        let least = before.map(|stamp| stamp.at + Duration::from_secs(1));
        let text = format_rfc3339(least.map_or(now, |least| least.max(now)));
        let at = parse_date(&text).unwrap_or(now);
        Self { text, at }
    }

    /// The date as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The moment.
    pub fn at(&self) -> SystemTime {
        self.at
    }
}

/// Why a text is not the date of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StampFault {
    /// It is no date.
    #[error("`{text}` is not a date such as 2026-11-30T09:12:33Z")]
    NotADate {
        /// The text, shortened and fit to print.
        text: String,
    },
    /// It is later than the clock.
    #[error("`{text}` lies in the future")]
    InTheFuture {
        /// The text, fit to print.
        text: String,
    },
}
