//! What was spent in the last day.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{DAY, Limit};
use crate::limits;

/// What was spent in the last 24 hours, and what is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spent {
    /// Oldest first.
    entries: Vec<Entry>,
    /// Number of the next entry.
    next: u64,
}

/// One call, or several old ones added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    id: u64,
    /// Seconds since 1970.
    at: u64,
    purpose: String,
    calls: u64,
    pub(super) tokens: u64,
    pub(super) micros: u64,
}

#[derive(Deserialize)]
struct Wire {
    version: u32,
    next: u64,
    entries: Vec<Entry>,
}

const VERSION: u32 = 1;

/// Why a text is not a state of a ledger.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpentFault {
    /// It is damaged.
    #[error("it is not what a ledger holds")]
    Damaged(#[source] serde_json::Error),
    /// A newer version of this crate wrote it.
    #[error("it is of version {version}, and version {VERSION} is known")]
    Newer {
        /// Its version.
        version: u32,
    },
}

impl Spent {
    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    ///
    /// When it is something else, the empty text included.
    pub fn from_json(text: &str) -> Result<Self, SpentFault> {
        let wire: Wire = serde_json::from_str(text).map_err(SpentFault::Damaged)?;
        if wire.version != VERSION {
            return Err(SpentFault::Newer { version: wire.version });
        }
        Ok(Self { entries: wire.entries, next: wire.next })
    }

    /// Writes it as one line of JSON.
    pub fn to_json(&self) -> String {
        json!({"version": VERSION, "next": self.next, "entries": self.entries}).to_string()
    }

    /// Returns the calls of the last 60 minutes.
    pub fn calls_of_hour(&self, now: SystemTime) -> u64 {
        self.total(Limit::Calls, now, super::HOUR)
    }

    /// Returns the tokens of the last 24 hours, those that are set aside included.
    pub fn tokens_of_day(&self, now: SystemTime) -> u64 {
        self.total(Limit::Tokens, now, DAY)
    }

    /// Returns who spent how much in the last 24 hours: calls and tokens by purpose, the most tokens first. The oldest of many calls have the purpose "".
    pub fn purposes_of_day(&self, now: SystemTime) -> Vec<(&str, u64, u64)> {
        let mut sums: Vec<(&str, u64, u64)> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.counts(now, DAY)) {
            match sums.iter_mut().find(|(purpose, ..)| *purpose == entry.purpose) {
                Some((_, calls, tokens)) => {
                    *calls = calls.saturating_add(entry.calls);
                    *tokens = tokens.saturating_add(entry.tokens);
                }
                None => sums.push((&entry.purpose, entry.calls, entry.tokens)),
            }
        }
        sums.sort_by_key(|&(purpose, _, tokens)| (std::cmp::Reverse(tokens), purpose));
        sums
    }

    /// Returns the millionths of a dollar of the last 24 hours, those that are set aside included.
    pub fn micros_of_day(&self, now: SystemTime) -> u64 {
        self.total(Limit::Money, now, DAY)
    }

    pub(super) fn total(&self, limit: Limit, now: SystemTime, window: Duration) -> u64 {
        let counted = self.entries.iter().filter(|entry| entry.counts(now, window));
        counted.map(|entry| entry.amount(limit)).fold(0, u64::saturating_add)
    }

    /// When no more than `room` of this will count, as entries leave the window; `None` if it is so already.
    pub(super) fn falls_to(
        &self,
        limit: Limit,
        room: u64,
        now: SystemTime,
        window: Duration,
    ) -> Option<SystemTime> {
        let mut left = self.total(limit, now, window);
        for entry in self.entries.iter().filter(|entry| entry.counts(now, window)) {
            left = left.saturating_sub(entry.amount(limit));
            if left <= room {
                return SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(entry.at) + window);
            }
        }
        None
    }

    /// Adds a call and returns its number.
    pub(super) fn push(&mut self, purpose: &str, tokens: u64, micros: u64, now: SystemTime) -> u64 {
        self.forget(now);
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let entry =
            Entry { id, at: seconds(now), purpose: purpose.to_owned(), calls: 1, tokens, micros };
        self.entries.push(entry);
        id
    }

    pub(super) fn entry(&mut self, id: u64) -> Option<&mut Entry> {
        self.entries.iter_mut().rev().find(|entry| entry.id == id)
    }

    /// Drops what is older than a day, brings what is dated later than now to now, and adds up the oldest where there are too many.
    fn forget(&mut self, now: SystemTime) {
        for entry in &mut self.entries {
            // Written while the clock was wrong: it would count for longer than a day.
            entry.at = entry.at.min(seconds(now));
        }
        self.entries.retain(|entry| entry.counts(now, DAY));
        let surplus = (self.entries.len() + 1).saturating_sub(limits::LEDGER_ENTRIES);
        if surplus == 0 {
            return;
        }
        let mut old = self.entries.drain(..=surplus);
        let Some(mut sum) = old.next() else { return };
        for entry in old {
            // The sum leaves the window with its youngest part: counting longer is the safe side.
            sum.at = sum.at.max(entry.at);
            sum.calls = sum.calls.saturating_add(entry.calls);
            sum.tokens = sum.tokens.saturating_add(entry.tokens);
            sum.micros = sum.micros.saturating_add(entry.micros);
            sum.purpose.clear();
        }
        self.entries.insert(0, sum);
    }
}

impl Entry {
    /// Whether it lies in the window that ends now, or after it.
    fn counts(&self, now: SystemTime, window: Duration) -> bool {
        self.at.saturating_add(window.as_secs()) > seconds(now)
    }

    fn amount(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Calls => self.calls,
            Limit::Tokens => self.tokens,
            Limit::Money | Limit::Price => self.micros,
        }
    }
}

/// Moments before 1970 count as 1970.
fn seconds(moment: SystemTime) -> u64 {
    moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
