//! Every number of this crate with a meaning of its own: its unit, and where it comes from.

use std::time::Duration;

/// Longest folder name of an agent, in bytes of UTF-8.
///
/// What is left of 255 bytes on a disk that encrypts names (eCryptfs), the smallest of the systems in use.
pub const FOLDER_BYTES: usize = 143;

/// Longest name of an agent that is taken, in bytes of UTF-8.
///
/// Ours: far above any name that a person types.
pub const NAME_BYTES: usize = 4_096;

/// Definitions of agents that are read of one folder, first by path.
///
/// Ours: ten times the largest public collection.
pub const DEFINITIONS: usize = 2_000;

/// Bytes of a definition that are read: the longest frontmatter, and a byte order mark.
pub const DEFINITION_BYTES: u64 = memdir_core::limits::MAX_BLOCK_BYTES as u64 + 3;

/// Most files of a snapshot.
///
/// Ours: five times the memories that a prompt ever draws on.
pub const SNAPSHOT_FILES: usize = 1_000;

/// Most bytes of a snapshot in all.
///
/// Ours: more than any memory in use, and little enough to hold in memory.
pub const SNAPSHOT_BYTES: u64 = 16 * 1024 * 1024;

/// Longest `snapshot.json` that is read, in bytes.
///
/// Ours: it holds one date, and what other programs add.
pub const META_BYTES: u64 = 64 * 1024;

/// How far ahead of the clock the date of a snapshot may be.
///
/// Ours: clocks of machines that share a repository differ by seconds; a snapshot from next year would hide all later ones.
pub const CLOCK_SKEW: Duration = Duration::from_secs(10 * 60);

/// Files of each kind that an offer to merge names; further ones are counted.
///
/// Ours: with the longest paths there can be the offer stays under 128 KiB.
pub const OFFERED_FILES: usize = 40;
