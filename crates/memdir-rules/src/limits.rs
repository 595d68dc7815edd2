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

/// Wildcards (`*`, `?` and `[`) of one pattern as it is written. One that has more matches nothing, aloud.
///
/// Ours: `**/` two hundred times, which the threat model asks for, fits.
pub const PATTERN_WILDCARDS: usize = 512;

/// Wildcards of all patterns in one set. What is beyond matches nothing, aloud.
///
/// Measured: a set of so many compiles within half a second; three for each of twenty thousand patterns.
pub const SET_WILDCARDS: usize = 60_000;

/// Bytes of all patterns in one set, their braces expanded. What is beyond matches nothing, aloud.
///
/// Ours: two hundred for each of twenty thousand patterns.
pub const SET_BYTES: usize = 4 * 1024 * 1024;

/// Largest file that is loaded, in bytes. A larger one is left out, aloud.
///
/// What the client does.
pub const FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Lines of a file above which a check calls it long.
///
/// The client's own guidance.
pub const FILE_LINES: usize = 200;

/// Imports that may follow one another from the file that a person named on.
///
/// What the client does: the fifth file in a row is not loaded.
pub const IMPORT_HOPS: usize = 4;

/// Imports of one file that are followed.
///
/// Ours: far more than anybody reads.
pub const FILE_IMPORTS: usize = 500;

/// Files that one context may load.
///
/// Ours: ten times the thousand rules of a very large project.
pub const FILES: usize = 10_000;

/// Bytes that one context may load.
///
/// Ours: sixteen of the largest files.
pub const TOTAL_BYTES: u64 = 64 * 1024 * 1024;

/// Names looked at in one tree of rules.
///
/// Ours: as [`FILES`], with room for what is no rule.
pub const TREE_NAMES: usize = 20_000;

/// Depth to which a tree of rules is read.
///
/// Ours: people nest two or three.
pub const TREE_DEPTH: usize = 32;

/// Folders above one file in play, the nearest first, whose own rules are looked for.
///
/// Ours: the threat model asks for 64 levels to be bounded; few projects have 20.
pub const NESTED_FOLDERS: usize = 64;

/// Bytes of instructions of Codex in all, `project_doc_max_bytes` of its documentation.
pub const CODEX_BYTES: usize = 32 * 1024;

/// Bytes of a rendered text. What does not fit is named at its end.
///
/// Ours: as much as the largest file that a client loads.
pub const RENDERED_BYTES: usize = 4 * 1024 * 1024;

/// Names that a check looks at to tell whether a rule matches any file.
///
/// Ours: twice a project of 100,000 files.
pub const WALKED_NAMES: usize = 200_000;

/// Notes that are kept; further ones are counted.
///
/// Ours: a list that nobody reads to its end.
pub const NOTES: usize = 1_000;
