//! What only a real directory has: links, pipes, and the outside.
#![cfg(test)]
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests arrange what is on disk")]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use memdir_agent::Calling;
use memdir_store::{LocalDir, Options};
use serde_json::json;

use crate::stage::{answer, fill, nothing, options, play};

/// Every file below a folder with its bytes, links by where they lead.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap();
            if kind.is_symlink() {
                let to = fs::read_link(&path).unwrap();
                found.insert(path, to.to_string_lossy().into_owned().into_bytes());
            } else if kind.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
    }
    found
}

#[tokio::test]
async fn threats_13_to_15_links_are_neither_read_nor_written_through() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("memory");
    fs::create_dir(&root).unwrap();
    fs::create_dir(temp.path().join("out")).unwrap();
    fs::write(temp.path().join("out/secret.md"), "the outside\n").unwrap();
    let store = LocalDir::open(&root, Options::default()).unwrap();
    fill(&store);
    symlink("../out/secret.md", root.join("out.md")).unwrap();
    symlink("../out", root.join("folder")).unwrap();
    symlink("../out/new.md", root.join("dangling.md")).unwrap();
    symlink("feedback_no-mocks.md", root.join("alias.md")).unwrap();
    symlink("loop.md", root.join("loop.md")).unwrap();

    let before = tree(temp.path());
    let write = |path: &str| ("write", json!({"path": path, "text": "x"}));
    let read = |path: &str| ("read", json!({"path": path}));
    let calls = [
        read("out.md"),
        read("folder/secret.md"),
        read("dangling.md"),
        read("loop.md"),
        write("out.md"),
        write("folder/new.md"),
        write("dangling.md"),
        write("alias.md"),
        write("loop.md"),
        ("grep", json!({"text": "the outside"})),
    ];
    let turns = vec![answer(Calling::Tools, &calls).into(), nothing(Calling::Tools).into()];
    let played = play(&store, options(), turns).await;
    insta::assert_snapshot!(played.told().join("\n"), @r"
    Refused: `out.md` is not read: a link that leads out of the memory directory.
    Refused: `folder/secret.md` is not read: a link that leads out of the memory directory.
    Refused: `dangling.md` is not read: a link that leads out of the memory directory.
    Refused: `loop.md` is not read: a link that leads back to itself.
    Refused: `out.md` is not a file of its own: a link that leads out of the memory directory.
    Refused: `folder/new.md` is not a file of its own: a link that leads out of the memory directory.
    Refused: `dangling.md` is not a file of its own: a link that leads out of the memory directory.
    Refused: `alias.md` is not a file of its own: another name of something that is listed already.
    Refused: `loop.md` is not a file of its own: a link that leads back to itself.
    Lines in the memory directory: 0.
    ");
    assert!(played.outcome.overlay.is_empty());
    assert_eq!(tree(temp.path()), before);
}

#[tokio::test]
async fn threat_35_a_real_directory_stays_byte_for_byte_as_it_was() {
    let temp = tempfile::tempdir().unwrap();
    let store = LocalDir::open(temp.path(), Options::default()).unwrap();
    fill(&store);
    let before = tree(temp.path());
    for calling in [Calling::Tools, Calling::Json] {
        let refused = crate::hostile::table(&store, calling).await;
        assert!(refused.lines().count() > 50);
    }
    assert_eq!(tree(temp.path()), before);
}
