//! The memories as they are when a run is judged, so that judging is a function over values.

use std::collections::BTreeMap;

use memdir_core::MemPath;
use memdir_core::frontmatter::{Fields, decode, parse};
use memdir_store::{Entry, Error, Flow, Listed, ReadStore, Revision};

use crate::place::check_place;

/// All memories of a directory and its index, at one time; reads like the store that it was taken of.
///
/// Team and logs are left out: no run has to do with them.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    memories: BTreeMap<MemPath, Known>,
    index: Option<Vec<u8>>,
    /// What has the name of a memory and cannot be read.
    unreadable: Vec<MemPath>,
}

/// A memory as it is.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    entry: Entry,
    pub(crate) bytes: Vec<u8>,
    pub(crate) fields: Fields,
}

impl Known {
    /// The text; `None` where it is not UTF-8, so that an edit would lose bytes.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    pub(crate) fn body(&self) -> String {
        parse(&decode(&self.bytes).0).body.to_owned()
    }

    pub(crate) fn revision(&self) -> Revision {
        Revision::of(&self.bytes)
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }
}

impl Snapshot {
    /// Reads every memory of a store, whole, and the index.
    ///
    /// # Errors
    ///
    /// When the directory, its index or the disk cannot be read. A file that may not be read, is none or is too large is one
    /// that no run changes.
    pub fn read(store: &dyn ReadStore) -> Result<Self, Error> {
        let mut entries = Vec::new();
        store.visit(&mut |listed| {
            match listed {
                Listed::Entry(entry) if check_place(&entry.path).is_ok() => entries.push(entry),
                Listed::Entry(_) | Listed::Skipped(_) => {}
            }
            Flow::Continue(())
        })?;
        let mut snapshot = Self { index: store.read(&MemPath::index())?, ..Self::default() };
        for entry in entries {
            match store.read(&entry.path) {
                Ok(Some(bytes)) => {
                    let fields = parse(&decode(&bytes).0).fields;
                    snapshot.memories.insert(entry.path.clone(), Known { entry, bytes, fields });
                }
                // It vanished meanwhile.
                Ok(None) => {}
                Err(
                    Error::Denied { .. }
                    | Error::NotAFile { .. }
                    | Error::Link { .. }
                    | Error::TooLarge { .. },
                ) => snapshot.unreadable.push(entry.path),
                Err(error) => return Err(error),
            }
        }
        Ok(snapshot)
    }

    pub(crate) fn memory(&self, path: &MemPath) -> Option<&Known> {
        self.memories.get(path)
    }

    pub(crate) fn memories(&self) -> impl Iterator<Item = (&MemPath, &Known)> {
        self.memories.iter()
    }

    pub(crate) fn is_unreadable(&self, path: &MemPath) -> bool {
        self.unreadable.contains(path)
    }

    pub(crate) fn index_text(&self) -> String {
        decode(self.index.as_deref().unwrap_or_default()).0.into_owned()
    }

    /// How many memories there are, and their bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        (self.memories.len(), self.memories.values().map(Known::len).sum())
    }
}

impl ReadStore for Snapshot {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        for known in self.memories.values() {
            if each(Listed::Entry(known.entry.clone())).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let known = self.memory(path).map(|known| &known.bytes);
        let bytes = if path.is_index() { self.index.as_ref() } else { known };
        let max = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        Ok(bytes.map(|bytes| bytes.iter().copied().take(max).collect()))
    }
}
