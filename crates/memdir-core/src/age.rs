//! How old a memory is, in the words a reader wants, and the dates it is told from.
//!
//! Nothing here asks for the time: `now` is a parameter.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use jiff::{Timestamp, civil, tz::TimeZone};

use crate::limits;

const SECONDS_A_DAY: u64 = 24 * 60 * 60;

/// `0000-01-01T00:00:00Z`: RFC 3339 has no year before it.
const FIRST_SECOND: i64 = -62_167_219_200;

/// Whole days between two moments; a moment in the future counts as today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Age {
    days: u64,
}

impl Age {
    /// Returns the completed days, rounded down; 47 hours are 1.
    pub fn days(self) -> u64 {
        self.days
    }
}

/// Displays as `today`, `yesterday` or `12 days ago`.
impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.days {
            0 => f.write_str("today"),
            1 => f.write_str("yesterday"),
            days => write!(f, "{days} days ago"),
        }
    }
}

/// Returns the age at `now` of something dated `at`; never negative, whatever a clock or a checkout did.
pub fn age(at: SystemTime, now: SystemTime) -> Age {
    Age { days: now.duration_since(at).map_or(0, |passed| passed.as_secs() / SECONDS_A_DAY) }
}

/// Returns the sentence to show with a memory of this age: from [`limits::CAVEAT_DAYS`] on one, before that none.
pub fn caveat(age: Age) -> Option<String> {
    caveat_since("Written", age)
}

/// Returns the sentence to show with a memory that was checked so long ago, as [`caveat`] does with its age.
pub fn verified_caveat(age: Age) -> Option<String> {
    caveat_since("Last verified", age)
}

/// Returns the sentence to show with a memory of which no date says when it was written.
pub fn unknown_age_caveat() -> String {
    format!(
        "Of unknown age: the dates of these files were reset, as by a copy or a checkout. {LOOK_FIRST}"
    )
}

/// What every caveat ends with.
const LOOK_FIRST: &str = "Code, file names and line numbers may have changed since; \
    look before you state any of it as fact.";

fn caveat_since(what: &str, age: Age) -> Option<String> {
    (age.days >= limits::CAVEAT_DAYS)
        .then(|| format!("{what} {age}: a note of what was true then. {LOOK_FIRST}"))
}

/// Reads a date as people and programs write it into frontmatter; `None` if the text is none.
///
/// RFC 3339 with or without fractions (`2026-11-30T09:12:33.120Z`, `2026-11-30T17:12+08:00`), a local date and time
/// (taken as UTC), or a plain date (midnight UTC). Surrounding white space is ignored.
pub fn parse_date(text: &str) -> Option<SystemTime> {
    let text = text.trim();
    if text.len() > limits::MAX_DATE_BYTES {
        return None;
    }
    let stamp = text.parse::<Timestamp>().or_else(|_| {
        let local: civil::DateTime = text.parse()?;
        TimeZone::UTC.to_timestamp(local)
    });
    SystemTime::try_from(stamp.ok()?).ok()
}

/// Writes a moment as RFC 3339 in UTC with whole seconds, `2026-11-30T09:12:33Z`.
///
/// Fractions are dropped (rounded down). A moment before the year 0 or after `9999-12-30T22:00:00Z` is written as the
/// nearest of these bounds.
pub fn format_rfc3339(at: SystemTime) -> String {
    let seconds = match at.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
        Err(before) => {
            let before = before.duration();
            let whole = before + Duration::from_nanos(999_999_999);
            i64::try_from(whole.as_secs()).map_or(i64::MIN, |seconds| -seconds)
        }
    };
    let seconds = seconds.clamp(FIRST_SECOND, Timestamp::MAX.as_second());
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}
