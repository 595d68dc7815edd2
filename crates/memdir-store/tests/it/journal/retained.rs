//! How long segments and objects stay.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

use memdir_store::{
    Batch, Expect, InMemory, OpKind, Options, Store, UndoTarget, WriteStore, disk::MemDisk,
};

use super::{Now, now, path, person, put};

fn segments(disk: &MemDisk) -> Vec<String> {
    let names = disk
        .files()
        .into_keys()
        .filter_map(|path| path.strip_prefix(".memdir/journal/").map(str::to_owned));
    names.collect()
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
    store.purge(&path("m25.md"), &person()).expect("purged");
    assert_eq!(store.heads().expect("readable").len(), 26, "after a purge too");
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
