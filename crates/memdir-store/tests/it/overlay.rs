//! Overlays: nothing is seen before the commit, and the commit loses nothing of anybody.
#![cfg(test)]

mod direct;
mod held;
mod races;
mod view;

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    time::{Duration, SystemTime},
};

use memdir_core::MemPath;
use memdir_store::{
    Actor, Attribution, Batch, Entry, Expect, InMemory, IndexOp, Listed, OpKind, ReadStore,
    WriteStore,
    overlay::{Group, Held, Outcome, Overlay, Proposal, Verdict},
};

const A: Group = Group::new(1);
const B: Group = Group::new(2);
const C: Group = Group::new(3);

fn path(text: &str) -> MemPath {
    MemPath::parse(text).unwrap()
}

fn worker() -> Attribution {
    Attribution::new(Actor::Worker("dream".into())).run("run-1")
}

fn upsert(name: &str, hook: &str) -> IndexOp {
    IndexOp::Upsert { path: path(name), title: name.into(), hook: hook.into() }
}

fn store(files: &[(&str, &str)]) -> InMemory {
    let store = InMemory::new();
    write(&store, files);
    store
}

/// Another writer.
fn write(store: &dyn WriteStore, files: &[(&str, &str)]) {
    let batch = files.iter().fold(Batch::new(OpKind::Save), |batch, (name, text)| {
        batch.put(path(name), *text, Expect::Any)
    });
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
}

fn remove(store: &dyn WriteStore, name: &str) {
    let batch = Batch::new(OpKind::Forget).remove(path(name), Expect::Any);
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
}

fn overlay<S: ReadStore>(base: S) -> Overlay<S> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_953);
    Overlay::new(base, OpKind::Named("dream".into()), now)
}

fn accept(_: &Proposal<'_>) -> Verdict {
    Verdict::Accepted
}

/// Every file by its name, as text, through `visit` and `read`.
fn contents(store: &dyn ReadStore) -> BTreeMap<String, String> {
    let mut paths = Vec::new();
    store
        .visit(&mut |listed| {
            let Listed::Entry(entry) = listed else { panic!("{listed:?}") };
            paths.push(entry);
            ControlFlow::Continue(())
        })
        .unwrap();
    let text = |entry: Entry| {
        let bytes = store.read(&entry.path).unwrap().unwrap();
        assert_eq!(bytes.len() as u64, entry.len, "{}", entry.path);
        (entry.path.to_string(), String::from_utf8(bytes).unwrap())
    };
    let count = paths.len();
    let contents: BTreeMap<_, _> = paths.into_iter().map(text).collect();
    assert_eq!(contents.len(), count, "each is listed once");
    contents
}

fn expected(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
}

fn reasons(outcome: &Outcome) -> Vec<(Vec<u32>, String)> {
    let numbers = |held: &Held| held.groups.iter().map(|group| group.number()).collect();
    outcome.held.iter().map(|held| (numbers(held), held.reason.to_string())).collect()
}
