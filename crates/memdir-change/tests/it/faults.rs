//! A disk that fails at any step: memories are as before or as decided, and the inbox can be read.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use memdir_change::{Inbox, Plan, Policy, Snapshot, Terms, Tombstones, apply, commit, validate};
use memdir_store::Store;
use memdir_store::disk::{Disk, Fault, Faulty, MemDisk};

use crate::kit::{SAID, create, delete, memory, messages, now, over, person, save, worker};

fn begin() -> MemDisk {
    let store = over(MemDisk::new());
    for number in 0..8 {
        save(&store, &format!("m{number:02}.md"), &memory(number), &person());
    }
    let disk = MemDisk::new();
    for (path, bytes) in store.disk().files() {
        disk.put(&path, bytes);
    }
    disk
}

fn memories(disk: &MemDisk) -> BTreeMap<String, Vec<u8>> {
    let mut files = disk.files();
    files.retain(|path, _| !path.starts_with(".memdir"));
    files
}

/// Judges and commits; `false` where the disk was in the way.
fn run<D: Disk>(store: &Store<D>) -> bool {
    let plan = Plan::new([create("deploys", SAID), delete("m00.md")]);
    let (Ok(snapshot), Ok(tombstones)) = (Snapshot::read(store), Tombstones::read(store)) else {
        return false;
    };
    let (policy, messages) = (Policy::default(), messages());
    let terms = Terms::new(now(), &policy, &tombstones, &messages);
    let verdict = validate(&plan, &snapshot, &terms);
    commit(store, &snapshot, &verdict, &worker(), now()).is_ok()
}

/// Lets each step fail once, and everything from each step on; hands what is left to `check`.
fn at_each_step(
    work: impl Fn(&Store<Faulty<MemDisk>>) -> bool,
    first: impl Fn() -> MemDisk,
    check: impl Fn(u64, bool, &MemDisk),
) {
    let counted = over(Faulty::new(first()));
    assert!(work(&counted));
    let steps = counted.disk().steps();
    for step in 1..=steps {
        for fault in [
            Fault::Once(ErrorKind::StorageFull),
            Fault::FromThenOn(ErrorKind::StorageFull),
            Fault::DeathWithin,
        ] {
            let store = over(Faulty::new(first()).fault(step, fault));
            let done = work(&store);
            check(step, done, store.disk().inner());
        }
    }
}

/// The next writer finishes or takes back what a dead one left.
fn mended(disk: &MemDisk) -> (BTreeMap<String, Vec<u8>>, usize) {
    let copy = MemDisk::new();
    for (path, bytes) in disk.files() {
        copy.put(&path, bytes);
    }
    let store = over(copy);
    store.turn("mend", |_| Ok::<_, memdir_store::Error>(())).unwrap();
    let waiting = Inbox::read(&store).unwrap().items.len();
    (memories(store.disk()), waiting)
}

#[test]
fn a_commit_happens_or_does_not() {
    let after = over(begin());
    assert!(run(&after));
    let (before, after) = (memories(&begin()), memories(after.disk()));
    let work = |store: &Store<Faulty<MemDisk>>| run(store);
    at_each_step(work, begin, |step, done, disk| {
        let (now, waiting) = mended(disk);
        assert!(now == before || now == after, "step {step}");
        assert!(waiting <= 1, "step {step}");
        assert!(!done || (now == after && waiting == 1), "step {step}");
    });
}

#[test]
fn an_applied_proposal_is_gone_or_can_be_applied() {
    let waiting = || {
        let store = over(begin());
        assert!(run(&store));
        let disk = MemDisk::new();
        for (path, bytes) in store.disk().files() {
            disk.put(&path, bytes);
        }
        disk
    };
    let applied = over(waiting());
    apply(&applied, 1, &person()).unwrap();
    let (before, after) = (memories(&waiting()), memories(applied.disk()));
    let work = |store: &Store<Faulty<MemDisk>>| apply(store, 1, &person()).is_ok();
    at_each_step(work, waiting, |step, done, disk| {
        let (now, left) = mended(disk);
        assert!(now == before || now == after, "step {step}");
        assert!(left == 1 || now == after, "step {step}: the proposal went and was not applied");
        assert!(!done || (now == after && left == 0), "step {step}");
        if left == 1 {
            let copy = MemDisk::new();
            for (path, bytes) in disk.files() {
                copy.put(&path, bytes);
            }
            let store = over(copy);
            apply(&store, 1, &person()).unwrap();
            assert_eq!(memories(store.disk()), after, "step {step}");
        }
    });
}
