//! Taking operations back: bytes where nothing changed since, else what can be told apart.
#![cfg(test)]

mod groups;

use std::collections::BTreeMap;

use memdir_core::MemPath;
use memdir_store::{
    Actor, Attribution, Batch, Expect, InMemory, IndexOp, Merge, OpId, OpKind, ReadStore, Receipt,
    UndoConflict, UndoError, UndoFault, UndoReport, UndoTarget, WriteStore, disk::Disk,
};

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

fn apply(store: &InMemory, batch: &Batch) -> OpId {
    apply_by(store, batch, &person()).op
}

fn apply_by(store: &InMemory, batch: &Batch, by: &Attribution) -> Receipt {
    store.apply(batch, by).expect("nothing is in the way")
}

fn batch() -> Batch {
    Batch::new(OpKind::Save)
}

fn put(name: &str, text: &str) -> Batch {
    batch().put(path(name), text, Expect::Any)
}

fn line(name: &str, hook: &str) -> IndexOp {
    IndexOp::Upsert { path: path(name), title: name.to_owned(), hook: hook.to_owned() }
}

/// Undoes an operation, which comes to what was foreseen.
#[track_caller]
fn undo(store: &InMemory, op: &OpId) -> UndoReport {
    undo_all(store, &UndoTarget::op(op.clone()))
}

#[track_caller]
fn undo_all(store: &InMemory, target: &UndoTarget) -> UndoReport {
    let before = store.disk().files();
    let mut foreseen = store.rehearse_undo(target, &person()).expect("it is in the journal");
    assert_eq!(store.disk().files(), before, "nothing is written");
    let report = store.undo(target, &person()).expect("it is in the journal");
    if let (Some(foreseen), Some(receipt)) = (&mut foreseen.receipt, &report.receipt) {
        // Neither is known before.
        foreseen.op.clone_from(&receipt.op);
        foreseen.observed.clone_from(&receipt.observed);
    }
    assert_eq!(foreseen, report);
    report
}

fn files(store: &InMemory) -> BTreeMap<String, String> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let files = store.disk().files().into_iter().filter(|(name, _)| !name.starts_with('.'));
    files.map(|(name, bytes)| (name, text(bytes))).collect()
}

/// Before: `a.md` and its line in an index with prose.
fn begun() -> InMemory {
    let store = InMemory::new();
    store.disk().put("MEMORY.md", "# By hand\n\n- [B](b.md) — b\n\nThe end.\n");
    apply(&store, &put("a.md", "one\ntwo\nthree\n").index(line("a.md", "a")));
    store
}

/// Does something, undoes it, and expects the very bytes of before; then undoes the undoing and expects those of after.
#[track_caller]
fn check_there_and_back(change: &Batch) {
    let store = begun();
    let before = files(&store);
    let op = apply(&store, change);
    let after = files(&store);
    assert_ne!(after, before, "the change changes something");
    let report = undo(&store, &op);
    assert_eq!((&report.ops, &report.conflicts), (&vec![op], &vec![]));
    assert_eq!(files(&store), before);
    let undoing = report.receipt.expect("something was done").op;
    undo(&store, &undoing);
    assert_eq!(files(&store), after, "the undoing is undone");
}

#[test]
fn brings_back_the_bytes_of_every_kind_of_operation() {
    for change in [
        put("new.md", "new\n"),
        put("new.md", "new\n").index(line("new.md", "new")),
        put("deep/er/new.md", "new\n").index(line("deep/er/new.md", "new")),
        put("a.md", "other\n"),
        put("a.md", "other\n").index(line("a.md", "other")),
        put("a.md", ""),
        batch().remove(path("a.md"), Expect::Any),
        batch().remove(path("a.md"), Expect::Any).index(IndexOp::Remove { path: path("a.md") }),
        batch().append(path("a.md"), "four\n", Expect::Any),
        batch().append(path("new.md"), "", Expect::Any),
        batch().append(path("logs/day.md"), "line\n", Expect::Any),
        batch().index(IndexOp::Remove { path: path("b.md") }),
        batch().index(line("b.md", "new hook")).index(line("c.md", "c")),
        batch().put(MemPath::index(), "- [C](c.md)\n", Expect::Any),
        batch().remove(MemPath::index(), Expect::Any),
        put("x.md", "x").put(path("a.md"), "y", Expect::Any).remove(path("x.md"), Expect::Any),
        batch().put(path("a.md"), b"\xff\xfe no text".to_vec(), Expect::Any),
        batch().put(path("a.md"), vec![b'x'; 100_000], Expect::Any),
        batch().append(path("a.md"), vec![b'x'; 100_000], Expect::Any),
        batch().append(path("a.md"), b"\xff".to_vec(), Expect::Any),
    ] {
        check_there_and_back(&change);
    }
}

#[test]
fn an_index_that_the_operation_made_goes_with_it() {
    let store = InMemory::new();
    let op = apply(&store, &put("a.md", "a\n").index(line("a.md", "a")));
    undo(&store, &op);
    assert_eq!(files(&store), BTreeMap::new());
}

#[test]
fn a_run_goes_back_as_a_whole_and_nothing_else_does() {
    let store = begun();
    let run = person().run("dream-7");
    let before = files(&store);
    apply_by(&store, &put("n.md", "1\n").index(line("n.md", "n")), &run);
    apply_by(&store, &put("n.md", "2\n").index(line("n.md", "again")), &run);
    apply_by(&store, &batch().remove(path("a.md"), Expect::Any), &run);
    let after_run = files(&store);
    let report = undo_all(&store, &UndoTarget::run("dream-7"));
    assert_eq!((report.ops.len(), report.conflicts.as_slice()), (3, &[][..]));
    assert_eq!(files(&store), before);

    let again = undo_all(&store, &UndoTarget::run("dream-7"));
    assert_eq!((again.ops, again.undone_before), (vec![], report.ops.clone()));
    assert_eq!(again.receipt, None);
    undo(&store, &report.receipt.expect("something was done").op);
    assert_eq!(files(&store), after_run);
    let third = undo_all(&store, &UndoTarget::run("dream-7"));
    assert_eq!(third.ops.len(), 3);
    assert_eq!(files(&store), before);
}

#[test]
fn changes_of_other_lines_stay() {
    let store = begun();
    let op = apply(&store, &put("a.md", "one\ntwo\nTHREE\n").index(line("a.md", "new")));
    apply(&store, &put("a.md", "ONE\ntwo\nTHREE\n").index(line("c.md", "c")));
    let report = undo(&store, &op);
    assert_eq!(report.conflicts, []);
    let files = files(&store);
    assert_eq!(files["a.md"], "ONE\ntwo\nthree\n");
    assert_eq!(
        files["MEMORY.md"],
        "# By hand\n\n- [B](b.md) — b\n\nThe end.\n- [a.md](a.md) — a\n- [c.md](c.md) — c\n"
    );
}

#[test]
fn a_line_added_to_a_log_is_taken_out_from_between_others() {
    let store = begun();
    let append = |line: &str| batch().append(path("log.md"), line, Expect::Any);
    apply(&store, &append("one\n"));
    let op = apply(&store, &append("two\n"));
    apply(&store, &append("three\n"));
    assert_eq!(undo(&store, &op).conflicts, []);
    assert_eq!(files(&store)["log.md"], "one\nthree\n");
    let again = undo(&store, &op);
    assert_eq!(again.receipt, None, "{again:?}");
    assert_eq!(files(&store)["log.md"], "one\nthree\n");
}

#[test]
fn what_was_changed_since_in_the_same_place_is_left_with_both_to_choose_from() {
    let store = begun();
    let op = apply(&store, &put("a.md", "one\nTWO\nthree\n").put(path("x.md"), "x\n", Expect::Any));
    apply(&store, &put("a.md", "one\n2\nthree\n"));
    let before = files(&store);
    let whole = UndoTarget::op(op.clone()).whole_only();
    let held = undo_all(&store, &whole);
    assert_eq!((held.receipt, held.conflicts.len()), (None, 1));
    assert_eq!(files(&store), before, "all or nothing was asked for");

    let report = undo(&store, &op);
    let [UndoConflict { path: conflict, reason: UndoFault::Changed(Some(merge)), .. }] =
        report.conflicts.as_slice()
    else {
        panic!("{report:?}")
    };
    assert_eq!(conflict, &path("a.md"));
    let Merge { bytes, clean: false, .. } = merge else { panic!("{merge:?}") };
    let text = String::from_utf8_lossy(bytes);
    assert!(text.contains("\n2\n") && text.contains("\ntwo\n"), "{text}");
    let files = files(&store);
    assert_eq!(files["a.md"], "one\n2\nthree\n");
    assert!(!files.contains_key("x.md"), "the rest is undone");
}

#[test]
fn a_file_that_came_or_went_since_is_a_conflict_only_if_it_differs() {
    let created_then_edited = |store: &InMemory| {
        let op = apply(store, &put("n.md", "1\n"));
        apply(store, &put("n.md", "2\n"));
        op
    };
    let removed_then_made = |store: &InMemory| {
        let op = apply(store, &batch().remove(path("a.md"), Expect::Any));
        apply(store, &put("a.md", "new\n"));
        op
    };
    let edited_then_removed = |store: &InMemory| {
        let op = apply(store, &put("a.md", "new\n"));
        apply(store, &batch().remove(path("a.md"), Expect::Any));
        op
    };
    for act in [created_then_edited, removed_then_made, edited_then_removed] {
        let store = begun();
        let op = act(&store);
        let before = files(&store);
        let report = undo(&store, &op);
        let reasons: Vec<_> = report.conflicts.iter().map(|c| c.reason.clone()).collect();
        assert_eq!(reasons, [UndoFault::Changed(None)]);
        assert_eq!(files(&store), before);
    }
    let store = begun();
    let op = apply(&store, &put("n.md", "1\n"));
    apply(&store, &batch().remove(path("n.md"), Expect::Any));
    let report = undo(&store, &op);
    assert_eq!((report.conflicts, report.receipt), (vec![], None), "it is as it was already");
}

#[test]
fn what_is_not_kept_any_more_is_said_to_be_so() {
    let store = begun();
    let op = apply(&store, &put("a.md", "new\n").put(path("b.md"), "b\n", Expect::Any));
    assert!(store.purge(&path("a.md"), &person()).expect("purged").records > 0);
    let report = undo(&store, &op);
    assert_eq!(report.conflicts.len(), 1);
    assert_eq!(report.conflicts[0].reason, UndoFault::NotKept);
    assert_eq!(files(&store)["a.md"], "new\n");
    assert!(!files(&store).contains_key("b.md"));
}

#[test]
fn what_another_program_wrote_meanwhile_stays_when_our_part_goes() {
    use memdir_store::{Options, Store, disk::MemDisk};
    let disk = MemDisk::new();
    let options =
        || Options::new(std::sync::Arc::new(memdir_core::FixedClock(std::time::UNIX_EPOCH)));
    let store: InMemory = Store::over(disk.clone(), options());
    apply(&store, &put("a.md", "one\ntwo\nthree\n"));
    disk.put("a.md", "ONE\ntwo\nthree\n");
    // Found by looking before the swap, and merged.
    let old = memdir_store::Revision::of(b"ONE\ntwo\nthree\n");
    let edit = batch().put(path("a.md"), "ONE\ntwo\n3\n", Expect::Unchanged(old));
    let receipt = apply_by(&store, &edit, &person());
    assert_eq!(receipt.observed, [path("a.md")]);
    undo(&store, &receipt.op);
    assert_eq!(files(&store)["a.md"], "ONE\ntwo\nthree\n");
    let observed = store.history().expect("readable").map(|logged| logged.expect("readable"));
    let observed = observed.filter(|logged| logged.kind == OpKind::Observed).collect::<Vec<_>>();
    assert_eq!((observed.len(), &observed[0].by), (1, &None));
    undo(&store, &observed[0].id);
    assert_eq!(files(&store)["a.md"], "one\ntwo\nthree\n", "and so can theirs be");
}

#[test]
fn an_agent_does_not_undo_what_a_person_pinned() {
    let store = begun();
    let pinned = "---\nmetadata:\n  pinned: true\n---\n";
    let op = apply(&store, &put("a.md", pinned));
    let refused = store.undo(&UndoTarget::op(op), &Attribution::new(Actor::Agent));
    let chain = match refused {
        Err(error @ UndoError::Apply { .. }) => {
            std::error::Error::source(&error).expect("it says why").to_string()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(chain, "`a.md` is pinned, and only a person changes what is pinned");
}

#[test]
fn what_was_never_done_cannot_be_undone() {
    let store = begun();
    let unknown: OpId = "20200101-000000-00000000".parse().expect("well formed");
    for target in [UndoTarget::op(unknown), UndoTarget::run("no such run")] {
        let refused = store.undo(&target, &person());
        assert!(matches!(refused, Err(UndoError::Unknown { .. })), "{refused:?}");
    }
    let refused = store.apply(&put("a.md", "x").put(path("A.md"), "y", Expect::Any), &person());
    refused.expect_err("a twin");
    assert_eq!(store.history().expect("readable").count(), 1);
    let read = store.read(&path("a.md")).expect("readable");
    assert_eq!(read.as_deref(), Some(&b"one\ntwo\nthree\n"[..]));
}

#[test]
fn folders_that_were_made_go_with_their_last_file() {
    let store = begun();
    let exists = |folder: &str| store.disk().stat(folder).expect("readable").is_some();
    let deep = apply(&store, &put("made/in/a.md", "a\n").index(line("made/in/a.md", "a")));
    let beside = apply(&store, &put("made/b.md", "b\n").put(path("made-2.md"), "c\n", Expect::Any));
    undo(&store, &deep);
    assert_eq!((exists("made/in"), exists("made")), (false, true), "`made/b.md` is there");
    undo(&store, &beside);
    assert!(!exists("made"), "the journal tells who made it");

    store.disk().put("by-hand/theirs.md", "theirs\n");
    let ours = apply(&store, &put("by-hand/ours.md", "ours\n"));
    undo(&store, &ours);
    apply(&store, &batch().remove(path("by-hand/theirs.md"), Expect::Any));
    assert!(exists("by-hand"), "somebody else made it");

    let shared = apply(&store, &put("shared/ours.md", "ours\n"));
    store.disk().put("shared/notes.txt", "theirs\n");
    undo(&store, &shared);
    assert!(exists("shared"), "somebody else has something in it");
}
