//! A real directory: it is never left, nothing special is opened, and nobody else can read it.
#![cfg(all(test, feature = "fs", feature = "testing", unix))]
#![expect(clippy::disallowed_methods, reason = "tests arrange files, and start children")]

mod kinds;
mod links;
mod modes;
mod names;
mod race;
mod space;
mod syscalls;
mod within;

use std::{ops::ControlFlow, path::Path, process::Command};

use memdir_core::MemPath;
use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Expect, Listed, LocalDir, OpKind, Options, ReadStore,
    Receipt, SkipReason, WriteStore,
};
use tempfile::TempDir;

fn root() -> TempDir {
    TempDir::new().expect("a place for tests")
}

fn open(path: &Path) -> LocalDir {
    LocalDir::open(path, Options::default()).expect("the directory is there")
}

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

fn save(store: &LocalDir, name: &str, text: &str) -> Result<Receipt, ApplyError> {
    let batch = Batch::new(OpKind::Save).put(path(name), text, Expect::Any);
    store.apply(&batch, &Attribution::new(Actor::User))
}

fn read(store: &LocalDir, name: &str) -> Option<String> {
    let bytes = store.read(&path(name)).expect("readable");
    bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
}

/// What a listing shows, sorted: names of memories, and what was skipped and why.
fn listed(store: &LocalDir) -> (Vec<String>, Vec<(String, SkipReason)>) {
    let (mut entries, mut skipped) = (Vec::new(), Vec::new());
    let visited = store.visit(&mut |listed| {
        match listed {
            Listed::Entry(entry) => entries.push(entry.path.to_string()),
            Listed::Skipped(one) => skipped.push((one.raw_name, one.reason)),
        }
        ControlFlow::Continue(())
    });
    visited.expect("listable");
    entries.sort_unstable();
    skipped.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    (entries, skipped)
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("every system has it");
    id.stdout.trim_ascii() == b"0"
}

fn sh(script: &str, directory: &Path) {
    let status = Command::new("sh").args(["-eu", "-c", script]).current_dir(directory).status();
    assert!(status.expect("every system has a shell").success(), "{script}");
}

/// Runs a test of this program once more in a shell, with a directory to work in.
fn again_in_shell(before: &str, test: &str, directory: &Path) -> std::process::Output {
    let program = std::env::current_exe().expect("a test has a file");
    let script = format!("{before} exec \"$0\" --exact {test} --nocapture");
    let mut command = Command::new("sh");
    command.args(["-eu", "-c", &script]).arg(program).env(DIRECTORY, directory);
    command.output().expect("every system has a shell")
}

/// For a child: the directory that it works in.
const DIRECTORY: &str = "MEMDIR_TEST_LOCAL";

fn child_directory() -> Option<std::path::PathBuf> {
    std::env::var_os(DIRECTORY).map(Into::into)
}

fn is_full() -> bool {
    std::env::var_os("MEMDIR_FULL").is_some()
}

/// Every file and folder below, hidden ones included, as paths relative to it.
fn tree(root: &Path) -> Vec<std::path::PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let entry = entry.expect("readable");
            if entry.file_type().expect("readable").is_dir() {
                folders.push(entry.path());
            }
            found.push(entry.path().strip_prefix(root).expect("below it").to_owned());
        }
    }
    found.sort_unstable();
    found
}

fn temps(root: &Path) -> Vec<std::path::PathBuf> {
    let is_temp = |path: &std::path::PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".memdir-"))
    };
    tree(root).into_iter().filter(is_temp).collect()
}
