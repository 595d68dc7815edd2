//! Every number of this crate with a meaning of its own: its unit, and where it comes from.

use std::time::Duration;

/// Memories that a scan keeps.
///
/// From the descriptions of Claude Code's memory: a manifest of more is no longer read with care.
pub const MAX_HEADERS: usize = 200;

/// Bytes that are read of each file at first.
///
/// One page: it holds the 30 lines of nearly every memory, and costs no more than reading less.
pub const HEAD_BYTES: u64 = 4096;

/// Files that are opened at most, however little their modification times tell about their dates.
///
/// Ours: ten times [`MAX_HEADERS`], some ten milliseconds.
pub const MAX_READ: usize = 10 * MAX_HEADERS;

/// Files from which on a directory is asked whether somebody touched it as a whole.
///
/// From the design: with fewer, sharing a day says nothing.
pub const TOUCHED_FILES: usize = 5;

/// Share of the files, in percent, that must share a day for it to be no day of writing.
///
/// From the design.
pub const TOUCHED_PERCENT: usize = 20;

/// Of so many memories one more may be opened than are kept, without asking for its date before.
///
/// Ours: a folder of few more files than are kept is opened whole, which costs less than looking at each file twice.
pub const SPARE: usize = 20;

/// How far ahead of the clock a date may be before it is a problem: clocks of two machines differ, time zones are
/// forgotten, and the longest offset is 14 hours.
pub const CLOCK_SKEW: Duration = Duration::from_secs(24 * 60 * 60);

/// Problems that a scan describes; further ones are counted.
///
/// Ours: five times the memories it lists.
pub const MAX_PROBLEMS: usize = 5 * MAX_HEADERS;

/// Bytes of a description in the manifest; what is over is cut with `…`.
///
/// What comparable programs allow, and twice what an index line aims at.
pub const MANIFEST_DESCRIPTION_BYTES: usize = 512;

/// Bytes of the manifest; lines that are over are left out, the oldest first, and counted in a last line.
///
/// Ours: [`MAX_HEADERS`] lines of the usual length fit twice.
pub const MANIFEST_BYTES: usize = 64 * 1024;
