//! Every number of this crate with a meaning of its own: its unit, and where it comes from.

use std::time::Duration;

/// Largest file that is read whole or written, in bytes.
///
/// Ours: a memory has a few kilobytes and a day's log some hundred; what is larger is listed and can be looked into,
/// but is no memory.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Deepest folder that is listed; the memory directory itself has depth 0.
///
/// Ours: a path of [`memdir_core::limits::MAX_PATH_BYTES`] could hold some 500 folders, people use three.
pub const MAX_DEPTH: usize = 64;

/// How long a writer waits for another one.
///
/// From the design of the write gate: long enough for twenty writers in a row, short enough for a hook.
pub const LOCK_WAIT: Duration = Duration::from_secs(5);

/// Largest image of a file that stands in the journal itself, in bytes; a larger one becomes an object beside it.
pub const INLINE_IMAGE_BYTES: usize = 64 * 1024;

/// Size from which the journal goes on in a new segment, in bytes.
pub const SEGMENT_BYTES: u64 = 4 * 1024 * 1024;

/// Age from which a segment of the journal may go: 90 days.
pub const JOURNAL_AGE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Size of journal and objects together from which the oldest segments go, in bytes.
pub const JOURNAL_BYTES: u64 = 256 * 1024 * 1024;

/// Runs that stay in the journal whatever their age; an operation outside any run counts as one.
pub const JOURNAL_RUNS: usize = 20;

/// Size from which the trail goes on in a new file, in bytes; one older file is kept.
///
/// Ours: some thousand decisions, and read whole in well under a millisecond.
pub const TRAIL_BYTES: u64 = 256 * 1024;

/// Largest file of state that a part above keeps in the private folder, in bytes.
///
/// Ours: what an inbox, tombstones or a queue hold is bounded far below that by who writes them.
pub const STATE_BYTES: u64 = 16 * 1024 * 1024;

/// Longest line of the trail, in bytes.
///
/// Ours: as many memories as are recalled at once, with the longest paths there can be, fit twice.
pub const TRAIL_LINE_BYTES: usize = 16 * 1024;
