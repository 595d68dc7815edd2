//! The newest files of a listing, within a bound.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use memdir_core::MemPath;
use memdir_store::Entry;

/// The files that were changed last, at most a fixed number of them.
#[derive(Debug)]
pub(crate) struct Candidates {
    /// The worst on top.
    heap: BinaryHeap<Reverse<Candidate>>,
    max: usize,
}

impl Candidates {
    pub(crate) fn new(max: usize) -> Self {
        Self { heap: BinaryHeap::new(), max }
    }

    pub(crate) fn offer(&mut self, entry: Entry) {
        let candidate = Candidate(entry);
        if self.heap.len() < self.max {
            self.heap.push(Reverse(candidate));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && worst.0 < candidate
        {
            worst.0 = candidate;
        }
    }

    /// The last changed first, ties by path.
    pub(crate) fn into_sorted(self) -> impl Iterator<Item = Entry> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(Candidate(entry))| entry)
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
