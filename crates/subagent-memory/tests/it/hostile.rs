//! Snapshots as a hostile repository would make them.

use std::fs;

use memdir_store::{LocalDir, Options};
use subagent_memory::{META, SnapshotError, files, limits, save, snapshot};

use crate::{content, folder, now, person, store};

/// An error with its sources, in one line.
fn told(error: &SnapshotError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    text
}

fn check_meta(meta: &str, expect: &str) {
    let theirs = store(&[(META, meta), ("a.md", "a")]);
    match snapshot(&theirs, now()) {
        Err(error) => assert_eq!(told(&error), expect, "{meta}"),
        Ok(found) => panic!("{meta}: {found:?}"),
    }
}

#[test]
fn a_date_is_a_date_and_not_in_the_future() {
    let json = |why: &str| format!("`snapshot.json` is not a JSON object: {why}");
    check_meta("", &json("EOF while parsing a value at line 1 column 0"));
    check_meta("{", &json("EOF while parsing an object at line 1 column 1"));
    check_meta("[1]", &json("invalid type: sequence, expected a map at line 1 column 0"));
    check_meta("null", &json("invalid type: null, expected a map at line 1 column 4"));
    check_meta(
        &"[".repeat(10_000),
        &json("invalid type: sequence, expected a map at line 1 column 0"),
    );
    check_meta(&" ".repeat(70_000), "`snapshot.json` is longer than 65536 bytes");
    let no_date = "`snapshot.json` has no text under `updatedAt`";
    check_meta("{}", no_date);
    check_meta(r#"{"updatedAt": 1796029200}"#, no_date);
    check_meta(r#"{"updatedAt": null}"#, no_date);
    check_meta(r#"{"updatedAt": {"a": 1}, "timestamp": "2026-11-30"}"#, no_date);
    let unusable = |why: &str| format!("the date in `snapshot.json` is not usable: {why}");
    let not_a_date =
        |text: &str| unusable(&format!("`{text}` is not a date such as 2026-11-30T09:12:33Z"));
    check_meta(r#"{"updatedAt": ""}"#, &not_a_date(""));
    check_meta(r#"{"updatedAt": "yesterday"}"#, &not_a_date("yesterday"));
    check_meta(r#"{"updatedAt": "2026-13-45"}"#, &not_a_date("2026-13-45"));
    check_meta(r#"{"updatedAt": "\u001b[2J\n2026"}"#, &not_a_date("\\u{1b}[2J\\n2026"));
    check_meta(&format!(r#"{{"updatedAt": "{}"}}"#, "9".repeat(500)), &not_a_date(&"9".repeat(80)));
    check_meta(
        r#"{"updatedAt": "2099-01-01T00:00:00Z"}"#,
        &unusable("`2099-01-01T00:00:00Z` lies in the future"),
    );
    check_meta(
        r#"{"updatedAt": "2026-11-30T09:10:01Z"}"#,
        &unusable("`2026-11-30T09:10:01Z` lies in the future"),
    );
}

#[test]
fn dates_in_other_forms_are_read() {
    let check = |meta: &str, expect: &str| {
        let theirs = store(&[(META, meta), ("a.md", "a")]);
        let found = snapshot(&theirs, now()).expect("readable").expect("there");
        assert_eq!(found.stamp.as_str(), expect);
    };
    check("\u{feff}{\"updatedAt\": \"2026-11-30\"}\r\n", "2026-11-30");
    check(r#"{"timestamp": " 2026-11-30T17:00:00.120+08:00 "}"#, "2026-11-30T17:00:00.120+08:00");
    check(r#"{"updatedAt": "1969-12-31T00:00:00Z"}"#, "1969-12-31T00:00:00Z");
    // Clocks of machines differ a little.
    check(r#"{"updatedAt": "2026-11-30T09:10:00Z"}"#, "2026-11-30T09:10:00Z");
}

/// What reading says of a folder `s` with a good file and whatever `setup` adds, and that nothing of it is copied.
fn check_folder(setup: &str, expect: &str) {
    let temp = folder(&format!(
        "mkdir s; echo outside > secret.md; echo a > s/a.md; \
         echo '{{\"updatedAt\": \"2026-11-30T08:00:00Z\"}}' > s/snapshot.json; cd s; {setup}"
    ));
    let theirs = LocalDir::open(&temp.path().join("s"), Options::default()).expect("it is there");
    match snapshot(&theirs, now()) {
        Err(error) => assert_eq!(told(&error), expect, "{setup}"),
        Ok(found) => panic!("{setup}: {found:?}"),
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_refused_with_its_name() {
    let plain = |name: &str, why: &str| format!("`{name}` is not a plain file: {why}");
    let out = "a link that leads out of the memory directory";
    check_folder("ln -s ../secret.md b.md", &plain("b.md", out));
    check_folder("ln -s $W/secret.md MEMORY.md", &plain("MEMORY.md", out));
    check_folder("ln -s .. up.md", &plain("up.md", out));
    check_folder("ln -s nowhere b.md", &plain("b.md", "a link to nothing"));
    check_folder("mkfifo b.md", &plain("b.md", "a named pipe, not a file"));
    check_folder("> 'a\\b.md'", &plain("a\\b.md", "path `a\\b.md` holds a backslash (U+005C)"));
    check_folder(
        "rm snapshot.json; ln -s ../secret.md snapshot.json",
        "`snapshot.json` is not read: a link that leads out of the memory directory",
    );
    check_folder(
        "rm snapshot.json; mkfifo snapshot.json",
        "`snapshot.json` is a named pipe, not a file",
    );
    check_folder("truncate -s 1T b.md", "there are more than 16777216 bytes");
    check_folder("truncate -s 5M b.md", "`b.md` is larger than 4194304 bytes");
    check_folder("for n in $(seq 1001); do > $n.md; done", "there are more than 1000 files");
    assert_eq!(limits::SNAPSHOT_FILES, 1_000);
}

#[cfg(unix)]
#[test]
fn saving_over_a_link_replaces_nothing_outside() {
    let temp = folder(
        "mkdir s; echo outside > secret.md; ln -s ../secret.md s/a.md; ln -s ../secret.md s/snapshot.json",
    );
    let theirs = LocalDir::open(&temp.path().join("s"), Options::default()).expect("it is there");
    let memory = files(&store(&[("a.md", "a")])).expect("readable");
    let saved = save(&theirs, &memory, now(), &person());
    assert!(saved.is_err(), "{saved:?}");
    assert_eq!(fs::read_to_string(temp.path().join("secret.md")).expect("readable"), "outside\n");
    assert!(content(&store(&[])).is_empty());
}
