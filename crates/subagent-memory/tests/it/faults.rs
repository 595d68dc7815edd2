//! Whatever step fails, a snapshot or a memory is as before or as it was to be.

use std::{io, sync::Arc};

use memdir_core::FixedClock;
use memdir_store::{
    Options, Store,
    disk::{Fault, Faulty, MemDisk},
};
use subagent_memory::{
    META, Snapshot, Stamp, files, initialize, record_synced, save, snapshot, synced_from,
};

use crate::{content, now, person, put, store};

type OnDisk = Store<Faulty<MemDisk>>;

fn options() -> Options {
    Options::new(Arc::new(FixedClock(now())))
}

/// Runs `work` on a disk with the files `before` that fails at step 1, 2, … in each way, until a run meets no fault.
/// What the next writer finds then is `before` or what `work` makes of it, and the latter where `work` said so.
fn with_every_fault(before: &[(&str, &str)], work: impl Fn(&OnDisk) -> bool) {
    let kinds = [
        Fault::Once(io::ErrorKind::StorageFull),
        Fault::FromThenOn(io::ErrorKind::ReadOnlyFilesystem),
        Fault::Death,
        Fault::DeathWithin,
    ];
    let run = |fault: Option<(u64, Fault)>| {
        let disk = MemDisk::new();
        let whole = Store::over(disk.clone(), options());
        if !before.is_empty() {
            put(&whole, before);
        }
        let faulty = Faulty::new(disk.clone());
        let faulty = match fault {
            Some((step, fault)) => faulty.fault(step, fault),
            None => faulty,
        };
        let faulty = Store::over(faulty, options());
        let is_done = work(&faulty);
        let steps = faulty.disk().steps();
        // The next writer finishes or takes back what was begun.
        put(&whole, &[("next.txt", "next")]);
        let left: Vec<_> = disk.files().into_keys().filter(|name| name.contains(".tmp")).collect();
        assert_eq!(left, Vec::<String>::new(), "{fault:?}");
        (content(&whole), is_done, steps)
    };
    let (after, is_done, steps) = run(None);
    let before = content(&store(before));
    assert!(is_done && after != before && steps > 20, "{steps} steps");
    for fault in kinds {
        for step in 1..=steps {
            let (found, is_done, _) = run(Some((step, fault)));
            assert!(found == before || found == after, "{fault:?} at {step}: {found:#?}");
            assert!(found == after || !is_done, "{fault:?} at {step} went unnoticed");
        }
    }
}

fn theirs() -> Snapshot {
    let date = r#"{"updatedAt": "2026-11-30T08:00:00Z"}"#;
    let files = [(META, date), ("MEMORY.md", "- [A](a.md) — b\n"), ("a.md", "a"), ("s/b.md", "b")];
    snapshot(&store(&files), now()).expect("readable").expect("there")
}

#[test]
fn a_memory_is_filled_in_full_or_not_at_all() {
    let theirs = theirs();
    with_every_fault(&[], |memory| initialize(memory, &theirs, &person()).is_ok());
}

#[test]
fn a_snapshot_is_replaced_in_full_or_not_at_all() {
    let date = r#"{"updatedAt": "2026-11-01T08:00:00Z", "by": "x"}"#;
    let before = [(META, date), ("MEMORY.md", "- [B](b.md) — b\n"), ("a.md", "old"), ("b.md", "b")];
    let memory = [("MEMORY.md", "- [A](a.md) — b\n"), ("a.md", "new"), ("s/c.md", "c")];
    let memory = files(&store(&memory)).expect("readable");
    with_every_fault(&before, |theirs| save(theirs, &memory, now(), &person()).is_ok());
}

#[test]
fn a_record_is_the_one_before_or_the_new_one() {
    let stamp = |date: &str| Stamp::parse(date, now()).expect("a date");
    let (old, new) = (stamp("2026-11-01"), stamp("2026-11-30"));
    for step in 1.. {
        let disk = MemDisk::new();
        let whole = Store::over(disk.clone(), options());
        record_synced(&whole, "/m", &old, &person()).expect("nothing is in the way");
        let faulty = Faulty::new(disk).fault(step, Fault::Once(io::ErrorKind::StorageFull));
        let faulty = Store::over(faulty, options());
        let result = record_synced(&faulty, "/m", &new, &person());
        put(&whole, &[("next.txt", "next")]);
        let found = synced_from(&whole, "/m", now()).expect("readable");
        assert!(found.as_ref() == Some(&new) || (result.is_err() && found.as_ref() == Some(&old)));
        if faulty.disk().steps() < step {
            break;
        }
    }
}
