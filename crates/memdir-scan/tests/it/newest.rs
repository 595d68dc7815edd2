//! Which memories are kept, in which order, and how little is opened for that.

use std::{
    cmp::Reverse,
    time::{Duration, SystemTime},
};

use memdir_core::age::format_rfc3339;
use memdir_scan::{limits, scan_with};
use proptest::prelude::*;

use crate::shelf::{Shelf, day, paths};

#[test]
fn memories_come_newest_first_and_equals_by_path() {
    let shelf = Shelf::default()
        .file("b.md", day(5), "")
        .file("sub/a.md", day(5), "")
        .file("new.md", day(9), "")
        .file("a.md", day(5), "");
    assert_eq!(paths(&shelf.scan()), ["new.md", "a.md", "b.md", "sub/a.md"]);
}

#[test]
fn the_own_date_decides_over_the_one_of_the_file() {
    let shelf = Shelf::default()
        .dated("old.md", day(9), "2026-01-02")
        .file("plain.md", day(5), "")
        .dated("new.md", day(9), "2026-01-09");
    assert_eq!(paths(&shelf.scan()), ["new.md", "plain.md", "old.md"]);
}

#[test]
fn index_logs_and_team_are_no_memories_of_this_directory() {
    let shelf = Shelf::default()
        .file("MEMORY.md", day(1), "")
        .file("sub/MEMORY.md", day(1), "")
        .file("logs/2026/01/2026-01-01.md", day(1), "")
        .file("team/a.md", day(1), "")
        .file("logs.md", day(1), "")
        .file("sub/team/a.md", day(1), "");
    let scan = shelf.scan();
    assert_eq!((paths(&scan), scan.total), (vec!["logs.md", "sub/team/a.md"], 2));
}

fn spread(files: u64) -> Shelf {
    // Names fall as dates rise, and neither is the order in the directory.
    let minutes = |file: u64| Duration::from_secs(60 * (file * 7919 % files));
    (0..files).fold(Shelf::default(), |shelf, file| {
        shelf.file(
            &format!("{:06}.md", file * 31 % files),
            day(0) + minutes(file),
            "---\nname: n\n---\n",
        )
    })
}

#[test]
fn no_more_files_are_opened_than_are_kept() {
    let shelf = spread(5_000);
    let scan = shelf.scan();
    let dates: Vec<_> = scan.headers.iter().map(|header| header.date).collect();
    let newest: Vec<_> =
        (4_800..5_000_u64).rev().map(|minute| day(0) + Duration::from_secs(60 * minute)).collect();
    assert_eq!((dates, scan.total), (newest, 5_000));
    assert_eq!(shelf.opened.get(), limits::MAX_HEADERS);
    assert!(shelf.asked.borrow().iter().all(|bytes| *bytes == limits::HEAD_BYTES));
}

#[test]
fn a_checkout_that_touched_all_files_does_not_hide_the_newest() {
    let touched = |shelf: Shelf, file: u64| {
        let modified = day(90) + Duration::from_nanos(file);
        shelf.dated(&format!("{file}.md"), modified, &format_rfc3339(day(file * 7 % 60)))
    };
    let shelf = (0..60).fold(Shelf::default(), touched);
    let scan = shelf.scan_at_most(6);
    let days: Vec<_> = scan.headers.iter().map(|header| header.date).collect();
    assert_eq!(days, [59, 58, 57, 56, 55, 54].map(day));
}

#[test]
fn however_misleading_the_dates_of_files_no_more_than_a_tenfold_is_opened() {
    let touched =
        |shelf: Shelf, file: u64| shelf.dated(&format!("{file}.md"), day(90), "2026-01-01");
    let shelf = (0..500).fold(Shelf::default(), touched);
    assert_eq!((shelf.scan_at_most(6).headers.len(), shelf.opened.get()), (6, 60));
}

#[test]
fn reading_stops_where_no_older_file_can_be_newer() {
    let mut shelf = spread(100);
    for edited in 0..10 {
        shelf = shelf.dated(&format!("edited{edited}.md"), day(99), "2025-01-01");
    }
    assert_eq!(shelf.scan_at_most(20).headers.len(), 20);
    assert_eq!(shelf.opened.get(), 30);
}

#[test]
fn what_is_made_of_a_head_comes_in_the_order_of_the_headers() {
    let shelf = Shelf::default()
        .file("a.md", day(1), "---\nname: a\n---\nfirst")
        .file("b.md", day(2), "second")
        .file("c.md", day(3), "x".repeat(5_000));
    let options = memdir_scan::Options::new(day(100));
    let (scan, heads) =
        scan_with(&shelf, &options, |_, head| (head.body.len(), head.is_whole)).unwrap();
    assert_eq!(paths(&scan), ["c.md", "b.md", "a.md"]);
    assert_eq!(heads, [(4_096, false), (6, true), (5, true)]);
}

fn file() -> impl Strategy<Value = (u8, u64, Option<u64>)> {
    // Own dates are not later than the day of the file, as the scan takes for granted.
    (any::<u8>(), 0..90_u64).prop_flat_map(|(name, modified)| {
        (Just(name), Just(modified), proptest::option::of(0..=modified))
    })
}

proptest! {
    #[test]
    fn keeps_exactly_the_newest_and_is_blind_to_the_order_of_the_directory(
        files in proptest::collection::vec(file(), 0..60),
        max in 0..12_usize,
    ) {
        let mut files = files;
        files.sort_unstable();
        files.dedup_by_key(|(name, ..)| *name);
        let mut all: Vec<(Reverse<SystemTime>, String)> = Vec::new();
        let (mut forwards, mut backwards) = (Shelf::default(), Shelf::default());
        let add = |shelf: Shelf, (name, modified, own): (u8, u64, Option<u64>)| {
            let own = own.map(|own| format!("---\nupdated: {}\n---\n", format_rfc3339(day(own))));
            shelf.file(&format!("{name}.md"), day(modified), own.unwrap_or_default())
        };
        for &(name, modified, own) in &files {
            all.push((Reverse(day(own.unwrap_or(modified))), format!("{name}.md")));
            forwards = add(forwards, (name, modified, own));
        }
        for &file in files.iter().rev() {
            backwards = add(backwards, file);
        }
        all.sort();
        let expect: Vec<_> = all.iter().map(|(_, path)| path.as_str()).take(max).collect();
        let (scan, other) = (forwards.scan_at_most(max), backwards.scan_at_most(max));
        // Ten times the number kept is opened at most; up to there the answer is exact.
        if files.len() <= 10 * max {
            prop_assert_eq!(paths(&scan), expect);
        }
        prop_assert_eq!(paths(&scan), paths(&other));
        prop_assert!(scan.headers.len() <= max);
        prop_assert_eq!(scan.total, files.len());
    }

    #[test]
    fn never_panics_and_lists_every_file_that_can_be_read(
        contents in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..200), 0..8),
        fenced: bool,
    ) {
        let shelf = contents.iter().enumerate().fold(Shelf::default(), |shelf, (at, content)| {
            let fence: &[u8] = if fenced { b"---\n" } else { b"" };
            shelf.file(&format!("{at}.md"), day(1), [fence, content, b"\n", fence].concat())
        });
        prop_assert_eq!(shelf.scan().headers.len(), contents.len());
    }
}
