//! Changes that other programs made, as the journal finds them.

use std::sync::atomic::{AtomicBool, Ordering};

use memdir_store::{OpKind, Outside, Revision, WriteStore, disk::MemDisk};

use super::{line, over, path, person, put, revision, segment};

#[test]
fn what_an_unfinished_operation_did_is_no_change_made_elsewhere() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "1\n").index(line("a.md")), &person()).expect("applied");
    store.apply(&put("a.md", "2\n").index(line("b.md")), &person()).expect("applied");
    let journal = disk.files().remove(&segment(1)).expect("a journal");
    let text = String::from_utf8(journal).expect("text");
    let (begun, _) = text.trim_end().rsplit_once('\n').expect("a line that ends it");
    disk.put(&segment(1), format!("{begun}\n"));
    assert!(store.health().expect("readable").unfinished.is_some());
    assert_eq!(store.outside_changes().expect("readable"), []);
    disk.put("a.md", "1\n");
    assert_eq!(store.outside_changes().expect("readable"), [], "it may not have come to it");
    disk.put("a.md", "theirs\n");
    let outside = store.outside_changes().expect("readable");
    assert_eq!(outside.iter().map(|change| &change.path).collect::<Vec<_>>(), [&path("a.md")]);
}

#[test]
fn what_this_store_does_meanwhile_is_no_change_made_elsewhere() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "0\n"), &person()).expect("applied");
    let is_over = AtomicBool::new(false);
    let (is_over, store) = (&is_over, &store);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for number in 1..200 {
                let batch =
                    put("a.md", &format!("{number}\n")).index(line(&format!("{number}.md")));
                store.apply(&batch, &person()).expect("applied");
            }
            is_over.store(true, Ordering::SeqCst);
        });
        while !is_over.load(Ordering::SeqCst) {
            assert_eq!(store.outside_changes().expect("readable"), []);
        }
    });
}

#[test]
fn a_change_made_elsewhere_is_adopted_when_the_file_is_touched() {
    let disk = MemDisk::new();
    let store = over(&disk);
    store.apply(&put("a.md", "ours\n"), &person()).expect("applied");
    store.apply(&put("b.md", "b\n"), &person()).expect("applied");
    assert_eq!(store.outside_changes().expect("readable"), []);
    disk.put("a.md", "theirs\n");
    disk.put("new.md", "new\n");
    disk.take("b.md");
    let outside = store.outside_changes().expect("readable");
    let found: Vec<_> = outside
        .iter()
        .map(|Outside { path, known, found, .. }| (path.as_str(), *known, *found))
        .collect();
    assert_eq!(
        found,
        [
            ("a.md", Some(revision("ours\n")), Some(revision("theirs\n"))),
            ("b.md", Some(revision("b\n")), None),
            ("new.md", None, Some(revision("new\n"))),
        ]
    );
    let receipt = store.apply(&put("a.md", "ours again\n"), &person()).expect("applied");
    assert_eq!(receipt.observed, [path("a.md")]);
    let kinds: Vec<_> = store
        .history()
        .expect("readable")
        .map(|logged| logged.expect("readable"))
        .map(|logged| (logged.kind, logged.files[0].before, logged.files[0].after))
        .take(2)
        .collect();
    assert_eq!(
        kinds,
        [
            (OpKind::Save, Some(revision("theirs\n")), Some(revision("ours again\n"))),
            (OpKind::Observed, Some(revision("ours\n")), Some(revision("theirs\n"))),
        ]
    );
    for text in ["ours\n", "theirs\n", "ours again\n"] {
        let content = store.content(&path("a.md"), Revision::of(text.as_bytes()));
        assert_eq!(content.expect("readable").as_deref(), Some(text.as_bytes()));
    }
    assert_eq!(
        store.heads().expect("readable").get(&path("a.md")),
        Some(&revision("ours again\n"))
    );
}
