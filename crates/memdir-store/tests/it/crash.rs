//! Nothing that goes wrong leaves a directory between two states: failing steps, deaths, power cuts, other programs.
#![cfg(all(test, feature = "testing"))]
#![expect(clippy::disallowed_methods, reason = "tests ask how thorough to be, and start children")]

mod death;
mod foreign;
mod operations;
mod power;
#[cfg(all(feature = "fs", unix))]
mod process;

use std::collections::BTreeMap;

use memdir_core::{FixedClock, MemPath, index};
use memdir_store::{
    Actor, Attribution, Batch, Expect, OpKind, Options, Store, WriteStore,
    disk::{Disk, MemDisk},
};

/// The files that people see, by name.
type Files = BTreeMap<String, String>;

fn options() -> Options {
    let at = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_796_029_953);
    Options::new(std::sync::Arc::new(FixedClock(at)))
}

fn store<D: Disk>(disk: D) -> Store<D> {
    Store::over(disk, options())
}

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

/// Whether the counts of a release are wanted.
fn is_full() -> bool {
    std::env::var_os("MEMDIR_FULL").is_some()
}

fn visible(disk: &MemDisk) -> Files {
    let files = disk.files().into_iter().filter(|(path, _)| !path.starts_with(".memdir/"));
    // Temporary files may be torn within a character.
    files.map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned())).collect()
}

/// Every temporary file, wherever it is.
fn temps(disk: &MemDisk) -> Vec<String> {
    disk.files().into_keys().filter(|path| path.contains(".memdir-")).collect()
}

/// Lines of the index that point to no file.
fn dangling(files: &Files) -> Vec<String> {
    let index = files.get("MEMORY.md").cloned().unwrap_or_default();
    let targets = index::lines(&index).filter_map(|line| line.pointer?.path());
    targets.map(|path| path.to_string()).filter(|path| !files.contains_key(path)).collect()
}

/// Another writer, later, who touches nothing that the tests look at.
fn next_writer(disk: &MemDisk) {
    let batch = Batch::new(OpKind::Save).put(path("logs/next.md"), "next\n", Expect::Any);
    store(disk.clone()).apply(&batch, &person()).expect("a healthy disk takes a small file");
}

fn without_next(mut files: Files) -> Files {
    files.remove("logs/next.md");
    files
}

/// What must hold of a directory once a writer has passed, whatever happened before.
#[track_caller]
fn check_settled(disk: &MemDisk, context: &str) {
    let health = store(disk.clone()).health().expect("a healthy disk is readable");
    assert_eq!(health.unfinished, None, "{context}");
    assert_eq!(health.writer, None, "{context}");
    assert_eq!(temps(disk), Vec::<String>::new(), "{context}");
    assert_eq!(dangling(&visible(disk)), Vec::<String>::new(), "{context}");
}
