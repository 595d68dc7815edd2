//! Files of state: written whole or not at all, in one turn with memories, and reached by no path.
#![cfg(all(test, feature = "testing"))]

use std::{io::ErrorKind, sync::Arc, time::SystemTime};

use memdir_core::{FixedClock, MemPath};
use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Error, Expect, OpKind, Options, ReadStore, StateName,
    Store,
    disk::{Disk, Fault, Faulty, MemDisk},
    limits::STATE_BYTES,
};

const BOX: StateName = StateName::new("box.json");

fn store<D: Disk>(disk: D) -> Store<D> {
    Store::over(disk, Options::new(Arc::new(FixedClock(SystemTime::UNIX_EPOCH))))
}

fn memory() -> MemPath {
    MemPath::parse("a.md").expect("a plain name")
}

/// A memory and a file of state in one turn.
fn both<D: Disk>(store: &Store<D>) -> Result<(), ApplyError> {
    store.turn("test", |turn| {
        assert_eq!(turn.state(BOX)?.as_deref(), Some(&b"old"[..]));
        let batch = Batch::new(OpKind::Save).put(memory(), "a\n", Expect::Absent);
        turn.apply(&batch, &Attribution::new(Actor::User))?;
        Ok(turn.set_state(BOX, b"new")?)
    })
}

#[test]
fn state_and_memory_are_old_or_new_whichever_step_fails() {
    let begin = || {
        let disk = MemDisk::new();
        disk.put(".memdir/state/box.json", "old");
        disk
    };
    let counted = Faulty::new(begin());
    let counted = store(counted);
    both(&counted).expect("a healthy disk takes both");
    for step in 1..=counted.disk().steps() {
        let faulty = store(Faulty::new(begin()).fault(step, Fault::Once(ErrorKind::StorageFull)));
        let done = both(&faulty);
        let state = faulty.state(BOX).expect("a healed disk is readable");
        let state = state.expect("it was there before");
        let is_there = faulty.read(&memory()).expect("a healed disk is readable").is_some();
        assert!(state == b"old" || (state == b"new" && is_there), "step {step}");
        assert!(done.is_err() || state == b"new", "step {step}");
        // What was left behind is swept, and nobody is kept out.
        faulty.turn("test", |turn| turn.set_state(BOX, b"next")).expect("the disk is healed");
        let left: Vec<_> = faulty.disk().inner().files().into_keys().collect();
        assert!(!left.iter().any(|path| path.contains(".memdir-")), "step {step}: {left:?}");
    }
}

#[test]
fn lines_are_added_behind_a_torn_one_and_never_beyond_the_limit() {
    let store = store(MemDisk::new());
    store.append_to_state(BOX, "one").expect("a healthy disk takes it");
    assert_eq!(
        store.disk().files().get(".memdir/.gitignore").map(Vec::as_slice),
        Some(&b"*\n"[..])
    );
    store.disk().put(".memdir/state/box.json", "one\ntw");
    store.append_to_state(BOX, "three").expect("a healthy disk takes it");
    let held = store.state(BOX).expect("it is readable");
    assert_eq!(held.as_deref(), Some(&b"one\ntw\nthree\n"[..]));

    let limit = usize::try_from(STATE_BYTES).expect("a small number");
    let full = vec![b'\n'; limit];
    store.disk().put(".memdir/state/box.json", full);
    let too_large = |result| matches!(result, Err(Error::TooLarge { limit: STATE_BYTES, .. }));
    assert!(too_large(store.append_to_state(BOX, "x")));
    store.disk().put(".memdir/state/box.json", vec![b'x'; 1 + limit]);
    assert!(too_large(store.state(BOX).map(drop)));
}

#[test]
fn no_path_of_a_memory_leads_to_state() {
    for path in [".memdir/state/box.json", ".MEMDIR/state/box.json", "./.memdir/state/box.json"] {
        assert!(MemPath::parse(path).is_err(), "{path}");
    }
}
