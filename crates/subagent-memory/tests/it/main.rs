//! Agents' memory from outside: names, places, prompts, snapshots.

#![expect(clippy::disallowed_methods, reason = "tests set up files")]

mod agents;
mod cases;
mod faults;
mod hostile;
mod names;
mod prompts;
mod snapshots;

use std::{
    ops::ControlFlow,
    path::Path,
    process::Command,
    time::{Duration, SystemTime},
};

use memdir_core::MemPath;
use memdir_store::{
    Actor, Attribution, Batch, Expect, InMemory, Listed, OpKind, ReadStore, WriteStore, location,
};
use subagent_memory::{META, Surroundings};
use tempfile::TempDir;

/// 2026-11-30T09:00:00Z.
fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_200)
}

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

/// A store with these files.
fn store(files: &[(&str, &str)]) -> InMemory {
    let store = InMemory::new();
    put(&store, files);
    store
}

fn put(store: &impl WriteStore, files: &[(&str, &str)]) {
    let batch = files.iter().fold(Batch::new(OpKind::Save), |batch, (name, text)| {
        batch.put(path(name), *text, Expect::Any)
    });
    store.apply(&batch, &person()).expect("nothing is in the way");
}

/// The files of a store with their text, by name, `snapshot.json` included.
fn content(store: &impl ReadStore) -> Vec<(String, String)> {
    let mut names = vec![path(META)];
    let visited = store.visit(&mut |listed| {
        if let Listed::Entry(entry) = listed {
            names.push(entry.path);
        }
        ControlFlow::Continue(())
    });
    visited.expect("readable");
    names.sort();
    let text = |name: &MemPath| {
        let bytes = store.read(name).expect("readable")?;
        Some((name.to_string(), String::from_utf8(bytes).expect("text")))
    };
    names.iter().filter_map(text).collect()
}

/// A folder made by a shell, `$W` being the folder itself.
fn folder(setup: &str) -> TempDir {
    let temp = TempDir::new().expect("a place for tests");
    sh(setup, temp.path());
    temp
}

fn sh(script: &str, folder: &Path) {
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).current_dir(folder).env("W", folder);
    assert!(shell.status().expect("every system has a shell").success(), "{script}");
}

/// What is around `cwd`, with the home `home` beside it.
fn around(root: &Path, cwd: &str) -> Surroundings {
    let cwd = root.join(cwd);
    let home = root.join("home");
    Surroundings {
        project: location::discover(&cwd).expect("it is there"),
        cwd,
        client_folder: Some(home.join(".claude")),
        memory_base: home.join(".claude"),
        home: Some(home),
    }
}
