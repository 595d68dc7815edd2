//! A store in memory whose files have the dates and faults that a test wants, and which counts what is read of it.

use std::{
    cell::{Cell, RefCell},
    io,
    time::{Duration, SystemTime},
};

use memdir_core::MemPath;
use memdir_scan::{Options, Scan, scan};
use memdir_store::{Entry, Error, Flow, Listed, ReadStore, SkipReason, Skipped};

#[derive(Default)]
pub(crate) struct Shelf {
    files: Vec<(Entry, Content)>,
    skipped: Vec<Skipped>,
    pub(crate) opened: Cell<usize>,
    /// The most bytes asked of each file opened.
    pub(crate) asked: RefCell<Vec<u64>>,
}

enum Content {
    Bytes(Vec<u8>),
    Gone,
    Denied,
}

/// Noon of a day, counted from 2026-01-01.
pub(crate) fn day(day: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_268_800 + day * 86_400)
}

pub(crate) fn path(text: &str) -> MemPath {
    MemPath::parse(text).unwrap()
}

impl Shelf {
    pub(crate) fn file(self, name: &str, modified: SystemTime, content: impl AsRef<[u8]>) -> Self {
        let bytes = content.as_ref().to_vec();
        let entry = Entry::new(path(name), modified, bytes.len() as u64);
        self.put(entry, Content::Bytes(bytes))
    }

    /// A memory that gives itself a date.
    pub(crate) fn dated(self, name: &str, modified: SystemTime, created: &str) -> Self {
        self.file(name, modified, format!("---\ncreated: {created}\n---\n"))
    }

    pub(crate) fn linked(mut self, names: u64) -> Self {
        let (entry, content) = self.files.pop().unwrap();
        self.put(entry.links(names), content)
    }

    pub(crate) fn with_len(mut self, len: u64) -> Self {
        let (entry, content) = self.files.pop().unwrap();
        self.put(Entry::new(entry.path, entry.modified, len), content)
    }

    pub(crate) fn gone(self, name: &str) -> Self {
        self.put(Entry::new(path(name), day(0), 0), Content::Gone)
    }

    pub(crate) fn denied(self, name: &str) -> Self {
        self.put(Entry::new(path(name), day(0), 0), Content::Denied)
    }

    pub(crate) fn skip(mut self, raw_name: &str, reason: SkipReason) -> Self {
        self.skipped.push(Skipped::new(raw_name, reason));
        self
    }

    fn put(mut self, entry: Entry, content: Content) -> Self {
        self.files.push((entry, content));
        self
    }

    /// Scans on the hundredth day.
    pub(crate) fn scan(&self) -> Scan {
        scan(self, &Options::new(day(100))).unwrap()
    }

    pub(crate) fn scan_at_most(&self, max: usize) -> Scan {
        let mut options = Options::new(day(100));
        options.max = max;
        scan(self, &options).unwrap()
    }
}

impl ReadStore for Shelf {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        let files = self.files.iter().map(|(entry, _)| Listed::Entry(entry.clone()));
        let skipped = self.skipped.iter().cloned().map(Listed::Skipped);
        for listed in files.chain(skipped) {
            if each(listed).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.opened.set(self.opened.get() + 1);
        self.asked.borrow_mut().push(max_bytes);
        let (_, content) = self.files.iter().find(|(entry, _)| entry.path == *path).unwrap();
        match content {
            Content::Gone => Ok(None),
            Content::Denied => Err(Error::Denied {
                op: "read",
                path: path.to_string(),
                source: io::ErrorKind::PermissionDenied.into(),
            }),
            Content::Bytes(bytes) => {
                let most = usize::try_from(max_bytes).unwrap().min(bytes.len());
                Ok(Some(bytes[..most].to_vec()))
            }
        }
    }
}

pub(crate) fn paths(scan: &Scan) -> Vec<&str> {
    scan.headers.iter().map(|header| header.path.as_str()).collect()
}

pub(crate) fn problems(scan: &Scan) -> Vec<String> {
    scan.problems.iter().map(ToString::to_string).collect()
}
