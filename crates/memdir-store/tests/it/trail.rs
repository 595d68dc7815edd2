//! The trail: lines come back, it stays small, and nothing that goes wrong with one line touches another.
#![cfg(all(test, feature = "testing"))]

use std::{io::ErrorKind, sync::Arc, time::SystemTime};

use memdir_core::FixedClock;
use memdir_store::{
    Error, Options, Store,
    disk::{Disk, Fault, Faulty, MemDisk},
    limits::{TRAIL_BYTES, TRAIL_LINE_BYTES},
};
use proptest::prelude::*;

const TRAIL: &str = ".memdir/events.jsonl";
const OLD: &str = ".memdir/events.old.jsonl";

fn store<D: Disk>(disk: D) -> Store<D> {
    Store::over(disk, Options::new(Arc::new(FixedClock(SystemTime::UNIX_EPOCH))))
}

fn lines<D: Disk>(store: &Store<D>, max_bytes: u64) -> Vec<String> {
    let trail = store.trail(max_bytes).expect("a healthy disk is readable");
    trail.lines().map(str::to_owned).collect()
}

/// A disk whose trail files hold these bytes; `None` for no file.
fn disk_with(newer: Option<&[u8]>, older: Option<&[u8]>) -> MemDisk {
    let disk = MemDisk::new();
    for (path, bytes) in [(TRAIL, newer), (OLD, older)] {
        if let Some(bytes) = bytes {
            disk.put(path, bytes);
        }
    }
    disk
}

#[test]
fn lines_come_back_oldest_first_from_both_files() {
    let check = |newer, older, max, expect: &[&str]| {
        assert_eq!(
            lines(&store(disk_with(newer, older)), max),
            expect,
            "{newer:?} {older:?} {max}"
        );
    };
    check(None, None, 99, &[]);
    check(Some(b""), None, 99, &[]);
    check(Some(b"3\n4\n"), Some(b"1\n2\n"), 99, &["1", "2", "3", "4"]);
    check(None, Some(b"1\n2\n"), 99, &["1", "2"]);
    // What does not fit is the oldest, and no part of a line is taken for a line.
    check(Some(b"333\n444\n"), Some(b"111\n222\n"), 8, &["333", "444"]);
    check(Some(b"333\n444\n"), Some(b"111\n222\n"), 7, &["444"]);
    check(Some(b"333\n444\n"), Some(b"111\n222\n"), 14, &["222", "333", "444"]);
    check(Some(b"333\n444\n"), None, 0, &[]);
    // Torn at the end, padded by a crash, not UTF-8.
    check(Some(b"3\n4\n5"), Some(b"1\n2"), 99, &["1", "3", "4"]);
    check(Some(b"3\n\n\n\xff\n4\n"), None, 99, &["3", "4"]);
}

#[test]
fn a_line_goes_behind_a_torn_one_and_not_into_it() {
    let store = store(disk_with(Some(b"1\n{\"torn"), None));
    store.add_to_trail("2").expect("added");
    assert_eq!(lines(&store, 99), ["1", "{\"torn", "2"]);
}

#[test]
fn the_first_line_makes_a_private_folder_that_version_control_passes_over() {
    let disk = MemDisk::new();
    store(disk.clone()).add_to_trail("1").expect("added");
    let files: Vec<_> = disk.files().into_iter().collect();
    let expect = [(".memdir/.gitignore", "*\n"), (TRAIL, "1\n")];
    assert_eq!(files, expect.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
    assert_eq!(disk.counts().file_syncs + disk.counts().folder_syncs, 0);
}

#[test]
fn it_stays_within_two_files_and_keeps_the_newest() {
    let disk = MemDisk::new();
    let store = store(disk.clone());
    let line = |number: usize| format!("{number:0>4000}");
    let count = 3 * usize::try_from(TRAIL_BYTES).expect("it is small") / 4000;
    for number in 0..count {
        store.add_to_trail(&line(number)).expect("added");
        for (path, bytes) in disk.files() {
            assert!(bytes.len() as u64 <= TRAIL_BYTES, "{path}: {}", bytes.len());
        }
    }
    let kept = lines(&store, u64::MAX);
    assert!(kept.len() as u64 * 4001 > TRAIL_BYTES, "{} lines are less than a file", kept.len());
    assert_eq!(kept, (count - kept.len()..count).map(line).collect::<Vec<_>>());
    assert_eq!(disk.files().into_keys().collect::<Vec<_>>(), [".memdir/.gitignore", TRAIL, OLD]);
}

#[test]
fn a_line_without_bound_is_refused() {
    let disk = MemDisk::new();
    let result = store(disk.clone()).add_to_trail(&"x".repeat(TRAIL_LINE_BYTES + 1));
    assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");
    assert_eq!(disk.files().len(), 0);
}

#[test]
fn whatever_step_fails_the_other_lines_stay_and_more_can_be_added() {
    let full = "f".repeat(4000) + "\n";
    let full = full.repeat(usize::try_from(TRAIL_BYTES).expect("it is small") / full.len());
    let begun: [fn(&str) -> MemDisk; 4] = [
        |_| MemDisk::new(),
        |_| disk_with(Some(b"1\n"), None),
        |_| disk_with(Some(b"1\n{torn"), None),
        |full| disk_with(Some(full.as_bytes()), Some(b"1\n")),
    ];
    let mut failed = 0;
    for begin in begun {
        for kind in [ErrorKind::StorageFull, ErrorKind::ReadOnlyFilesystem, ErrorKind::Other] {
            for step in 1.. {
                let disk = begin(&full);
                let before = lines(&store(disk.clone()), u64::MAX);
                let faulty = store(Faulty::new(disk.clone()).fault(step, Fault::FromThenOn(kind)));
                let result = faulty.add_to_trail("new");
                let is_past_the_end = faulty.disk().steps() < step;
                assert_eq!(result.is_ok(), is_past_the_end, "step {step}: {result:?}");
                if is_past_the_end {
                    break;
                }
                failed += 1;
                store(disk.clone()).add_to_trail("next").expect("a healthy disk takes a line");
                let mut after = lines(&store(disk), u64::MAX);
                // What was left of the line that failed is a line that says nothing.
                after.retain(|line| !matches!(&**line, "n" | "ne" | "new" | "{torn"));
                let mut expect = before;
                expect.push("next".to_owned());
                expect.retain(|line| line != "{torn");
                assert!(
                    expect.ends_with(&after) && after.len() > 1 || after == expect,
                    "{kind}, step {step}: {after:?}"
                );
            }
        }
    }
    assert!(failed > 20, "{failed}");
}

proptest! {
    #[test]
    fn whatever_the_files_hold_a_new_line_is_the_last(
        newer in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'a')], 0..200),
        older in prop::option::of(prop::collection::vec(any::<u8>(), 0..200)),
        max in 0_u64..500,
    ) {
        let store = store(disk_with(Some(&newer), older.as_deref()));
        lines(&store, max);
        store.add_to_trail("{\"a\": 1}").expect("added");
        let found = lines(&store, 500);
        prop_assert_eq!(found.last().map(String::as_str), Some("{\"a\": 1}"));
        let trail = store.trail(500).expect("readable");
        for word in ["", "a", "aa", "\u{e9}", "{\"a\": 1}", "1}"] {
            let with: Vec<_> = trail.lines().filter(|line| line.contains(word)).collect();
            prop_assert_eq!(trail.lines_with(word), with, "{}", word);
        }
    }
}

#[cfg(all(feature = "fs", unix))]
mod local {
    #![expect(clippy::disallowed_methods, reason = "tests arrange and look at files")]

    use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

    use memdir_store::LocalDir;
    use tempfile::TempDir;

    use super::*;

    fn open(path: &Path) -> LocalDir {
        LocalDir::open(path, Options::default()).expect("the directory is there")
    }

    #[test]
    fn writers_at_once_lose_no_line_and_only_the_owner_reads_them() {
        let root = TempDir::new().expect("a place for tests");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let store = open(root.path());
                scope.spawn(move || {
                    for number in 0..50 {
                        store.add_to_trail(&format!("{writer} {number}")).expect("added");
                    }
                });
            }
        });
        let mut found = lines(&open(root.path()), u64::MAX);
        found.sort();
        let mut expect: Vec<_> =
            (0..8).flat_map(|w| (0..50).map(move |n| format!("{w} {n}"))).collect();
        expect.sort();
        assert_eq!(found, expect);
        for (path, mode) in [(".memdir", 0o700), (TRAIL, 0o600), (".memdir/.gitignore", 0o600)] {
            let metadata = fs::symlink_metadata(root.path().join(path)).expect("there");
            assert_eq!(metadata.permissions().mode() & 0o7777, mode, "{path}");
        }
    }

    #[test]
    fn a_trail_that_is_no_file_of_its_own_is_neither_waited_for_nor_written_into() {
        let check = |setup: &str, goes_on: bool| {
            let root = TempDir::new().expect("a place for tests");
            let script = format!("mkdir w w/.memdir out; echo theirs > out/file; cd w; {setup}");
            let status = Command::new("sh").args(["-euc", &script]).current_dir(&root).status();
            assert!(status.expect("every system has a shell").success(), "{setup}");
            let store = open(&root.path().join("w"));
            assert_eq!(store.add_to_trail("1").is_ok(), goes_on, "{setup}");
            let theirs = fs::read_to_string(root.path().join("out/file")).expect("readable");
            assert_eq!(theirs, "theirs\n", "{setup}");
        };
        check("ln -s ../../out/file .memdir/events.jsonl", false);
        check("ln -s ../../out/new .memdir/events.jsonl", false);
        check("rmdir .memdir; ln -s ../out .memdir", false);
        check("mkfifo .memdir/events.jsonl", false);
        check("mkdir .memdir/events.jsonl", false);
        check("ln ../out/file .memdir/events.jsonl", true);
        check("ln ../out/file .memdir/events.jsonl; ln ../out/file .memdir/events.old.jsonl", true);
    }
}
