//! What is left of a memory that was purged.

use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Expect, IndexOp, OpKind, Refusal, Revision, UndoTarget,
    WriteStore, disk::MemDisk,
};

use super::{over, path, person};

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
