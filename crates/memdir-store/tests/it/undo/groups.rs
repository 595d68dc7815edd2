//! A file and its lines of the index are taken back together or both left, and what was left can be tried again.

use std::time::{Duration, UNIX_EPOCH};

use memdir_core::MemoryType;
use memdir_core::frontmatter::{self, Edit, Field, NewMemory};
use memdir_store::{
    Batch, Expect, InMemory, IndexOp, OpId, OpKind, UndoConflict, UndoFault, UndoReport, UndoTarget,
};
use proptest::prelude::*;

use super::{apply, apply_by, line, path, person, put, undo, undo_all};

fn read(store: &InMemory, name: &str) -> Option<String> {
    let bytes = store.disk().files().get(name).cloned();
    bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
}

/// What is left as paths, with whether lines were left too.
fn left(report: &UndoReport) -> Vec<(&str, bool)> {
    report.conflicts.iter().map(|conflict| (conflict.path.as_str(), conflict.has_line)).collect()
}

fn save(store: &InMemory) -> OpId {
    apply(store, &put("a.md", "one\n").index(line("a.md", "a")))
}

#[test]
fn a_line_is_left_with_its_file() {
    let saved_then_edited = |store: &InMemory| {
        let op = save(store);
        apply(store, &put("a.md", "two\n"));
        op
    };
    let saved_then_edited_outside = |store: &InMemory| {
        let op = save(store);
        store.disk().put("a.md", "two\n");
        op
    };
    let edited_twice = |store: &InMemory| {
        save(store);
        let op = apply(store, &put("a.md", "two\n").index(line("a.md", "b")));
        apply(store, &put("a.md", "three\n"));
        op
    };
    let forgotten_then_made = |store: &InMemory| {
        save(store);
        let forget = Batch::new(OpKind::Forget).remove(path("a.md"), Expect::Any);
        let op = apply(store, &forget.index(IndexOp::Remove { path: path("a.md") }));
        store.disk().put("a.md", "two\n");
        op
    };
    for act in [saved_then_edited, saved_then_edited_outside, edited_twice, forgotten_then_made] {
        for others_line in [false, true] {
            let store = InMemory::new();
            let op = act(&store);
            if others_line {
                apply(&store, &put("b.md", "b\n").index(line("b.md", "b")));
            }
            let before = store.disk().files();
            let report = undo(&store, &op);
            assert_eq!(left(&report), [("a.md", true)]);
            assert_eq!((&report.receipt, &report.incomplete), (&None, &vec![op]));
            assert_eq!(store.disk().files(), before, "not even the journal has more");
        }
    }
}

#[test]
fn a_file_is_left_with_its_line_unless_it_goes() {
    let store = InMemory::new();
    let save = apply(&store, &put("a.md", "one\n").index(line("a.md", "a")));
    let edit = apply(&store, &put("a.md", "two\n").index(line("a.md", "b")));
    store.disk().put("MEMORY.md", "- [By hand](a.md) — by hand\n");
    let report = undo(&store, &edit);
    let expect = [(path("a.md"), UndoFault::LineChanged, true)];
    let conflict = |c: UndoConflict| (c.path, c.reason, c.has_line);
    assert_eq!(report.conflicts.into_iter().map(conflict).collect::<Vec<_>>(), expect);
    assert_eq!(read(&store, "a.md").as_deref(), Some("two\n"));

    store.disk().put("a.md", "one\n");
    assert_eq!(left(&undo(&store, &save)), []);
    assert_eq!(read(&store, "a.md"), None);
    assert_eq!(read(&store, "MEMORY.md").as_deref(), Some(""), "no line leads nowhere");
}

#[test]
fn what_is_back_by_hand_takes_its_line_along() {
    let store = InMemory::new();
    apply(&store, &put("a.md", "one\n").index(line("a.md", "a")));
    let edit = apply(&store, &put("a.md", "two\n").index(line("a.md", "b")));
    store.disk().put("a.md", "one\n");
    assert_eq!(left(&undo(&store, &edit)), []);
    assert_eq!(read(&store, "MEMORY.md").as_deref(), Some("- [a.md](a.md) — a\n"));
}

/// Three files with lines in one operation; one of them is changed later.
fn of_three() -> (InMemory, OpId) {
    let store = InMemory::new();
    apply(&store, &put("log.md", "x\n"));
    let op = ["a.md", "b.md"].into_iter().fold(Batch::new(OpKind::Save), |batch, name| {
        batch.put(path(name), "one\n", Expect::Any).index(line(name, name))
    });
    let op = apply(&store, &op.append(path("log.md"), "x\n", Expect::Any));
    apply(&store, &put("a.md", "two\n"));
    (store, op)
}

#[test]
fn what_was_left_stands_and_can_be_tried_again() {
    let (store, op) = of_three();
    let first = undo(&store, &op);
    assert_eq!((left(&first), &first.incomplete), (vec![("a.md", true)], &vec![op.clone()]));
    let index = read(&store, "MEMORY.md");
    assert_eq!(index.as_deref(), Some("- [a.md](a.md) — a.md\n"));
    assert_eq!((read(&store, "b.md"), read(&store, "log.md").as_deref()), (None, Some("x\n")));
    assert_eq!(
        store.last_undoable(Some(&store_newest(&store))).expect("readable"),
        edit_of(&store)
    );

    // Nothing that was taken back is taken back again, whatever it looks like now.
    store.disk().put("b.md", "one\n");
    store.disk().put("log.md", "x\nx\nx\n");
    assert_eq!(left(&undo(&store, &op)), [("a.md", true)]);
    store.disk().put("a.md", "one\n");
    let second = undo(&store, &op);
    assert_eq!((left(&second), &second.incomplete), (vec![], &vec![]));
    assert_eq!((read(&store, "a.md"), read(&store, "b.md").as_deref()), (None, Some("one\n")));
    assert_eq!(read(&store, "log.md").as_deref(), Some("x\nx\nx\n"));
    assert_eq!(read(&store, "MEMORY.md").as_deref(), Some(""));

    let third = undo(&store, &op);
    assert_eq!((third.ops, third.undone_before), (vec![], vec![op.clone()]), "all of it is undone");
    // The second undo took back one file, and only that comes back with it.
    undo(&store, &second.receipt.expect("something was done").op);
    assert_eq!(read(&store, "a.md").as_deref(), Some("one\n"));
    let standing = undo(&store, &op);
    assert_eq!((left(&standing), &standing.ops), (vec![], &vec![op]));
    assert_eq!(read(&store, "log.md").as_deref(), Some("x\nx\nx\n"));
}

fn store_newest(store: &InMemory) -> OpId {
    store.history().expect("readable").next().expect("not empty").expect("readable").id
}

/// The operation before the last, which is the undo.
fn edit_of(store: &InMemory) -> Option<OpId> {
    Some(store.history().expect("readable").nth(1)?.expect("readable").id)
}

#[test]
fn a_run_leaves_a_file_in_all_its_operations() {
    let store = InMemory::new();
    let run = person().run("r");
    let apply_run = |batch: &Batch| apply_by(&store, batch, &run).op;
    let first = apply_run(&put("a.md", "1\n2\n3\n").index(line("a.md", "1")));
    let other = apply_run(&put("b.md", "b\n").index(line("b.md", "b")));
    let last = apply_run(&put("a.md", "1\n2\nX\n").index(line("a.md", "2")));
    store.disk().put("a.md", "Y\n2\nX\n");
    let report = undo_all(&store, &UndoTarget::run("r"));
    assert_eq!(left(&report), [("a.md", true)]);
    assert_eq!(report.ops, [last.clone(), other.clone(), first.clone()]);
    assert_eq!(report.incomplete, [last, first]);
    assert_eq!(read(&store, "a.md").as_deref(), Some("Y\n2\nX\n"), "the last could be taken out");
    assert_eq!(read(&store, "MEMORY.md").as_deref(), Some("- [a.md](a.md) — 2\n"));
    let undoing = store.history().expect("readable").next().expect("not empty").expect("readable");
    assert_eq!((undoing.undoes, undoing.undoes_part), (vec![other], vec![]));
    store.disk().put("a.md", "1\n2\nX\n");
    let again = undo_all(&store, &UndoTarget::run("r"));
    assert_eq!((left(&again), again.ops.len(), again.undone_before.len()), (vec![], 2, 1));
    assert_eq!((read(&store, "a.md"), read(&store, "b.md")), (None, None));
}

#[test]
fn an_undo_of_which_something_was_left_undoes_only_the_rest() {
    let store = InMemory::new();
    let both = put("a.md", "a\n").put(path("b.md"), "b\n", Expect::Any);
    let op = apply(&store, &both);
    let undoing = undo(&store, &op).receipt.expect("something was done").op;
    store.disk().put("a.md", "by hand\n");
    assert_eq!(left(&undo(&store, &undoing)), [("a.md", false)]);
    let report = store.rehearse_undo(&UndoTarget::op(op), &person()).expect("in the journal");
    let changes = report.receipt.into_iter().flat_map(|receipt| receipt.changes);
    let paths: Vec<_> = changes.map(|changed| changed.path).collect();
    assert_eq!(paths, [path("b.md")], "`a.md` is undone still");
}

#[test]
fn the_last_to_undo_is_one_that_can_be() {
    let store = InMemory::new();
    let last = || store.last_undoable(None).expect("readable");
    assert_eq!(last(), None);
    let first = apply(&store, &put("a.md", "a\n").index(line("a.md", "a")));
    let second = apply(&store, &put("b.md", "b\n").index(line("b.md", "b")));
    let forget = Batch::new(OpKind::Forget).remove(path("b.md"), Expect::Any);
    let third = apply(&store, &forget.index(IndexOp::Remove { path: path("b.md") }));
    assert_eq!(last(), Some(third.clone()));
    assert_eq!(
        store.last_undoable(Some(&third)).expect("readable"),
        Some(first.clone()),
        "b is gone"
    );
    undo(&store, &third);
    assert_eq!(last(), Some(second.clone()));
    undo(&store, &second);
    assert_eq!(last(), Some(first.clone()));
    let fourth = apply(&store, &put("c.md", "c\n").index(line("c.md", "c")));
    store.disk().put("c.md", "changed\n");
    assert_eq!(last(), Some(fourth), "the change can be taken out by hand");
    store.disk().take("c.md");
    store.disk().put("MEMORY.md", "- [a.md](a.md) — a\n");
    assert_eq!(last(), Some(first), "it is as it was before");
}

#[test]
fn the_last_to_undo_is_none_that_was_purged() {
    let store = InMemory::new();
    let first = apply(&store, &put("a.md", "a\n").index(line("a.md", "a")));
    apply(&store, &put("b.md", "b\n").index(line("b.md", "b")));
    apply(&store, &put("b.md", "c\n").index(line("b.md", "c")));
    let forget = Batch::new(OpKind::Forget).remove(path("b.md"), Expect::Any);
    let forgotten = apply(&store, &forget.index(IndexOp::Remove { path: path("b.md") }));
    store.purge(&path("b.md"), &person()).expect("purged");
    let report = undo(&store, &forgotten);
    assert_eq!((report.receipt, report.conflicts.is_empty()), (None, false));
    assert_eq!(store.last_undoable(None).expect("readable"), Some(first));
    assert_eq!(store.last_standing().expect("readable"), Some(forgotten));
    let later = apply(&store, &put("c.md", "c\n"));
    assert_eq!(store.last_undoable(None).expect("readable"), Some(later.clone()));
    assert_eq!(store.last_standing().expect("readable"), Some(later));
}

const LINES: usize = 8;

/// A memory with these lines in its body, which the given edits replaced.
fn memory(edits: &[usize]) -> String {
    let body: Vec<_> =
        (0..LINES)
            .map(|at| {
                if edits.contains(&at) { format!("new {at}\n\n") } else { format!("old {at}\n\n") }
            })
            .collect();
    let description = if edits.contains(&LINES) { "new" } else { "old" };
    let body = body.concat();
    frontmatter::render(&NewMemory::new("a", description, Some(MemoryType::User), &body))
}

fn dated(text: &str, day: u64) -> String {
    let at = UNIX_EPOCH + Duration::from_secs(86_400 * (20_000 + day));
    frontmatter::edit(text, &[Edit::Set(Field::Modified(at))]).expect("it has frontmatter")
}

fn undated(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains("modified:")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_of_several_edits_is_taken_out_and_the_others_stay(
        places in Just((0..=LINES).collect::<Vec<_>>()).prop_shuffle(),
        count in 1..=LINES + 1, undone in any::<prop::sample::Index>(),
    ) {
        let store = InMemory::new();
        let hook = |edits: &[usize]| line("a.md", if edits.contains(&LINES) { "new" } else { "old" });
        apply(&store, &put("a.md", &dated(&memory(&[]), 0)).index(hook(&[])));
        let places = &places[..count];
        let edits = (1..=count).map(|count| {
            let edits = &places[..count];
            let text = dated(&memory(edits), count as u64);
            apply(&store, &put("a.md", &text).index(hook(edits)))
        });
        let ops: Vec<OpId> = edits.collect();
        let at = undone.index(count);
        let others: Vec<usize> = places.iter().copied().filter(|place| *place != places[at]).collect();
        let report = undo(&store, &ops[at]);
        prop_assert_eq!(&report.conflicts, &vec![]);
        let found = read(&store, "a.md").expect("it is there");
        prop_assert_eq!(undated(&found), undated(&memory(&others)));
        if at + 1 < count {
            let date = frontmatter::parse(&found).fields.modified;
            let last = dated(&memory(&[]), count as u64);
            prop_assert_eq!(date, frontmatter::parse(&last).fields.modified);
        }
        let text = hook(&others).apply_to("").text;
        prop_assert_eq!(read(&store, "MEMORY.md"), Some(text));
    }
}
