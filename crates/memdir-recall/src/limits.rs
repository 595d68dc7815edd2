//! Every number of this crate with a meaning of its own: its unit, and where it comes from.

/// Memories that are attached at most.
///
/// From the descriptions of Claude Code's memory: more drown each other.
pub const MAX_ATTACHMENTS: usize = 5;

/// Bytes of one attachment, the mark under a cut one included.
///
/// From the descriptions of Claude Code's memory.
pub const ATTACHMENT_BYTES: usize = 4_096;

/// Bytes of all attachments together.
///
/// From the design: four that use their share whole.
pub const TOTAL_BYTES: usize = 16_384;

/// Hits of a ranking at most.
///
/// Twice what is attached, so that what was shown already can be passed over.
pub const RANKED: usize = 2 * MAX_ATTACHMENTS;

/// Bytes of a question that are read from its beginning, and as many from its end; in between lies what was pasted.
///
/// Ours: longer than any question that somebody types.
pub const QUERY_BYTES: usize = 4 * 1024;

/// Words of a question that are looked for: half from its beginning, half from its end.
///
/// What comparable programs allow.
pub const QUERY_WORDS: usize = 64;

/// Share of what a question asks that the best memory must have, in percent, for there to be an answer.
pub const COVERAGE_PERCENT: u8 = 22;

/// Score of a hit that is attached, in percent of the best.
pub const NEAR_FIRST_PERCENT: u8 = 40;
