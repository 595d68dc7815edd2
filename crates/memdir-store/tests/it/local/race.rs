//! Names that change what they stand for between looking and opening.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use memdir_store::{
    Actor, Attribution, Batch, Expect, OpKind, ReadStore, Revision, WriteStore,
    disk::{CapDisk, Content, Disk},
};

use super::{is_full, open, path, root, tree};

/// Swaps what a name stands for, something within or a link to something outside, as fast as it can.
fn swap(home: &Path, name: &str, target: &str, ended: &AtomicBool) {
    let (name, within, link) =
        (home.join(name), home.join(format!("{name}-within")), home.join(format!("{name}-link")));
    while !ended.load(Ordering::Relaxed) {
        // What we write may be in the way; then the next round goes on from there.
        drop(symlink(target, &link));
        for (from, to) in [(&name, &within), (&link, &name), (&name, &link), (&within, &name)] {
            drop(fs::rename(from, to));
        }
    }
}

#[test]
fn no_read_and_no_write_follows_a_name_that_is_swapped_for_a_link() {
    let root = root();
    let home = root.path().join("m");
    fs::create_dir_all(home.join("d")).expect("created");
    fs::create_dir(root.path().join("out")).expect("created");
    fs::write(root.path().join("out/x.md"), "SECRET").expect("written");
    fs::write(home.join("d/x.md"), "inside").expect("written");
    fs::write(home.join("f.md"), "inside").expect("written");

    let ended = Arc::new(AtomicBool::new(false));
    let swappers = [("d", "../out"), ("f.md", "../out/x.md")].map(|(name, target)| {
        let (home, ended) = (home.clone(), Arc::clone(&ended));
        thread::spawn(move || swap(&home, name, target, &ended))
    });

    // The usual way, by path, which looks first: it must fall for it, or this test shows nothing.
    let falls_for_it = (0..5_000_000).any(|_| {
        let name = home.join("d");
        let looks_good = fs::symlink_metadata(&name).is_ok_and(|found| found.is_dir());
        thread::yield_now();
        looks_good && fs::read_to_string(name.join("x.md")).is_ok_and(|text| text == "SECRET")
    });

    let store = open(&home);
    let disk = CapDisk::open(&home).expect("open");
    let person = Attribution::new(Actor::User);
    let mut inside = 0;
    for round in 0..if is_full() { 200_000 } else { 4_000 } {
        let name = if round % 2 == 0 { "d/x.md" } else { "f.md" };
        // A refusal is as good as the right content.
        if let Ok(Some(bytes)) = store.read(&path(name)) {
            assert_eq!(bytes.trim_ascii(), b"inside", "{name}");
            inside += 1;
        }
        if let Ok(Content::Bytes(bytes, _)) = disk.read(name, 0, 100) {
            assert_eq!(bytes.trim_ascii(), b"inside", "{name}");
        }
        if round % 1_000 == 0 {
            // The folder is not to be made anew while it is away, so what is in it is expected as it was.
            let expect = Expect::Unchanged(Revision::of(b"inside"));
            for name in ["d/x.md", "f.md"] {
                let batch = Batch::new(OpKind::Edit).append(path(name), "", expect);
                let batch = batch.put(path(&format!("m{round}.md")), "inside", Expect::Any);
                drop(store.apply(&batch.put(path(name), "inside\n", Expect::Any), &person));
                let batch = Batch::new(OpKind::Edit).put(path(name), "inside", Expect::Any);
                if store.read(&path(name)).is_ok_and(|found| found.is_some()) {
                    drop(store.apply(&batch.append(path(name), "", expect), &person));
                }
            }
        }
    }
    ended.store(true, Ordering::Relaxed);
    for swapper in swappers {
        swapper.join().expect("swapped to the end");
    }
    assert!(falls_for_it, "the usual way was never led astray, so nothing was tested");
    assert!(inside > 0);
    let outside = tree(&root.path().join("out"));
    assert_eq!(outside, [Path::new("x.md")]);
    let secret = fs::read_to_string(root.path().join("out/x.md")).expect("readable");
    assert_eq!(secret, "SECRET");
}
