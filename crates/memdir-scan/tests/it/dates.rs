//! Age, caveat, and dates that say nothing.

use memdir_core::{age::Age, frontmatter::DateSource};
use memdir_scan::{DateFrom, Header};

use crate::shelf::{Shelf, day, problems};

fn only(shelf: &Shelf) -> Header {
    let [header] = shelf.scan().headers.try_into().unwrap();
    header
}

fn days(age: Option<Age>) -> Option<u64> {
    age.map(Age::days)
}

#[test]
fn a_memory_is_as_old_as_its_own_date() {
    let check = |frontmatter: &str, expect: (DateFrom, u64)| {
        let shelf = Shelf::default().file("a.md", day(99), format!("---\n{frontmatter}\n---\n"));
        let header = only(&shelf);
        assert_eq!(
            (header.date_from, days(header.age(day(100))).unwrap()),
            expect,
            "{frontmatter}"
        );
    };
    let own = DateFrom::Own;
    check("created: 2026-01-11", (own(DateSource::Created), 90));
    check("created: 2026-01-11\nupdated: 2026-02-10", (own(DateSource::Updated), 60));
    check(
        "updated: 2026-02-10\nmetadata:\n  modified: 2026-03-12",
        (own(DateSource::Modified), 30),
    );
    check("name: a", (DateFrom::File, 1));
    check("created: soon", (DateFrom::File, 1));
    check("created: 2027-01-01", (own(DateSource::Created), 0));
}

#[test]
fn the_caveat_goes_by_what_was_verified() {
    let check = |frontmatter: &str, expect: Option<&str>| {
        let header =
            only(&Shelf::default().file("a.md", day(99), format!("---\n{frontmatter}\n---\n")));
        let caveat = header.caveat(day(100));
        let first = caveat.as_deref().and_then(|caveat| caveat.split(':').next());
        assert_eq!(first, expect, "{frontmatter}");
    };
    check("created: 2026-04-10", None);
    check("created: 2026-04-09", Some("Written 2 days ago"));
    check("created: 2026-01-11\nlast_verified: 2026-04-10", None);
    check("created: 2026-01-11\nlastVerified: 2026-03-12", Some("Last verified 30 days ago"));
    check("updated: 2026-04-10\nlastVerified: 2026-01-11", None);
}

fn touched(files: u8) -> Shelf {
    (0..files).fold(Shelf::default(), |shelf, file| {
        shelf.file(&format!("touched{file}.md"), day(50), "---\nname: a\n---\n")
    })
}

fn unknown(shelf: &Shelf) -> usize {
    shelf.scan().headers.iter().filter(|header| !header.age_known).count()
}

#[test]
fn a_day_on_which_many_files_changed_is_no_day_of_writing() {
    assert_eq!(unknown(&touched(4)), 0, "four files may well be written on one day");
    assert_eq!(unknown(&touched(5)), 5);
    let others = |shelf: Shelf, files: u64| {
        (0..files).fold(shelf, |shelf, file| shelf.file(&format!("{file}.md"), day(file), ""))
    };
    assert_eq!(unknown(&others(touched(5), 20)), 5, "5 of 25 share a day");
    assert_eq!(unknown(&others(touched(5), 21)), 0, "5 of 26 are fewer than a fifth");
}

#[test]
fn files_that_tell_their_day_do_not_make_another_file_ageless() {
    let written = |day_of_file: u64| {
        (0..9).fold(Shelf::default().file("by_hand.md", day(50), ""), |shelf, file| {
            shelf.dated(&format!("{file}.md"), day(day_of_file), "2026-02-20")
        })
    };
    assert_eq!(unknown(&written(50)), 0, "all were written on that day");
    // The same files after a checkout: their own dates no longer account for the day.
    let checked_out = (0..9)
        .fold(Shelf::default().file("by_hand.md", day(60), ""), |shelf, file| {
            shelf.dated(&format!("{file}.md"), day(60), "2026-02-20")
        });
    assert_eq!(unknown(&checked_out), 1);
}

#[test]
fn an_unknown_age_is_said_and_a_verified_one_known_again() {
    let shelf = touched(5).file("v.md", day(50), "---\nlastVerified: 2026-04-10\n---\n").file(
        "w.md",
        day(50),
        "---\nlastVerified: 2026-01-11\n---\n",
    );
    let scan = shelf.scan();
    let caveat = |path: &str| {
        let header = scan.headers.iter().find(|header| header.path.as_str() == path).unwrap();
        (days(header.age(day(100))), header.caveat(day(100)))
    };
    insta::assert_debug_snapshot!(caveat("touched0.md"), @r#"
    (
        None,
        Some(
            "Of unknown age: the dates of these files were reset, as by a copy or a checkout. Code, file names and line numbers may have changed since; look before you state any of it as fact.",
        ),
    )
    "#);
    assert_eq!(caveat("v.md"), (None, None));
    // The time of the file is no reason to disbelieve an earlier date.
    assert!(caveat("w.md").1.unwrap().starts_with("Last verified 90 days ago"));
}

#[test]
fn a_date_ahead_of_the_clock_is_today_and_a_problem() {
    let skewed = Shelf::default()
        .file("now.md", day(100), "")
        .dated("z_ahead.md", day(1), "2099-01-01")
        .file("hours.md", day(100) + std::time::Duration::from_secs(3600), "");
    let scan = skewed.scan();
    assert_eq!(problems(&scan), ["`z_ahead.md`: its date lies in the future; it counts as today"]);
    // It does not stand before what was written today.
    assert_eq!(crate::shelf::paths(&scan), ["hours.md", "now.md", "z_ahead.md"]);
    assert!(scan.headers.iter().all(|header| days(header.age(day(100))) == Some(0)));
}
