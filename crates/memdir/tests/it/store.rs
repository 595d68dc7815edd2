//! A memory directory in memory, and somebody else who writes into it at the worst moment.

use std::cell::RefCell;
use std::time::{Duration, SystemTime};

use memdir::Memory;
use memdir::core::{FixedClock, MemPath};
use memdir::store::{
    Actor, ApplyError, Attribution, Batch, Error, Expect, Flow, InMemory, Listed, OpKind,
    ReadStore, Receipt, WriteStore,
};

/// 2026-11-30T09:00:00Z.
pub(crate) fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_200)
}

pub(crate) fn path(text: &str) -> MemPath {
    text.parse().unwrap()
}

pub(crate) fn memory<S>(store: S) -> Memory<S> {
    Memory::new(store, "/memory", FixedClock(now()), Attribution::new(Actor::User))
}

pub(crate) fn put(store: &impl WriteStore, file: &str, text: &str) {
    let batch = Batch::new(OpKind::Named("test".to_owned())).put(path(file), text, Expect::Any);
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
}

pub(crate) fn with(files: &[(&str, &str)]) -> Memory<InMemory> {
    let store = InMemory::new();
    for (file, text) in files {
        put(&store, file, text);
    }
    memory(store)
}

pub(crate) fn text<S: ReadStore>(memory: &Memory<S>, file: &str) -> String {
    memory.text(&path(file)).unwrap().unwrap_or_default()
}

/// Lets somebody else write a file right before each of the next batches is applied.
pub(crate) struct Interrupted {
    pub(crate) store: InMemory,
    pub(crate) writes: RefCell<Vec<(&'static str, String)>>,
}

impl ReadStore for Interrupted {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        self.store.visit(each)
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.store.read_head(path, max_bytes)
    }
}

impl WriteStore for Interrupted {
    fn apply(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        if let Some((file, text)) = self.writes.borrow_mut().pop() {
            put(&self.store, file, &text);
        }
        self.store.apply(batch, by)
    }
}
