//! Pipes, sockets, devices, folders and giants under the name of a memory.

use std::{fs, os::unix::net::UnixListener};

use memdir_store::{ApplyError, Error, FileKind, ReadStore, Refusal, SkipReason};

use super::{again_in_shell, child_directory, is_root, listed, open, path, read, root, save, sh};

#[test]
fn what_is_no_file_is_skipped_with_its_kind_and_never_waited_for() {
    let root = root();
    let mut expected = vec![
        ("folder.md", FileKind::Folder),
        ("pipe.md", FileKind::Fifo),
        ("socket.md", FileKind::Socket),
    ];
    sh("mkdir folder.md; echo inside > folder.md/inside.md; mkfifo pipe.md", root.path());
    let _socket = UnixListener::bind(root.path().join("socket.md")).expect("bound");
    if is_root() {
        sh("mknod device.md c 1 5", root.path());
        expected.insert(0, ("device.md", FileKind::Device));
    } else {
        println!("skipped: needs root: a device, which only root can make");
    }
    fs::write(root.path().join("plain.md"), "plain").expect("written");
    let store = open(root.path());

    let (entries, skipped) = listed(&store);
    // A folder may be called like a file; what is in it counts.
    assert_eq!(entries, ["folder.md/inside.md", "plain.md"]);
    let kinds = expected.iter().filter(|(_, kind)| *kind != FileKind::Folder);
    let not_a_file =
        |(name, kind): &(&str, FileKind)| ((*name).to_owned(), SkipReason::NotAFile(*kind));
    assert_eq!(skipped, kinds.map(not_a_file).collect::<Vec<_>>());

    for (name, kind) in expected {
        match store.read(&path(name)) {
            Err(Error::NotAFile { kind: found, .. }) => assert_eq!(found, kind, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        match save(&store, name, "new") {
            Err(ApplyError::Refused { refusal, .. }) => {
                assert_eq!(refusal, Refusal::NotAFile(kind), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
        let below = format!("{name}/x.md");
        if kind == FileKind::Folder {
            assert_eq!(read(&store, &below), None);
        } else {
            assert!(matches!(
                save(&store, &below, "new"),
                Err(ApplyError::Refused { refusal: Refusal::NotInAFolder, .. })
            ));
        }
    }
}

#[test]
fn an_index_that_is_no_file_refuses_the_whole_batch_and_leaves_nothing() {
    let root = root();
    fs::create_dir(root.path().join("MEMORY.md")).expect("created");
    let store = open(root.path());
    let batch = memdir_store::Batch::new(memdir_store::OpKind::Save)
        .put(path("deep/a.md"), "a", memdir_store::Expect::Any)
        .index(memdir_store::IndexOp::Upsert {
            path: path("deep/a.md"),
            title: "a".into(),
            hook: "a".into(),
        });
    let person = memdir_store::Attribution::new(memdir_store::Actor::User);
    let refused = memdir_store::WriteStore::apply(&store, &batch, &person);
    assert!(matches!(
        refused,
        Err(ApplyError::Refused { refusal: Refusal::NotAFile(FileKind::Folder), .. })
    ));
    assert!(!root.path().join("deep").exists());
}

#[test]
fn child_looks_at_a_giant() {
    let Some(directory) = child_directory() else { return };
    let store = open(&directory);
    let (entries, skipped) = listed(&store);
    assert_eq!((entries, skipped), (vec!["giant.md".to_owned()], vec![]));
    let head = store.read_head(&path("giant.md"), 64 * 1024).expect("readable").expect("there");
    assert_eq!(head, vec![0; 64 * 1024]);
    assert!(matches!(store.read(&path("giant.md")), Err(Error::TooLarge { .. })));
    assert!(matches!(
        save(&store, "giant.md", "small"),
        Err(ApplyError::Store(Error::TooLarge { .. }))
    ));
    assert!(store.outside_changes().expect("what cannot be read is left out").is_empty());
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    match peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()) {
        Some(peak) => assert!(peak < 50 * 1024, "{peak} KiB at most at once"),
        None => {
            println!("skipped: needs linux: this system does not tell how much memory was used");
        }
    }
}

#[test]
fn a_sparse_file_of_a_tebibyte_is_looked_into_and_no_more() {
    let root = root();
    let giant = fs::File::create(root.path().join("giant.md")).expect("created");
    if let Err(error) = giant.set_len(1 << 40) {
        println!("skipped: needs a file system with files of that size: {error}");
        return;
    }
    let output = again_in_shell("", "local::kinds::child_looks_at_a_giant", root.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn folders_are_listed_to_a_limit_and_without_recursion() {
    let root = root();
    // From the inside out, so that no path is ever too long to name.
    let (inner, outer) = (root.path().join("d"), root.path().join("outer"));
    fs::create_dir(&inner).expect("created");
    for _ in 0..3_000 {
        fs::create_dir(&outer).expect("created");
        fs::rename(&inner, outer.join("d")).expect("renamed");
        fs::rename(&outer, &inner).expect("renamed");
    }
    let deepest = "d/".repeat(memdir_store::limits::MAX_DEPTH);
    fs::write(root.path().join(format!("{deepest}x.md")), "x").expect("written");
    let (entries, skipped) = listed(&open(root.path()));
    assert_eq!(entries, [format!("{deepest}x.md")]);
    assert_eq!(skipped, [(format!("{deepest}d"), SkipReason::TooDeep)]);
}
