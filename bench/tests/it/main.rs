//! The references and the generator do what the figures assume.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "the tests look at the generator's files")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use memdir_bench::input::transcript as session;
use memdir_bench::input::{self, Recipe};
use memdir_bench::reference::{save, scan, transcript};

fn directory(memories: u32) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    input::write(directory.path(), Recipe::of(memories)).expect("the generator writes");
    directory
}

fn tree(root: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut files = BTreeMap::new();
    gather(root, "", &mut files).expect("the tree is readable");
    files
}

fn gather(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, (Vec<u8>, SystemTime)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().display());
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, (fs::read(entry.path())?, entry.metadata()?.modified()?));
        }
    }
    Ok(())
}

#[test]
fn equal_seeds_give_equal_bytes_and_times() {
    let one = tree(directory(60).path());
    assert_eq!(one, tree(directory(60).path()));
    let times: std::collections::BTreeSet<_> = one
        .iter()
        .filter(|(name, _)| !["MEMORY.md", "team", "logs"].iter().any(|not| name.starts_with(not)))
        .map(|(_, (_, modified))| modified)
        .collect();
    assert_eq!(times.len(), 60);
}

#[test]
fn the_references_agree_on_the_newest() {
    let directory = directory(300);
    let root = directory.path();
    let names = |found: Vec<scan::Found>| found.into_iter().map(|one| one.path).collect::<Vec<_>>();
    let newest = names(scan::stat_newest(root, 50).unwrap());
    assert_eq!(newest, names(scan::open_all(root, 50).unwrap()));

    let mut all: Vec<_> = tree(root)
        .into_iter()
        .filter(|(name, _)| !["MEMORY.md", "team", "logs"].iter().any(|not| name.starts_with(not)))
        .map(|(name, (_, modified))| (std::cmp::Reverse(modified), name))
        .collect();
    assert_eq!(scan::names_only(root).unwrap(), all.len());
    all.sort();
    all.truncate(50);
    assert_eq!(newest, all.into_iter().map(|(_, name)| name).collect::<Vec<_>>());
}

#[test]
fn the_reference_saver_leaves_the_memory_and_its_line_and_no_temp() {
    let directory = tempfile::tempdir().unwrap();
    let mut saver = save::Saver::open(directory.path()).unwrap();
    saver.save("a.md", b"one\n").unwrap();
    saver.save("b.md", b"two\n").unwrap();
    let files: BTreeMap<_, _> =
        tree(directory.path()).into_iter().map(|(name, (bytes, _))| (name, bytes)).collect();
    assert_eq!(files["a.md"], b"one\n");
    assert_eq!(files["MEMORY.md"], b"- [a.md](a.md) - hook\n- [b.md](b.md) - hook\n");
    let names: Vec<_> = files.keys().map(String::as_str).collect();
    assert_eq!(names, [".saver/journal", ".saver/lock", "MEMORY.md", "a.md", "b.md"]);
}

#[test]
fn the_references_and_memdir_find_the_same_branch() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("session.jsonl");
    let mut recipe = session::Recipe::of(2);
    recipe.compaction = 500_000;
    let made = session::write(&path, recipe).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(made.bytes, bytes.len() as u64);
    let branch = transcript::branch(&bytes);
    let tail = transcript::tail(&path).unwrap();
    assert_eq!(branch.entries, tail.entries);
    assert!(tail.lines < branch.lines, "the end is less than all of it");
    assert_eq!(memdir_bench::ours::branch(&path).unwrap(), (made.lines, branch.entries));
    assert_eq!(memdir_bench::ours::resume(&path).unwrap().0, branch.entries);
}
