//! The newest files of a listing, within a bound.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
    iter,
};

use memdir_core::MemPath;
use memdir_store::Entry;

/// The files that were changed last, at most a fixed number of them.
#[derive(Debug)]
pub(crate) struct Candidates {
    /// At most twice as many; once there are, the older half goes.
    newest: Vec<Candidate>,
    max: usize,
}

impl Candidates {
    pub(crate) fn new(max: usize) -> Self {
        Self { newest: Vec::new(), max }
    }

    pub(crate) fn offer(&mut self, entry: Entry) {
        self.newest.push(Candidate(entry));
        if self.newest.len() > self.max.saturating_mul(2) {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        if self.max < self.newest.len() {
            self.newest.select_nth_unstable_by(self.max, |a, b| b.cmp(a));
            self.newest.truncate(self.max);
        }
    }

    /// The last changed first, ties by path; sorted as far as they are taken.
    pub(crate) fn into_sorted(mut self) -> impl Iterator<Item = Entry> {
        self.shorten();
        let mut heap = BinaryHeap::from(self.newest);
        iter::from_fn(move || heap.pop().map(|Candidate(entry)| entry))
    }
}

/// Greater is newer, and for equal times first by path.
#[derive(Debug)]
struct Candidate(Entry);

impl Candidate {
    fn key(&self) -> (std::time::SystemTime, Reverse<&MemPath>) {
        (self.0.modified, Reverse(&self.0.path))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}
