//! The journal: what it tells, and what is believed of it.
#![cfg(test)]

mod elsewhere;
mod purged;
mod retained;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use memdir_core::{Clock, MemPath};
use memdir_store::{
    Action, Actor, ApplyError, Attribution, Batch, Error, Expect, InMemory, IndexOp, LineChanged,
    LoggedState, OpKind, Options, ReadStore, Remedy, Revision, Store, WriteStore, disk::MemDisk,
};

const START: u64 = 1_796_029_953;

/// A clock that a test sets.
#[derive(Clone)]
struct Now(Arc<AtomicU64>);

impl Clock for Now {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

fn now() -> Now {
    Now(Arc::new(AtomicU64::new(START)))
}

fn over(disk: &MemDisk) -> InMemory {
    Store::over(disk.clone(), Options::new(Arc::new(now())))
}

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

fn put(name: &str, text: &str) -> Batch {
    Batch::new(OpKind::Save).put(path(name), text, Expect::Any)
}

fn line(name: &str) -> IndexOp {
    IndexOp::Upsert { path: path(name), title: name.to_owned(), hook: "a hook".to_owned() }
}

fn revision(text: &str) -> Revision {
    Revision::of(text.as_bytes())
}

fn segment(number: u64) -> String {
    format!(".memdir/journal/{number:08}.jsonl")
}

#[test]
fn tells_who_when_what_and_why() {
    let store = over(&MemDisk::new());
    let worker = Attribution::new(Actor::Worker("dream".into()));
    let worker = worker.run("run-1").session("session-1").reason("two memories said the same");
    store.apply(&put("a.md", "1\n").index(line("a.md")), &worker).expect("applied");
    let edit = Batch::new(OpKind::Named("merge".into()))
        .put(path("a.md"), "2\n", Expect::Any)
        .remove(path("b.md"), Expect::Any);
    store.apply(&edit, &person()).expect("applied");

    let history = store.history().expect("readable");
    let [newest, oldest] = history
        .map(|logged| logged.expect("readable"))
        .collect::<Vec<_>>()
        .try_into()
        .expect("two");
    assert_eq!(newest.kind, OpKind::Named("merge".into()));
    let changes: Vec<_> =
        newest.files.iter().map(|f| (f.path.as_str(), f.action, f.before, f.after)).collect();
    assert_eq!(changes, [("a.md", Action::Updated, Some(revision("1\n")), Some(revision("2\n")))]);
    assert_eq!((oldest.by, oldest.state), (Some(worker), LoggedState::Done));
    assert_eq!(oldest.at, now().now());
    assert!(oldest.id.as_str().starts_with("20261130-091233-"), "{}", oldest.id);
    let lines = [LineChanged::new(path("a.md"), None, Some("- [a.md](a.md) — a hook".into()))];
    assert_eq!(oldest.lines, lines);
    let content = store.content(&path("a.md"), Revision::of(b"1\n")).expect("readable");
    assert_eq!(content.as_deref(), Some(&b"1\n"[..]));
}

#[test]
fn a_conflict_offers_both_sides_together() {
    let store = over(&MemDisk::new());
    let (base, ours, theirs) = ("1\n2\n3\n", "1\n2\nours\n", "theirs\n2\n3\n");
    store.apply(&put("a.md", base), &person()).expect("applied");
    store.apply(&put("a.md", theirs), &person()).expect("applied");
    let expect = Expect::Unchanged(Revision::of(base.as_bytes()));
    let stale = Batch::new(OpKind::Edit).put(path("a.md"), ours, expect);
    let Err(ApplyError::Conflict(conflicts)) = store.apply(&stale, &person()) else {
        panic!("the file has changed")
    };
    let merge = conflicts[0].merge.clone().expect("the journal knows what it was made for");
    assert_eq!((merge.bytes.as_slice(), merge.clean), (&b"theirs\n2\nours\n"[..], true));
    assert_eq!(store.read(&path("a.md")).expect("readable").as_deref(), Some(theirs.as_bytes()));
}

#[test]
fn what_the_heads_file_says_is_believed_only_where_the_journal_agrees() {
    let disk = MemDisk::new();
    let store = over(&disk);
    let heads = ".memdir/heads.json";
    let text = "x".repeat(3_000);
    for number in 0..60 {
        store
            .apply(&put(&format!("m{}.md", number % 7), &format!("{number}{text}")), &person())
            .expect("applied");
    }
    let good = disk.files().remove(heads).expect("the journal is long enough for one");
    let expected = store.heads().expect("readable");
    assert_eq!(expected.len(), 7);
    let stale =
        String::from_utf8(good.clone()).expect("JSON").replace("\"offset\":", "\"offset\":1");
    for bad in [b"".to_vec(), b"\0\0".to_vec(), b"{}".to_vec(), stale.into_bytes()] {
        disk.put(heads, bad);
        assert_eq!(store.heads().expect("readable"), expected);
    }
    disk.put(heads, good);
    assert_eq!(store.heads().expect("readable"), expected);
}

#[test]
fn a_journal_of_a_newer_version_is_left_alone() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "1\n"), &person()).expect("applied");
    let mut journal = disk.files().remove(&segment(1)).expect("there");
    journal.extend_from_slice(b"{\"t\":\"intent\",\"v\":2,\"id\":\"x\",\"what\":\"is this\"}\n");
    disk.put(&segment(1), journal.clone());
    let refused = store.apply(&put("a.md", "2\n"), &person());
    assert!(
        matches!(refused, Err(ApplyError::Store(Error::NewerFormat { version: 2, .. }))),
        "{refused:?}"
    );
    let health = store.health().expect("readable");
    let faults: Vec<_> =
        health.faults.iter().map(|fault| (fault.path.as_str(), fault.remedy)).collect();
    assert_eq!((health.unread_lines, faults), (0, vec![(&*segment(1), Remedy::Update)]));
    assert_eq!(disk.files().remove(&segment(1)).as_deref(), Some(journal.as_slice()));
    assert_eq!(store.read(&path("a.md")).expect("readable").as_deref(), Some(&b"1\n"[..]));
    assert_eq!(store.history().expect("readable").count(), 1, "what is known is told");
}
