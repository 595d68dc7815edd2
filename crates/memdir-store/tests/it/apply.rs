//! What a batch does to a directory when nothing goes wrong.
#![cfg(test)]

use memdir_core::MemPath;
use memdir_store::{
    Action, Actor, ApplyError, Attribution, Batch, Expect, InMemory, IndexOp, OpKind, ReadStore,
    Revision, UndoTarget, WriteStore,
};

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

fn save(name: &str, body: &str) -> Batch {
    let (title, hook) = (name.to_owned(), "hook".to_owned());
    Batch::new(OpKind::Save).put(path(name), body, Expect::Absent).index(IndexOp::Upsert {
        path: path(name),
        title,
        hook,
    })
}

fn text(store: &impl ReadStore, name: &str) -> Option<String> {
    let bytes = store.read(&path(name)).expect("readable");
    bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
}

#[test]
fn saves_a_memory_with_its_index_line_in_four_syncs() {
    let store = InMemory::new();
    store.apply(&save("first.md", "1\n"), &person()).expect("applied");
    let before = store.disk().counts();
    let receipt = store.apply(&save("second.md", "2\n"), &person()).expect("applied");
    let after = store.disk().counts();
    assert_eq!(text(&store, "second.md").as_deref(), Some("2\n"));
    assert_eq!(
        text(&store, "MEMORY.md").as_deref(),
        Some("- [first.md](first.md) — hook\n- [second.md](second.md) — hook\n")
    );
    assert_eq!(receipt.changes[0].action, Action::Created);
    assert_eq!(after.file_syncs - before.file_syncs, 3, "two files and the intent");
    assert_eq!(after.folder_syncs - before.folder_syncs, 1);
    let undone = store.undo(&UndoTarget::op(receipt.op), &person()).expect("undone");
    assert_eq!(undone.conflicts, []);
    assert_eq!(text(&store, "second.md"), None);
    assert_eq!(text(&store, "MEMORY.md").as_deref(), Some("- [first.md](first.md) — hook\n"));
}

#[test]
fn refuses_what_is_not_as_expected() {
    let store = InMemory::new();
    store.apply(&save("a.md", "1\n"), &person()).expect("applied");
    let old = Revision::of(b"1\n");
    let edit = Batch::new(OpKind::Edit).put(path("a.md"), "2\n", Expect::Unchanged(old));
    store.apply(&edit, &person()).expect("applied");
    let again = store.apply(&edit, &person());
    assert!(matches!(again, Err(ApplyError::Conflict(_))), "{again:?}");
}
