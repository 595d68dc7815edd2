//! Dates that a copy, a restore or a checkout made.

use std::{collections::HashMap, time::SystemTime};

use crate::{DateFrom, Header, limits};

/// Marks the ages that are unknown: of files without a date of their own that share the day of their modification time
/// with too many files whose own date does not account for it.
pub(crate) fn mark(headers: &mut [Header]) {
    if headers.len() < limits::TOUCHED_FILES {
        return;
    }
    let mut days: HashMap<i64, usize> = HashMap::new();
    for header in headers.iter() {
        let written = matches!(header.date_from, DateFrom::Own(_)).then(|| day(header.date));
        let touched = day(header.modified);
        if written != Some(touched) {
            *days.entry(touched).or_default() += 1;
        }
    }
    let all = headers.len();
    for header in headers.iter_mut().filter(|header| header.date_from == DateFrom::File) {
        let sharing = days.get(&day(header.modified)).copied().unwrap_or_default();
        header.age_known = sharing * 100 < all * limits::TOUCHED_PERCENT;
    }
}

/// Days since 1970 in UTC, rounded down.
fn day(at: SystemTime) -> i64 {
    const SECONDS: u64 = 24 * 60 * 60;
    let days = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
    match at.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => days(after.as_secs() / SECONDS),
        Err(before) => -1 - days(before.duration().as_secs() / SECONDS),
    }
}
