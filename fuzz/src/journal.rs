//! The journal: whatever stands in it, reading it never panics, and the next writer leaves a sound
//! directory without touching what the journal does not name.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use memdir_core::{FixedClock, MemPath};
use memdir_store::disk::MemDisk;
use memdir_store::{
    Actor, Attribution, Batch, Expect, InMemory, IndexOp, OpKind, Options, ReadStore, Store,
    UndoTarget, WriteStore,
};

const JOURNAL: &str = ".memdir/journal/00000001.jsonl";
/// No seed names these two, so no damaged seed has their hashes.
const KEPT: [(&str, &str); 2] = [("kept.md", "kept\n"), ("sub/also_kept.md", "also kept\n")];
const INDEX: &str = "- [Kept](kept.md) — stays\n";
const ADDED: &str = "added.md";

/// Takes any bytes for the journal that a writer left when it died.
pub fn check(data: &[u8]) {
    let disk = MemDisk::new();
    for (path, text) in KEPT {
        disk.put(path, text);
    }
    disk.put("MEMORY.md", INDEX);
    disk.put("project_database.md", "old\n");
    disk.put(JOURNAL, data);
    // What is left in the lock tells that its holder died.
    disk.put(".memdir/lock", "{\"pid\":1}\n");
    let clock = Arc::new(FixedClock(SystemTime::UNIX_EPOCH));
    let store = Store::over(disk, Options::new(clock).lock_wait(Duration::ZERO));

    look(&store);
    write(&store);
    look(&store);
    for (path, text) in KEPT {
        assert_eq!(store.disk().files().get(path).map(Vec::as_slice), Some(text.as_bytes()));
    }
}

/// Reads all that can be read without the lock.
fn look(store: &InMemory) {
    if let Ok(history) = store.history() {
        for logged in history.flatten() {
            let revisions = logged.files.iter().flat_map(|file| [file.before, file.after]);
            for (file, revision) in logged.files.iter().zip(revisions.flatten()) {
                drop(store.content(&file.path, revision));
            }
        }
    }
    drop((store.health(), store.heads(), store.outside_changes()));
}

/// Saves, fixes and undoes; a refusal is an answer, and leaves no temporary file either.
fn write(store: &InMemory) {
    let by = Attribution::new(Actor::User);
    let added = MemPath::parse(ADDED).expect("a plain name");
    let line =
        IndexOp::Upsert { path: added.clone(), title: "Added".into(), hook: "by a test".into() };
    let batch = Batch::new(OpKind::Save).put(added.clone(), "added\n", Expect::Any).index(line);
    match store.apply(&batch, &by) {
        Ok(receipt) => {
            assert_eq!(store.read(&added).ok().flatten().as_deref(), Some(&b"added\n"[..]));
            let mended = store.fix().expect("a directory that was just written to");
            assert!(mended.recovered.is_empty(), "the writer before finishes all: {mended:?}");
            let health = store.health().expect("a journal that was just written to");
            assert_eq!((health.unfinished, &*health.temps), (None, &[][..]));
            if receipt.has_changes() {
                let target = UndoTarget::op(receipt.op);
                let report = store.undo(&target, &by).expect("an operation just done");
                assert!(report.conflicts.is_empty(), "{report:?}");
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error:?}"),
    }
    let files = store.disk().files();
    let temps: Vec<_> = files.keys().filter(|path| path.ends_with(".tmp")).collect();
    assert!(temps.is_empty(), "{temps:?}");
}
