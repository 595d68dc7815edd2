//! Every number of this crate with a meaning of its own: its unit, and where it comes from.

use std::time::Duration;

/// Largest plan that is read, in bytes.
///
/// Ours: a hundred times what a model answers.
pub const PLAN_BYTES: usize = 10 * 1024 * 1024;

/// Most operations of a plan; one with more is refused as a whole, since half of a plan is another plan.
pub const PLAN_OPERATIONS: usize = 10_000;

/// Notes kept about one plan; further ones are counted.
pub const PLAN_NOTES: usize = 100;

/// Longest text of a model that a message repeats, in bytes.
pub const SHOWN_BYTES: usize = 120;

/// Longest name of a memory that a run writes, in Unicode scalar values.
///
/// Ours: a title of an index line, which should stay under 200 with its hook.
pub const NAME_CHARS: usize = 120;

/// Longest description that a run writes, in Unicode scalar values.
///
/// Ours: five times what an index line should have.
pub const DESCRIPTION_CHARS: usize = 1_000;

/// Longest body that a run writes, in bytes.
///
/// Ours: ten times a long memory; more is a log.
pub const BODY_BYTES: usize = 64 * 1024;

/// Longest title and hook of an index line together, in bytes.
///
/// Ours: five times what an index line should have.
pub const INDEX_LINE_BYTES: usize = 1_000;

/// Longest reason that the journal gets from the operations of a plan, in bytes; more is cut.
///
/// Ours: a dozen sentences, which is more than a list of operations shows.
pub const REASON_BYTES: usize = 1_000;

/// Fewest letters and digits of a quote that proves something. Ours: fewer stand in nearly any text.
pub const QUOTE_CHARS: usize = 6;

/// Share of entries, and of bytes, that a run may take away without a person, in percent.
///
/// From the design: a bad night cannot wipe a memory.
pub const LOSS_PERCENT: u64 = 25;

/// Files that a run may remove or empty without a person. From the design.
pub const LOSS_FILES: usize = 5;

/// Most proposals that wait in the inbox; further ones are turned away, so that a flood does not wash out what waits.
///
/// Ours: more than a person looks through.
pub const INBOX_ITEMS: usize = 200;

/// Largest inbox, in bytes.
pub const INBOX_BYTES: usize = 4 * 1024 * 1024;

/// How long a proposal waits: as long as the journal keeps what it is about.
pub const INBOX_AGE: Duration = memdir_store::limits::JOURNAL_AGE;

/// Most memories that are remembered as forgotten; the oldest go first.
pub const TOMBSTONES: usize = 4_096;

/// Lines of one forgotten memory that are remembered.
pub const TOMBSTONE_LINES: usize = 64;

/// Fewest words of a line that is told from another by its words alone. Ours: headings and the like have fewer.
pub const LINE_WORDS: usize = 4;

/// Size from which told notices are dropped, in bytes.
pub const NOTICE_BYTES: usize = 64 * 1024;

/// Notices that wait to be told; beyond that the oldest go.
pub const NOTICES: usize = 50;

/// Files that a notice names; further ones are counted.
pub const NOTICE_FILES: usize = 20;
