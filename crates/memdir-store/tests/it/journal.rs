//! The journal: what it tells, what it outlives, and how long it lasts.
#![cfg(test)]

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use memdir_core::{Clock, MemPath};
use memdir_store::{
    Action, Actor, ApplyError, Attribution, Batch, Error, Expect, InMemory, IndexOp, LineChanged,
    LoggedState, OpKind, Options, Outside, ReadStore, Refusal, Remedy, Revision, Store, UndoTarget,
    WriteStore, disk::MemDisk,
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

fn segments(disk: &MemDisk) -> Vec<String> {
    let names = disk
        .files()
        .into_keys()
        .filter_map(|path| path.strip_prefix(".memdir/journal/").map(str::to_owned));
    names.collect()
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
fn what_an_unfinished_operation_did_is_no_change_made_elsewhere() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "1\n").index(line("a.md")), &person()).expect("applied");
    store.apply(&put("a.md", "2\n").index(line("b.md")), &person()).expect("applied");
    let journal = disk.files().remove(&segment(1)).expect("a journal");
    let text = String::from_utf8(journal).expect("text");
    let (begun, _) = text.trim_end().rsplit_once('\n').expect("a line that ends it");
    disk.put(&segment(1), format!("{begun}\n"));
    assert!(store.health().expect("readable").unfinished.is_some());
    assert_eq!(store.outside_changes().expect("readable"), []);
    disk.put("a.md", "1\n");
    assert_eq!(store.outside_changes().expect("readable"), [], "it may not have come to it");
    disk.put("a.md", "theirs\n");
    let outside = store.outside_changes().expect("readable");
    assert_eq!(outside.iter().map(|change| &change.path).collect::<Vec<_>>(), [&path("a.md")]);
}

#[test]
fn what_this_store_does_meanwhile_is_no_change_made_elsewhere() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "0\n"), &person()).expect("applied");
    let is_over = AtomicBool::new(false);
    let (is_over, store) = (&is_over, &store);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for number in 1..200 {
                let batch =
                    put("a.md", &format!("{number}\n")).index(line(&format!("{number}.md")));
                store.apply(&batch, &person()).expect("applied");
            }
            is_over.store(true, Ordering::SeqCst);
        });
        while !is_over.load(Ordering::SeqCst) {
            assert_eq!(store.outside_changes().expect("readable"), []);
        }
    });
}

#[test]
fn a_change_made_elsewhere_is_adopted_when_the_file_is_touched() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "ours\n"), &person()).expect("applied");
    store.apply(&put("b.md", "b\n"), &person()).expect("applied");
    assert_eq!(store.outside_changes().expect("readable"), []);
    disk.put("a.md", "theirs\n");
    disk.put("new.md", "new\n");
    disk.take("b.md");
    let outside = store.outside_changes().expect("readable");
    let found: Vec<_> = outside
        .iter()
        .map(|Outside { path, known, found, .. }| (path.as_str(), *known, *found))
        .collect();
    assert_eq!(
        found,
        [
            ("a.md", Some(revision("ours\n")), Some(revision("theirs\n"))),
            ("b.md", Some(revision("b\n")), None),
            ("new.md", None, Some(revision("new\n"))),
        ]
    );
    let receipt = store.apply(&put("a.md", "ours again\n"), &person()).expect("applied");
    assert_eq!(receipt.observed, [path("a.md")]);
    let kinds: Vec<_> = store
        .history()
        .expect("readable")
        .map(|logged| logged.expect("readable"))
        .map(|logged| (logged.kind, logged.files[0].before, logged.files[0].after))
        .take(2)
        .collect();
    assert_eq!(
        kinds,
        [
            (OpKind::Save, Some(revision("theirs\n")), Some(revision("ours again\n"))),
            (OpKind::Observed, Some(revision("ours\n")), Some(revision("theirs\n"))),
        ]
    );
    for text in ["ours\n", "theirs\n", "ours again\n"] {
        let content = store.content(&path("a.md"), Revision::of(text.as_bytes()));
        assert_eq!(content.expect("readable").as_deref(), Some(text.as_bytes()));
    }
    assert_eq!(
        store.heads().expect("readable").get(&path("a.md")),
        Some(&revision("ours again\n"))
    );
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

/// Options with small segments, so that a test of some operations sees many.
fn small(clock: &Now, bytes: u64, runs: usize) -> Options {
    Options::new(Arc::new(clock.clone())).journal(2_000, bytes, runs)
}

#[test]
fn old_segments_go_and_what_is_wanted_stays() {
    let disk = MemDisk::new();
    let clock = now();
    let store = Store::over(disk.clone(), small(&clock, 1_000_000, 3));
    let text = "x".repeat(500);
    let save = |number: u64| {
        let run = person().run(format!("run-{number}"));
        store
            .apply(&put(&format!("m{number}.md"), &format!("{number} {text}")), &run)
            .expect("applied");
    };
    (0..20).for_each(&save);
    let all = segments(&disk);
    assert!(all.len() > 5, "{all:?}");
    clock.0.fetch_add(91 * 24 * 60 * 60, Ordering::SeqCst);
    (20..26).for_each(&save);
    let left = segments(&disk);
    assert!(left.len() < all.len() && !left.contains(&all[0]), "{left:?}");
    let runs: BTreeSet<_> = store
        .history()
        .expect("readable")
        .filter_map(|logged| logged.expect("readable").by?.run)
        .collect();
    assert!(runs.len() >= 3 && runs.contains("run-25"), "{runs:?}");
    assert_eq!(store.heads().expect("readable").len(), 26, "what each file is stays known");
    assert_eq!(store.outside_changes().expect("readable"), []);
    assert_eq!(store.health().expect("readable").unread_lines, 0);
}

#[test]
fn runs_outlive_their_time_but_not_the_size() {
    let disk = MemDisk::new();
    let clock = now();
    let store = Store::over(disk.clone(), small(&clock, 1_000_000, 1_000));
    let save = |store: &InMemory, number: u64| {
        // No text, so that each content is an object.
        let mut bytes = vec![0xff; 700];
        bytes.extend(number.to_be_bytes());
        let batch = Batch::new(OpKind::Save).put(path("m.md"), bytes, Expect::Any);
        store.apply(&batch, &person()).expect("applied");
    };
    for number in 0..40 {
        save(&store, number);
        clock.0.fetch_add(100 * 24 * 60 * 60, Ordering::SeqCst);
    }
    assert_eq!(
        store.history().expect("readable").count(),
        40,
        "so few runs stay whatever their age"
    );
    let objects = |disk: &MemDisk| {
        disk.files().keys().filter(|path| path.starts_with(".memdir/objects/")).count()
    };
    assert_eq!(objects(&disk), 40);

    let capped = Store::over(disk.clone(), small(&clock, 20_000, 1_000));
    for number in 40..60 {
        save(&capped, number);
    }
    let health = capped.health().expect("readable");
    assert!(health.journal_bytes < 25_000, "{health:?}");
    assert!(objects(&disk) < 30, "objects go with the segments that need them");
    let newest = capped.history().expect("readable").next().expect("there").expect("readable");
    capped.undo(&UndoTarget::op(newest.id), &person()).expect("what is left can be undone");
}

#[test]
fn purging_takes_every_word_of_a_memory_out_of_the_journal() {
    let disk = MemDisk::new();
    let store = over(&disk);
    let secret = "hunter2";
    let hook = |name: &str, hook: &str| IndexOp::Upsert {
        path: path(name),
        title: name.to_owned(),
        hook: hook.to_owned(),
    };
    let save = |name: &str, text: &[u8], says: &str| {
        let batch = Batch::new(OpKind::Save).put(path(name), text, Expect::Any);
        store.apply(&batch.index(hook(name, says)), &person()).expect("applied");
    };
    save("s.md", b"hunter2\n", "hunter2 in the hook");
    save("other.md", b"harmless\n", "harmless");
    save("s.md", b"\xff hunter2\n", "still hunter2");
    save("other.md", b"harmless 2\n", "harmless");
    disk.put("s.md", "hunter2 by hand\n");
    save("s.md", b"hunter2 again\n", "hunter2");
    let forget = Batch::new(OpKind::Forget)
        .remove(path("s.md"), Expect::Any)
        .index(IndexOp::Remove { path: path("s.md") });
    let forgotten = store.apply(&forget, &person()).expect("applied").op;

    let refused = store.purge(&path("s.md"), &Attribution::new(Actor::Agent));
    assert!(matches!(refused, Err(ApplyError::Refused { refusal: Refusal::PersonOnly, .. })));
    let holds = |disk: &MemDisk| -> Vec<String> {
        let files = disk.files().into_iter();
        let with = files.filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(secret));
        with.map(|(path, _)| path).collect()
    };
    assert!(!holds(&disk).is_empty());
    assert!(store.purge(&path("s.md"), &person()).expect("purged").records >= 4);
    assert_eq!(holds(&disk), Vec::<String>::new());

    assert_eq!(store.history().expect("readable").count(), 7, "that it happened is still told");
    let content = store.content(&path("other.md"), Revision::of(b"harmless\n"));
    assert_eq!(content.expect("readable").as_deref(), Some(&b"harmless\n"[..]));
    let undone = store.undo(&UndoTarget::op(forgotten), &person()).expect("it is in the journal");
    assert_eq!(undone.receipt, None, "there is nothing left to bring back: {undone:?}");
    assert!(store.purge(&path("s.md"), &person()).expect("purged").is_empty());
    assert_eq!(store.heads().expect("readable").len(), 2);
}

#[test]
fn purging_takes_reasons_and_large_indexes_that_others_wrote_too() {
    let disk = MemDisk::new();
    let store = over(&disk);
    let apply =
        |batch: &Batch, why: &str| store.apply(batch, &person().reason(why)).expect("applied").op;
    let line = |name: &str, hook: &str| IndexOp::Upsert {
        path: path(name),
        title: name.to_owned(),
        hook: hook.to_owned(),
    };
    let put = |name: &str| Batch::new(OpKind::Save).put(path(name), "text\n", Expect::Any);
    apply(&put("s.md").index(line("s.md", "hunter2")), "as hunter2 is the password");
    apply(&put("other.md").index(line("other.md", "harmless")), "harmless");
    // Too large for the journal, and only in it because somebody else wrote it.
    let hand = |name: &str| format!("- [{name}]({name}) — {}\n", "hunter2 ".repeat(200));
    let by_hand: String = std::iter::repeat_with(|| hand("s.md")).take(60).collect();
    disk.put("MEMORY.md", by_hand);
    let whole =
        Batch::new(OpKind::Fix).put(path("MEMORY.md"), "- [o](other.md) — o\n", Expect::Any);
    apply(&whole, "harmless");
    apply(&Batch::new(OpKind::Forget).remove(path("s.md"), Expect::Any), "hunter2 is old");

    let purged = store.purge(&path("s.md"), &person()).expect("purged");
    assert_eq!((purged.reasons, purged.objects, purged.torn_lines), (2, 1, 0), "{purged:?}");
    let held = disk.files().into_iter();
    let held = held.filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("hunter2"));
    assert_eq!(held.map(|(path, _)| path).collect::<Vec<_>>(), Vec::<String>::new());
    let reasons: Vec<_> = (store.history().expect("readable"))
        .filter_map(|logged| logged.expect("readable").by?.reason)
        .collect();
    assert_eq!(reasons, ["harmless", "harmless"], "what others were changed for is still told");
}
