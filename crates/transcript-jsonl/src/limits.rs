//! Every number with a meaning of its own: its unit, and where it comes from.

/// Bytes that a reader asks of its source at once, and how much it holds where no line is longer.
///
/// Large enough that a call into the kernel costs nothing beside the copy, small enough to stay in a processor's cache.
pub const BUFFER_BYTES: usize = 256 * 1024;

/// Smallest piece that is read from the end of a file, in bytes: one page.
pub const BACKWARD_BYTES: usize = 4 * 1024;

/// Part of what was read so far that the next piece from the end may have: one in 32, a third of the tenth that the design
/// lets a reader from the end read in vain.
///
/// What is read beyond the line that was looked for is never more than this part, nor than [`BACKWARD_BYTES`] where that is more.
pub const BACKWARD_PART: u64 = 32;

/// Lines that are read backwards to find the last compaction; where it lies further back the file is read forwards.
///
/// Ours: what is kept of them is 32 MiB then, and a client compacts after a few hundred.
pub const BACKWARD_LINES: usize = 1 << 18;

/// Longest line that is held in memory, in bytes.
///
/// No client writes a longer one: a string of the JavaScript engines has at most 2^29 units.
pub const MAX_LINE_BYTES: usize = 512 * 1024 * 1024;

/// Length from which a line is called long in a note, in bytes; it is read all the same.
///
/// Ours: a line of this size holds a picture or a whole file, and makes programs slow that read line by line.
pub const LONG_LINE_BYTES: usize = 8 * 1024 * 1024;

/// Notes that are kept; further ones are counted.
///
/// Ours: more than a person reads.
pub const MAX_NOTES: usize = 1_000;

/// Types that are not known and are noted, each once.
///
/// Ours: many more than a version adds; a file with more is none of a client's.
pub const MAX_UNKNOWN_TYPES: usize = 64;

/// Passes over a file that is out of order, at most, to find what stands beside a branch.
///
/// Ours: each finds what hangs on what the one before has found, and clients let no more than a few tools run in a row
/// out of order.
pub const MAX_PASSES: usize = 16;

/// How many times its own length a damaged line is searched for a whole object behind the damage.
///
/// Ours: each try ends at the next damage or at the end of an object, so that few are ever needed.
pub const MAX_RECOVERIES: usize = 64;

/// Bytes that a listing reads of either end of a file.
///
/// What the client itself reads to list its sessions.
pub const LISTING_BYTES: usize = 64 * 1024;

/// Longest title or prompt of a listing, in Unicode scalar values.
///
/// Ours: two lines of a terminal.
pub const TITLE_CHARS: usize = 200;

/// Bytes of one tool call or one tool result in a conversation, by default.
///
/// Ours: what a call was about and how its result begins; the rest can be had from the tool again.
pub const TOOL_BYTES: usize = 2_000;

/// Bytes of one text of the user or the assistant in a conversation, by default.
///
/// Ours: only what was pasted is longer.
pub const TEXT_BYTES: usize = 16_000;

/// Bytes of a whole conversation, by default; the latest turns are kept.
///
/// Ours: about 100,000 tokens, half of what the smallest models in use take.
pub const CONVERSATION_BYTES: usize = 400_000;
