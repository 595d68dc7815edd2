//! Integration tests of `memdir-change`.

#![expect(clippy::unwrap_used, reason = "what a test sets up is there, or the test fails")]
#![expect(clippy::disallowed_methods, reason = "tests read how much is asked of them")]

mod commits;
mod faults;
mod groups;
mod inboxes;
mod kit;
mod lineages;
mod loss;
mod notices;
mod plans;
mod properties;
mod tombstones;
mod verdicts;
