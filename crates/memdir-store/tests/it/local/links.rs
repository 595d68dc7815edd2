//! Links: out, in, dangling, in circles, in chains, hard.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, symlink},
    path::Path,
    process::Command,
};

use memdir_core::MemPath;
use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Error, Expect, IndexOp, LocalDir, OpKind, Options,
    ReadStore, Refusal, SkipReason,
    SkipReason::{Alias, LinkDangling, LinkLoop, LinkOut, LinkToAll},
    WriteStore,
};

use super::{listed, open, path, read, root, save};

#[derive(serde::Deserialize)]
struct Case {
    /// What is neither written, appended to nor removed.
    refused: Vec<String>,
    unread: Vec<String>,
    read: BTreeMap<String, String>,
    listed: Vec<String>,
}

#[test]
fn security_01_links_lead_neither_reads_nor_writes_out() {
    let root = root();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/security-01");
    let setup = Command::new("sh").arg(case.join("setup.sh")).arg(root.path().join("w")).status();
    assert!(setup.expect("every system has a shell").success());
    let expect = fs::read(case.join("expect.json")).expect("readable");
    let cases: BTreeMap<String, Case> = serde_json::from_slice(&expect).expect("as above");
    for (name, case) in cases {
        check_case(&root.path().join("w"), &name, &case);
    }
}

fn check_case(root: &Path, name: &str, case: &Case) {
    let store = open(&root.join(name));
    let outside = || {
        let entries = fs::read_dir(root.join("out")).expect("readable");
        let names: Vec<_> = entries.map(|entry| entry.expect("readable").file_name()).collect();
        (names, fs::read_to_string(root.join("out/id")).expect("readable"))
    };
    let before = outside();
    assert_eq!(listed(&store).0, case.listed, "{name}");
    let person = Attribution::new(Actor::User);
    let mut said = vec![format!("{:?}", listed(&store).1)];
    for target in &case.refused {
        // What no memory can be called is refused before the disk is asked.
        let Ok(target) = MemPath::parse(target) else { continue };
        let batch = || Batch::new(OpKind::Save);
        for batch in [
            batch().put(target.clone(), "new\n", Expect::Any),
            batch().append(target.clone(), "new\n", Expect::Any),
            batch().remove(target.clone(), Expect::Any),
        ] {
            match store.apply(&batch, &person) {
                Err(refused @ ApplyError::Refused { refusal: Refusal::Link, .. }) => {
                    said.push(format!("{refused} {refused:?}"));
                }
                other => panic!("{target}: {other:?}"),
            }
        }
        if target.is_index() {
            let op = IndexOp::Remove { path: path("a.md") };
            let refused = store.apply(&batch().index(op), &person).expect_err("a link");
            said.push(format!("{refused} {refused:?}"));
        }
    }
    for target in &case.unread {
        let refused = store.read(&path(target)).expect_err("a link");
        assert!(matches!(refused, Error::Link { .. }), "{target}: {refused:?}");
        said.push(format!("{refused} {refused:?}"));
    }
    for (target, text) in &case.read {
        assert_eq!(read(&store, target).as_ref(), Some(text), "{target}");
    }
    if root.join(name).join("hard.md").exists() {
        save(&store, "hard.md", "ours\n").expect("replaced");
        assert_eq!(read(&store, "hard.md").as_deref(), Some("ours\n"));
    }
    save(&store, "real.md", "new\n").expect("no planted name is in the way");
    assert_eq!(outside(), before, "{name}");
    assert!(!said.concat().contains("TOPSECRET"), "{said:?}");
}

/// Lays out links in a directory beside another one, and tells how each is skipped and read.
#[test]
fn every_kind_of_link_is_told_for_what_it_is() {
    let root = root();
    let (inside, outside) = (root.path().join("m"), root.path().join("out"));
    fs::create_dir_all(inside.join("sub")).expect("created");
    fs::create_dir(&outside).expect("created");
    fs::write(outside.join("x.md"), "SECRET").expect("written");
    fs::write(inside.join("real.md"), "real").expect("written");
    fs::write(inside.join("sub/deep.md"), "deep").expect("written");
    fs::write(inside.join("notes.txt"), "notes").expect("written");
    let store = open(&inside);
    save(&store, "pinned/keep.md", "keep").expect("applied");

    let absolute = inside.join("real.md");
    let out = outside.join("x.md");
    let table: [(&str, &Path, SkipReason); 16] = [
        ("out.md", &out, LinkOut),
        ("up.md", Path::new("../out/x.md"), LinkOut),
        ("passwd.md", Path::new("/etc/passwd"), LinkOut),
        ("absolute.md", &absolute, LinkOut),
        ("roundabout.md", Path::new("../m/real.md"), LinkOut),
        ("private.md", Path::new(".memdir/journal/00000001.jsonl"), LinkOut),
        ("folder", &outside, LinkOut),
        ("self", Path::new("."), LinkToAll),
        ("self.md", Path::new("sub/.."), LinkToAll),
        ("chain", Path::new("chain2"), LinkOut),
        ("chain2", Path::new("../.."), LinkOut),
        ("gone.md", Path::new("nothing.md"), LinkDangling),
        ("loop1.md", Path::new("loop2.md"), LinkLoop),
        ("loop2.md", Path::new("loop1.md"), LinkLoop),
        ("alias.md", Path::new("sub/../real.md"), Alias),
        ("subalias", Path::new("sub"), Alias),
    ];
    for (name, target, _) in &table {
        symlink(target, inside.join(name)).expect("linked");
    }
    symlink("notes.txt", inside.join("notes.md")).expect("linked");
    symlink("notes.txt", inside.join("same-notes.md")).expect("linked");

    let (entries, skipped) = listed(&store);
    let (noted, again): (Vec<String>, Vec<String>) =
        entries.into_iter().partition(|entry| entry.ends_with("notes.md"));
    assert_eq!(again, ["pinned/keep.md", "real.md", "sub/deep.md"]);
    assert_eq!(noted.len(), 1, "one file is listed once: {noted:?}");
    let mut expected: BTreeMap<&str, &SkipReason> =
        table.iter().map(|(name, _, reason)| (*name, reason)).collect();
    let other = if noted == ["notes.md"] { "same-notes.md" } else { "notes.md" };
    expected.insert(other, &Alias);
    let found: BTreeMap<&str, &SkipReason> =
        skipped.iter().map(|(name, reason)| (&**name, reason)).collect();
    assert_eq!(found, expected);

    assert_eq!(read(&store, "alias.md").as_deref(), Some("real"));
    assert_eq!(read(&store, "notes.md").as_deref(), Some("notes"));
    for (name, _, reason) in table
        .iter()
        .filter(|(name, _, reason)| Path::new(name).extension().is_some() && *reason != Alias)
    {
        match store.read(&path(name)) {
            Err(Error::Link { reason: found, .. }) => assert_eq!(found, *reason, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    for name in ["folder/x.md", "chain/etc/passwd", "subalias/deep.md", "folder/new.md"] {
        let refused = store.read(&path(name));
        assert!(matches!(refused, Err(Error::Link { .. })), "{name}: {refused:?}");
        let refused = save(&store, name, "new");
        assert!(
            matches!(refused, Err(ApplyError::Refused { refusal: Refusal::Link, .. })),
            "{name}: {refused:?}"
        );
    }
    assert_eq!(fs::read_to_string(&out).expect("readable"), "SECRET");
    assert_eq!(fs::read_dir(&outside).expect("readable").count(), 1);
}

#[test]
fn a_link_to_nothing_is_no_way_to_create_something_elsewhere() {
    let root = root();
    let inside = root.path().join("m");
    fs::create_dir(&inside).expect("created");
    symlink("../new", inside.join("x.md")).expect("linked");
    let refused = save(&open(&inside), "x.md", "new");
    assert!(matches!(refused, Err(ApplyError::Refused { refusal: Refusal::Link, .. })));
    assert!(!root.path().join("new").exists());
}

#[test]
fn a_directory_that_is_a_link_is_resolved_once_and_held() {
    let root = root();
    for name in ["one", "two"] {
        fs::create_dir(root.path().join(name)).expect("created");
    }
    let link = root.path().join("link");
    symlink("one", &link).expect("linked");
    let store = open(&link);
    fs::remove_file(&link).expect("removed");
    symlink("two", &link).expect("linked");
    save(&store, "a.md", "a").expect("applied");
    fs::rename(root.path().join("one"), root.path().join("moved")).expect("renamed");
    save(&store, "b.md", "b").expect("applied");
    assert_eq!(read(&store, "a.md").as_deref(), Some("a"));
    assert!(root.path().join("moved/b.md").exists());
    assert_eq!(fs::read_dir(root.path().join("two")).expect("readable").count(), 0);
}

#[test]
fn a_private_folder_that_is_a_link_is_not_written_through() {
    let root = root();
    let (inside, outside) = (root.path().join("m"), root.path().join("out"));
    fs::create_dir(&inside).expect("created");
    fs::create_dir_all(outside.join("journal")).expect("created");
    symlink(&outside, inside.join(".memdir")).expect("linked");
    save(&open(&inside), "a.md", "a").expect_err("its journal would lie elsewhere");
    assert_eq!(fs::read_dir(&outside).expect("readable").count(), 1);
    assert!(!inside.join("a.md").exists());
}

#[test]
fn a_file_with_names_elsewhere_is_told_and_replaced_not_written_into() {
    let root = root();
    let inside = root.path().join("m");
    fs::create_dir(&inside).expect("created");
    let secret = root.path().join("secret");
    fs::write(&secret, "SECRET").expect("written");
    fs::hard_link(&secret, inside.join("hard.md")).expect("linked");
    let inode = fs::metadata(&secret).expect("there").ino();
    let store = open(&inside);
    let mut links = Vec::new();
    let visited = store.visit(&mut |listed| {
        if let memdir_store::Listed::Entry(entry) = listed {
            links.push((entry.path.to_string(), entry.links));
        }
        std::ops::ControlFlow::Continue(())
    });
    visited.expect("listable");
    assert_eq!(links, [("hard.md".to_owned(), 2)]);
    let append = Batch::new(OpKind::Append).append(path("hard.md"), "+", Expect::Any);
    store.apply(&append, &Attribution::new(Actor::User)).expect("applied");
    assert_eq!(fs::read_to_string(&secret).expect("readable"), "SECRET");
    let metadata = fs::metadata(&secret).expect("there");
    assert_eq!((metadata.ino(), metadata.nlink()), (inode, 1));
    assert_eq!(read(&store, "hard.md").as_deref(), Some("SECRET+"));
}

#[test]
fn what_is_no_directory_is_not_opened() {
    let root = root();
    fs::write(root.path().join("file"), "").expect("written");
    symlink("nowhere", root.path().join("dangling")).expect("linked");
    let open = |name: &str| LocalDir::open(&root.path().join(name), Options::default());
    assert!(matches!(open("file"), Err(Error::NotADirectory { .. })));
    assert!(matches!(open("absent"), Err(Error::Absent { .. })));
    assert!(matches!(open("dangling"), Err(Error::Absent { .. })));
    assert!(matches!(open("file/below"), Err(Error::NotADirectory { .. })));
    let made = LocalDir::open_or_create(&root.path().join("file/below"), Options::default());
    assert!(matches!(made, Err(Error::NotADirectory { .. })), "{made:?}");
}
