//! Dates as people and programs write them, and ages as they are told.

use std::time::{Duration, SystemTime};

use memdir_core::{
    Clock, FixedClock,
    age::{age, caveat, format_rfc3339, parse_date, unknown_age_caveat, verified_caveat},
};
use proptest::prelude::*;

fn at(seconds: i64) -> SystemTime {
    let offset = Duration::from_secs(seconds.unsigned_abs());
    let moment = if seconds < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(offset)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(offset)
    };
    moment.expect("within the range of the system")
}

#[test]
fn ages_are_whole_days_and_never_negative() {
    let now = at(1_764_494_400);
    let told = |hours: i64| {
        let age = age(at(1_764_494_400 - hours * 3_600), now);
        format!(
            "{hours} h: {} = {age}; {:?}",
            age.days(),
            caveat(age).map(|text| text.starts_with("Written"))
        )
    };
    let told: Vec<_> =
        [0, 23, 24, 25, 47, 48, 24 * 400, -1, -24 * 40_000].into_iter().map(told).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    0 h: 0 = today; None
    23 h: 0 = today; None
    24 h: 1 = yesterday; None
    25 h: 1 = yesterday; None
    47 h: 1 = yesterday; None
    48 h: 2 = 2 days ago; Some(true)
    9600 h: 400 = 400 days ago; Some(true)
    -1 h: 0 = today; None
    -960000 h: 0 = today; None
    ");
}

#[test]
fn every_caveat_says_the_same_to_do() {
    let old = age(at(0), at(3 * 86_400));
    let ends = "Code, file names and line numbers may have changed since; look before you state any of it as fact.";
    for text in [caveat(old), verified_caveat(old), Some(unknown_age_caveat())] {
        let text = text.expect("a caveat");
        assert!(text.ends_with(ends), "{text}");
    }
    assert_eq!(verified_caveat(age(at(0), at(86_400))), None, "as for what was written then");
}

#[test]
fn the_caveat_says_how_old_and_what_to_do() {
    insta::assert_snapshot!(caveat(age(at(0), at(3 * 86_400))).expect("a caveat"), @"Written 3 days ago: a note of what was true then. Code, file names and line numbers may have changed since; look before you state any of it as fact.");
}

/// The moment that a text is read as, or that it is none.
fn check(text: &str) -> String {
    format!("{text:?} {}", parse_date(text).map_or_else(|| "is no date".to_owned(), format_rfc3339))
}

#[test]
fn dates_are_read_in_every_form_that_is_written() {
    let texts = [
        "2026-11-30T09:12:33Z",
        "2026-11-30T09:12:33.120Z",
        "2026-11-30t09:12:33z",
        "2026-11-30T17:12:33+08:00",
        "2026-11-30T00:12:33-09:30",
        "2026-11-30T09:12Z",
        "2026-11-30 09:12:33Z",
        "2026-11-30T09:12:33",
        "2026-11-30 09:12",
        " 2026-11-30\n",
        "2024-02-29",
        "2026-06-30T23:59:60Z",
        "1969-12-31T23:59:59.5Z",
        "2026-02-29",
        "2026-13-01",
        "2026-11-30T25:00:00Z",
        "30.11.2026",
        "11/30/2026",
        "yesterday",
        "2026",
        "",
        "\u{662}\u{660}\u{662}\u{666}-11-30",
    ];
    insta::assert_snapshot!(texts.map(check).join("\n"), @r#"
    "2026-11-30T09:12:33Z" 2026-11-30T09:12:33Z
    "2026-11-30T09:12:33.120Z" 2026-11-30T09:12:33Z
    "2026-11-30t09:12:33z" 2026-11-30T09:12:33Z
    "2026-11-30T17:12:33+08:00" 2026-11-30T09:12:33Z
    "2026-11-30T00:12:33-09:30" 2026-11-30T09:42:33Z
    "2026-11-30T09:12Z" 2026-11-30T09:12:00Z
    "2026-11-30 09:12:33Z" 2026-11-30T09:12:33Z
    "2026-11-30T09:12:33" 2026-11-30T09:12:33Z
    "2026-11-30 09:12" 2026-11-30T09:12:00Z
    " 2026-11-30\n" 2026-11-30T00:00:00Z
    "2024-02-29" 2024-02-29T00:00:00Z
    "2026-06-30T23:59:60Z" 2026-06-30T23:59:59Z
    "1969-12-31T23:59:59.5Z" 1969-12-31T23:59:59Z
    "2026-02-29" is no date
    "2026-13-01" is no date
    "2026-11-30T25:00:00Z" is no date
    "30.11.2026" is no date
    "11/30/2026" is no date
    "yesterday" is no date
    "2026" is no date
    "" is no date
    "٢٠٢٦-11-30" is no date
    "#);
    assert_eq!(parse_date(&"2026-11-30".repeat(1 << 16)), None);
}

#[test]
fn moments_far_out_are_written_as_the_nearest_that_fits() {
    let far =
        [at(253_402_300_799), at(1 << 50), at(-(1 << 50)), at(-1), at(0) - Duration::from_nanos(1)];
    insta::assert_snapshot!(far.map(format_rfc3339).join("\n"), @"
    9999-12-30T22:00:00Z
    9999-12-30T22:00:00Z
    0000-01-01T00:00:00Z
    1969-12-31T23:59:59Z
    1969-12-31T23:59:59Z
    ");
}

#[test]
fn a_clock_can_be_lent_shared_and_boxed() {
    let clock = FixedClock(at(7));
    let clocks: [Box<dyn Clock>; 3] =
        [Box::new(clock), Box::new(std::sync::Arc::new(clock)), Box::new(&clock)];
    assert!(clocks.iter().all(|clock| clock.now() == at(7)));
}

proptest! {
    #[test]
    fn a_date_that_is_written_is_read_back(seconds in -62_135_596_800..253_402_207_200_i64, nanos in 0..1_000_000_000_u32) {
        let written = format_rfc3339(at(seconds) + Duration::from_nanos(nanos.into()));
        prop_assert_eq!(parse_date(&written), Some(at(seconds)));
    }

    #[test]
    fn any_text_and_any_two_moments_are_taken(text in "\\PC*|[0-9TZ:+. -]{0,40}", a in any::<i32>(), b in any::<i32>()) {
        let _: Option<SystemTime> = parse_date(&text);
        let (a, b) = (i64::from(a), i64::from(b));
        prop_assert_eq!(age(at(a), at(b)).days(), u64::try_from((b - a).max(0) / 86_400).expect("not negative"));
    }
}
