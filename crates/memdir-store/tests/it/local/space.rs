//! Full disks and limits on file size: the old state stays, and the error says what is wrong.

use std::fs;

use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Error, Expect, IndexOp, LocalDir, OpKind, Options,
    WriteStore,
};

use super::{
    again_in_shell, child_directory, is_root, listed, modes::mount, open, path, read, root, sh,
    temps,
};

fn batch(number: usize, size: usize) -> Batch {
    let name = format!("m{number}.md");
    Batch::new(OpKind::Save)
        .put(path(&name), "x".repeat(size), Expect::Absent)
        .index(IndexOp::Upsert { path: path(&name), title: name.clone(), hook: "a hook".into() })
}

/// Saves until it fails, then checks that what was saved is all there and nothing else.
fn fill(store: &LocalDir, home: &std::path::Path, size: usize) -> Error {
    let person = Attribution::new(Actor::User);
    for number in 0.. {
        let before = (listed(store), read(store, "MEMORY.md"));
        match store.apply(&batch(number, size), &person) {
            Ok(_) => {}
            Err(ApplyError::Store(error)) => {
                assert_eq!((listed(store), read(store, "MEMORY.md")), before);
                let lines = read(store, "MEMORY.md").unwrap_or_default().lines().count();
                assert_eq!(lines, number, "every acknowledged memory has its line");
                assert_eq!(temps(home), Vec::<std::path::PathBuf>::new());
                return error;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    unreachable!("a disk that is never full")
}

#[test]
fn a_full_disk_keeps_what_was_there_and_takes_more_when_there_is_room() {
    if !is_root() {
        println!("skipped: needs root: only root can mount a small disk");
        return;
    }
    for size in [100, 3_000, 20_000] {
        let root = root();
        let home = root.path().join("m");
        fs::create_dir(&home).expect("created");
        if let Err(why) = mount(&home, "size=64k,mode=700") {
            println!("skipped: needs mount: {why}");
            return;
        }
        let store = open(&home);
        fs::write(home.join("ballast"), [0; 8192]).expect("written");
        let error = fill(&store, &home, size);
        assert!(matches!(error, Error::NoSpace { .. }), "{error:?}");
        fs::remove_file(home.join("ballast")).expect("removed");
        let person = Attribution::new(Actor::User);
        store.apply(&batch(1_000, 10), &person).expect("there is room again");
        assert_eq!(store.health().expect("readable").unfinished, None);
        drop(store);
        sh("umount m", root.path());
    }
}

#[test]
fn child_writes_up_to_a_limit() {
    let Some(home) = child_directory() else { return };
    let store = LocalDir::open(&home, Options::default()).expect("open");
    let error = fill(&store, &home, 3_000);
    let Error::Io { source, .. } = &error else { panic!("{error:?}") };
    assert_eq!(source.kind(), std::io::ErrorKind::FileTooLarge);
}

#[test]
fn a_limit_on_the_size_of_files_keeps_what_was_there() {
    let root = root();
    // Blocks of 512 bytes; the journal is what grows to the limit.
    let before = "trap '' XFSZ; ulimit -f 80;";
    let output = again_in_shell(before, "local::space::child_writes_up_to_a_limit", root.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    let store = open(root.path());
    let person = Attribution::new(Actor::User);
    store.apply(&batch(1_000, 10), &person).expect("there is no limit here");
    assert_eq!(temps(root.path()), Vec::<std::path::PathBuf>::new());
}
