//! How long a server asks to wait.

use std::time::Duration;

use jiff::{Timestamp, fmt::rfc2822::DateTimeParser};

/// Reads `retry-after`: seconds, or a date.
///
/// A date is compared with the server's own `date`, so no clock of ours is needed and a wrong one does no harm. `None` where it is
/// neither, or a date without the other.
pub(super) fn parse(after: &str, date: Option<&str>) -> Option<Duration> {
    let after = after.trim();
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    if let Some(seconds) = after.parse().ok().filter(|seconds: &f64| seconds.is_sign_positive()) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let wait = timestamp(after)?.duration_since(timestamp(date?)?);
    // What is over is no wait.
    Some(Duration::try_from(wait).unwrap_or_default())
}

fn timestamp(date: &str) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(date.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(after: &str, expect: Option<u64>) {
        let date = Some("Mon, 30 Nov 2026 09:00:00 GMT");
        assert_eq!(parse(after, date), expect.map(Duration::from_millis), "{after}");
    }

    #[test]
    fn seconds_and_dates_are_read() {
        check("0", Some(0));
        check(" 30 ", Some(30_000));
        check("1.5", Some(1_500));
        check("Mon, 30 Nov 2026 09:01:00 GMT", Some(60_000));
        check("Mon, 30 Nov 2026 08:00:00 GMT", Some(0));
        assert_eq!(parse("Mon, 30 Nov 2026 09:01:00 GMT", None), None);
    }

    #[test]
    fn anything_else_is_no_wish() {
        for odd in
            ["", "soon", "-1", "-0.5", "NaN", "inf", "1e300", "Mon, 99 Nov 2026 09:01:00 GMT"]
        {
            check(odd, None);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(after in "\\PC*", date in "\\PC*") {
            let _wait: Option<Duration> = parse(&after, Some(&date));
        }
    }
}
