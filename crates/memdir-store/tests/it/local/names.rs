//! Names as they are on disks: hostile, not UTF-8, decomposed, hidden.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt};

use memdir_core::MemPath;
use memdir_store::SkipReason;

use super::{listed, open, read, root, save, tree};

#[test]
fn names_that_no_memory_can_have_are_skipped_and_fit_to_print() {
    let root = root();
    let hostile = ["a\\b.md", "C:x.md", "CON.md", " x.md", "a\u{202e}b.md", "bell\u{7}.md"];
    for name in hostile {
        fs::write(root.path().join(name), "x").expect("written");
    }
    let raw = OsStr::from_bytes(b"latin\xe9.md");
    fs::write(root.path().join(raw), "x").expect("written");
    fs::create_dir(root.path().join("-rf")).expect("created");
    fs::write(root.path().join("-rf/x.md"), "x").expect("written");

    let (entries, skipped) = listed(&open(root.path()));
    assert_eq!(entries, Vec::<String>::new());
    let mut expected: Vec<(String, SkipReason)> = hostile
        .into_iter()
        .chain(["-rf"])
        .map(|name| {
            let fault = MemPath::parse(name).expect_err("hostile");
            let shown = memdir_core::text::escape_control(name).into_owned();
            (shown, SkipReason::Name(fault))
        })
        .collect();
    expected.push(("latin\u{fffd}.md".into(), SkipReason::NameNotUtf8));
    expected.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(skipped, expected);
    for (name, _) in skipped {
        assert!(!name.chars().any(char::is_control), "{name:?}");
    }
}

#[test]
fn hidden_names_and_other_files_are_left_out() {
    let root = root();
    for name in [".hidden.md", ".git/x.md", "notes.txt", "md", "x.md.bak", ".obsidian/y.md"] {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("created");
        fs::write(path, "x").expect("written");
    }
    let store = open(root.path());
    save(&store, "a.md", "a").expect("applied");
    assert_eq!(listed(&store), (vec!["a.md".to_owned()], vec![]));
}

#[test]
fn a_decomposed_name_is_the_memory_of_the_composed_one() {
    let root = root();
    let (composed, decomposed) = ("größe/é.md", "gro\u{308}ße/e\u{301}.md");
    let file = root.path().join(decomposed);
    fs::create_dir(file.parent().expect("it has one")).expect("created");
    fs::write(&file, "theirs\n").expect("written");
    let store = open(root.path());
    assert_eq!(listed(&store), (vec![composed.to_owned()], vec![]));
    assert_eq!(read(&store, composed).as_deref(), Some("theirs\n"));
    assert_eq!(read(&store, decomposed).as_deref(), Some("theirs\n"));

    save(&store, composed, "ours\n").expect("replaced");
    assert_eq!(fs::read_to_string(&file).expect("under its name"), "ours\n");
    let names: Vec<_> = tree(root.path());
    let visible = names.iter().filter(|path| !path.starts_with(".memdir"));
    assert_eq!(visible.count(), 2, "no twin: {names:?}");
    let newest = store.history().expect("readable").next().expect("there").expect("readable");
    let undone = memdir_store::UndoTarget::op(newest.id);
    let person = memdir_store::Attribution::new(memdir_store::Actor::User);
    store.undo(&undone, &person).expect("undone");
    assert_eq!(fs::read_to_string(&file).expect("under its name"), "theirs\n");
}

#[test]
fn of_two_spellings_on_one_disk_the_composed_one_is_read() {
    let root = root();
    fs::write(root.path().join("\u{e9}.md"), "composed").expect("written");
    fs::write(root.path().join("e\u{301}.md"), "decomposed").expect("written");
    if fs::read_dir(root.path()).expect("readable").count() < 2 {
        println!(
            "skipped: needs a file system that tells spellings apart: this one takes both spellings for one name"
        );
        return;
    }
    let store = open(root.path());
    let (entries, skipped) = listed(&store);
    assert_eq!(entries, ["\u{e9}.md"]);
    assert_eq!(skipped, [("e\u{301}.md".to_owned(), SkipReason::Twin)]);
    assert_eq!(read(&store, "\u{e9}.md").as_deref(), Some("composed"));
}

#[test]
fn a_folder_that_comes_and_goes_is_no_error() {
    let root = root();
    let directory = root.path().to_owned();
    let busy = std::thread::spawn(move || {
        for round in 0..300 {
            let folder = directory.join(format!("f{}", round % 3));
            fs::create_dir_all(folder.join("g")).expect("created");
            fs::write(folder.join("g/x.md"), "x").expect("written");
            fs::write(directory.join("y.md"), "y").expect("written");
            fs::remove_dir_all(&folder).expect("removed");
            fs::remove_file(directory.join("y.md")).expect("removed");
        }
    });
    let store = open(root.path());
    while !busy.is_finished() {
        let (_, skipped) = listed(&store);
        assert_eq!(skipped, []);
    }
    busy.join().expect("it was let alone");
}
