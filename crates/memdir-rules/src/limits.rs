//! Every number with a meaning of its own: its unit, and where it comes from.

/// Longest pattern that is compiled, in bytes. A longer one matches nothing, aloud.
///
/// Ours: the longest path of Linux, so no file is named by more, and compiling stays in the order of a millisecond.
pub const PATTERN_BYTES: usize = 4_096;

/// Patterns that the braces of one rule may stand for.
///
/// What the client does: beyond it a pattern is used with its braces as they stand.
pub const EXPANDED_PATTERNS: usize = 1_000;

/// Bytes of the patterns that the braces of one rule may stand for; as [`EXPANDED_PATTERNS`].
pub const EXPANDED_BYTES: usize = 4 * 1024 * 1024;

/// Depth to which braces may nest; deeper ones are used as they stand.
///
/// Ours: people nest one or two.
pub const BRACE_DEPTH: usize = 32;

/// Patterns in one set, expanded. What is beyond matches nothing, aloud.
///
/// Ours: twenty patterns for each of a thousand rules.
pub const SET_PATTERNS: usize = 20_000;
