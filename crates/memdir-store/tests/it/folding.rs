//! A file system that takes `OK.md` and `ok.md` for one name, as those of macOS and Windows do.
#![cfg(test)]

use std::{io, sync::Arc, time::SystemTime};

use memdir_core::{FixedClock, MemPath};
use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Expect, Flow, OpKind, Options, ReadStore, Refusal,
    Store, WriteStore,
    disk::{Attempt, Content, Details, Disk, Exchanged, Found, MemDisk, Persist, Renamed, Stat},
};

/// Finds every name in whatever case it is asked for, and keeps the case that it was made with.
struct Folding(MemDisk);

impl Folding {
    fn spelled(&self, path: &str) -> String {
        let names: Vec<String> = self.0.files().into_keys().collect();
        let same = |name: &&str| name.to_lowercase() == path.to_lowercase();
        let folders = names
            .iter()
            .flat_map(|name| name.match_indices('/').filter_map(|(end, _)| name.get(..end)));
        let found = names.iter().map(String::as_str).chain(folders).find(same).map(str::to_owned);
        found.unwrap_or_else(|| match path.rsplit_once('/') {
            Some((folder, name)) => format!("{}/{name}", self.spelled(folder)),
            None => path.to_owned(),
        })
    }
}

impl Disk for Folding {
    fn list(
        &self,
        folder: &str,
        details: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> io::Result<()> {
        self.0.list(&self.spelled(folder), details, each)
    }

    fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        self.0.stat(&self.spelled(path))
    }

    fn read(&self, path: &str, from: u64, max: u64) -> io::Result<Content> {
        self.0.read(&self.spelled(path), from, max)
    }

    fn read_link(&self, path: &str) -> io::Result<Option<String>> {
        self.0.read_link(&self.spelled(path))
    }

    fn create(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        self.0.create(&self.spelled(path), bytes, persist)
    }

    fn append(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        self.0.append(&self.spelled(path), bytes, persist)
    }

    fn truncate(&self, path: &str, len: u64) -> io::Result<()> {
        self.0.truncate(&self.spelled(path), len)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(&self.spelled(from), &self.spelled(to))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<Renamed> {
        self.0.rename_new(&self.spelled(from), &self.spelled(to))
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<Exchanged> {
        self.0.exchange(&self.spelled(one), &self.spelled(other))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.0.remove(&self.spelled(path))
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.0.create_folder(&self.spelled(path))
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.0.remove_folder(&self.spelled(path))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.0.sync_folder(&self.spelled(folder))
    }

    fn try_lock(&self, path: &str, anchor: &str) -> io::Result<Attempt> {
        self.0.try_lock(path, anchor)
    }

    fn random(&self) -> io::Result<[u8; 16]> {
        self.0.random()
    }
}

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a good path")
}

#[test]
fn a_name_in_another_case_is_refused_and_changes_nothing() {
    let disk = MemDisk::new();
    let clock = Arc::new(FixedClock(SystemTime::UNIX_EPOCH));
    let store = Store::over(Folding(disk.clone()), Options::new(clock));
    let person = Attribution::new(Actor::User);
    let batch = || Batch::new(OpKind::Save);
    let first = batch().put(path("ok.md"), "ok\n", Expect::Absent).put(
        path("Sub/deep.md"),
        "deep\n",
        Expect::Absent,
    );
    store.apply(&first, &person).expect("applied");
    // This is what such a system does.
    assert_eq!(store.read(&path("OK.md")).expect("readable").as_deref(), Some(&b"ok\n"[..]));

    for (name, existing) in [("OK.md", "ok.md"), ("sub/deep.md", "Sub"), ("SUB/new.md", "Sub")] {
        for twin in [
            batch().put(path(name), "twin\n", Expect::Any),
            batch().append(path(name), "twin\n", Expect::Absent),
        ] {
            match store.apply(&twin, &person) {
                Err(ApplyError::Refused { refusal, .. }) => {
                    assert_eq!(refusal, Refusal::Twin { existing: existing.to_owned() }, "{name}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
        let remove = batch().remove(path(name), Expect::Any);
        let receipt = store.apply(&remove, &person).expect("there is no memory of that name");
        assert!(!receipt.has_changes(), "{receipt:?}");
    }
    let swapped = batch().remove(path("ok.md"), Expect::Any).put(path("OK.md"), "x", Expect::Any);
    store.apply(&swapped, &person).expect_err("one name cannot go and come at once");

    let files: Vec<(String, Vec<u8>)> =
        disk.files().into_iter().filter(|(name, _)| !name.starts_with('.')).collect();
    let expected = [("Sub/deep.md", "deep\n"), ("ok.md", "ok\n")];
    assert_eq!(files, expected.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
    store.apply(&batch().put(path("ok.md"), "new\n", Expect::Any), &person).expect("its own name");
    assert_eq!(store.read(&path("ok.md")).expect("readable").as_deref(), Some(&b"new\n"[..]));
}
