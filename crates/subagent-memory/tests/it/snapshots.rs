//! Snapshots: how a memory stands to one, filling a memory from one, saving one.

use std::time::Duration;

use memdir_store::{InMemory, ReadStore, UndoTarget};
use subagent_memory::{
    InitError, META, SaveError, Saved, Stamp, State, Status, files, initialize, record_synced,
    save, snapshot, synced_from,
};

use crate::{content, now, person, put, store};

const DATE: &str = r#"{"updatedAt": "2026-11-30T08:00:00Z"}"#;

fn status(memory: &InMemory, theirs: &InMemory, state: &InMemory) -> Status {
    let snapshot = snapshot(theirs, now()).expect("readable");
    let synced = synced_from(state, "/m", now()).expect("readable");
    Status::of(&files(memory).expect("readable"), snapshot.as_ref(), synced)
}

fn record(state: &InMemory, date: &str) {
    let stamp = Stamp::parse(date, now()).expect("a date");
    record_synced(state, "/m", &stamp, &person()).expect("nothing is in the way");
}

#[test]
fn the_state_follows_from_memory_snapshot_and_record() {
    let none: &[(&str, &str)] = &[];
    let theirs: &[_] = &[(META, DATE), ("a.md", "a")];
    let ours: &[_] = &[("a.md", "b")];
    let check = |memory: &[_], snapshot: &[_], synced: Option<&str>, expect: State| {
        let state = InMemory::new();
        if let Some(date) = synced {
            record(&state, date);
        }
        let status = status(&store(memory), &store(snapshot), &state);
        assert_eq!(status.state, expect, "{memory:?} {snapshot:?} {synced:?}");
        assert_eq!(status.synced_from.as_ref().map(Stamp::as_str), synced);
        let date = (snapshot == theirs).then_some("2026-11-30T08:00:00Z");
        assert_eq!(status.snapshot.as_ref().map(Stamp::as_str), date);
    };
    let [earlier, same, later] =
        ["2026-11-30T07:59:59.999Z", "2026-11-30T09:00:00+01:00", "2026-11-30T08:00:01Z"];
    check(none, none, None, State::None);
    check(none, none, Some(same), State::None);
    check(ours, none, None, State::None);
    // A date without files, and files without a date, are no snapshot.
    check(ours, &[(META, DATE)], None, State::None);
    check(none, &[(META, DATE)], None, State::None);
    check(ours, ours, None, State::None);
    check(none, theirs, None, State::Initialize);
    check(none, theirs, Some(same), State::Initialize);
    check(&[("MEMORY.md", "")], theirs, None, State::PromptUpdate);
    check(ours, theirs, None, State::PromptUpdate);
    check(ours, theirs, Some(earlier), State::PromptUpdate);
    check(ours, theirs, Some(same), State::None);
    check(ours, theirs, Some(later), State::None);
}

#[test]
fn an_empty_memory_is_filled_once_and_never_again() {
    let theirs =
        [(META, DATE), ("MEMORY.md", "- [A](a.md) — b\n"), ("a.md", "a"), ("sub/b.md", "b")];
    let theirs = snapshot(&store(&theirs), now()).expect("readable").expect("there");
    let memory = InMemory::new();
    initialize(&memory, &theirs, &person()).expect("it is empty");
    let expect = [("MEMORY.md", "- [A](a.md) — b\n"), ("a.md", "a"), ("sub/b.md", "b")];
    let owned = |files: &[(&str, &str)]| -> Vec<_> {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    assert_eq!(content(&memory), owned(&expect));

    put(&memory, &[("a.md", "mine")]);
    let again = initialize(&memory, &theirs, &person());
    assert!(matches!(again, Err(InitError::NotEmpty)), "{again:?}");
    let one = store(&[("other.md", "mine")]);
    assert!(matches!(initialize(&one, &theirs, &person()), Err(InitError::NotEmpty)));
    assert_eq!(content(&one), owned(&[("other.md", "mine")]));

    let fresh = InMemory::new();
    let made = initialize(&fresh, &theirs, &person()).expect("it is empty").op;
    fresh.undo(&UndoTarget::op(made), &person()).expect("undone");
    assert_eq!(content(&fresh), []);
}

#[test]
fn saving_replaces_the_snapshot_as_a_whole_and_equal_files_change_nothing() {
    let memory = store(&[("MEMORY.md", "- [A](a.md) — b\n"), ("a.md", "a"), ("sub/b.md", "b")]);
    let theirs = InMemory::new();
    let save_at = |seconds| {
        let files = files(&memory).expect("readable");
        save(&theirs, &files, now() + Duration::from_secs(seconds), &person()).expect("saved")
    };
    let told = |saved: &Saved| match saved {
        Saved::Written { stamp, files, removed } => {
            format!("{} {files} {removed}", stamp.as_str())
        }
        Saved::Unchanged(stamp) => format!("{} unchanged", stamp.as_str()),
        other => panic!("{other:?}"),
    };
    assert_eq!(told(&save_at(0)), "2026-11-30T09:00:00Z 3 0");
    let first = content(&theirs);
    assert_eq!(
        first.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["MEMORY.md", "a.md", META, "sub/b.md"]
    );
    assert_eq!(first[2].1, "{\n  \"updatedAt\": \"2026-11-30T09:00:00Z\"\n}\n");
    assert_eq!(told(&save_at(60)), "2026-11-30T09:00:00Z unchanged");
    assert_eq!(content(&theirs), first);

    put(&memory, &[("a.md", "new")]);
    let remove = memdir_store::Batch::new(memdir_store::OpKind::Forget)
        .remove(crate::path("sub/b.md"), memdir_store::Expect::Any);
    memdir_store::WriteStore::apply(&memory, &remove, &person()).expect("removed");
    // Within the same second the date still moves on, or others would not see the change.
    assert_eq!(told(&save_at(0)), "2026-11-30T09:00:01Z 2 1");
    assert!(theirs.read(&crate::path("sub/b.md")).expect("readable").is_none());
}

#[test]
fn what_other_programs_put_beside_the_date_stays() {
    let memory = files(&store(&[("a.md", "a")])).expect("readable");
    let check = |before: &str, expect: &str| {
        let theirs = store(&[(META, before), ("old.md", "old")]);
        save(&theirs, &memory, now(), &person()).expect("saved");
        let text = theirs.read(&crate::path(META)).expect("readable").expect("there");
        assert_eq!(String::from_utf8(text).expect("text"), expect);
        assert_eq!(content(&theirs).len(), 2);
    };
    let date = "\"updatedAt\": \"2026-11-30T09:00:00Z\"";
    check(
        r#"{"timestamp": "2026-01-01", "by": "x"}"#,
        &format!("{{\n  \"by\": \"x\",\n  {date}\n}}\n"),
    );
    let plain = format!("{{\n  {date}\n}}\n");
    check("not JSON", &plain);
    check("[]", &plain);
    check(r#"{"updatedAt": "2099-01-01T00:00:00Z"}"#, &plain);
    check(&format!("{{\"x\": \"{}\"}}", "y".repeat(70_000)), &plain);
}

#[test]
fn nothing_is_not_saved() {
    let empty = files(&InMemory::new()).expect("readable");
    let theirs = store(&[(META, DATE), ("a.md", "a")]);
    let before = content(&theirs);
    assert!(matches!(save(&theirs, &empty, now(), &person()), Err(SaveError::Empty)));
    assert_eq!(content(&theirs), before);
}

#[test]
fn a_damaged_record_is_none_and_each_memory_has_its_own() {
    let state = InMemory::new();
    record(&state, "2026-11-30T08:00:00Z");
    let read = |directory: &str| {
        let stamp = synced_from(&state, directory, now()).expect("readable");
        stamp.map(|stamp| stamp.as_str().to_owned())
    };
    assert_eq!(read("/m").as_deref(), Some("2026-11-30T08:00:00Z"));
    assert_eq!(read("/n"), None);
    let name = format!("{}.json", memdir_core::project_key::memdir("/m"));
    for damaged in [
        "",
        "{",
        "[]",
        r#"{"directory": "/x", "syncedFrom": "2026-11-30"}"#,
        r#"{"directory": "/m", "syncedFrom": "2099-01-01"}"#,
    ] {
        put(&state, &[(&name, damaged)]);
        assert_eq!(read("/m"), None, "{damaged}");
    }
}
