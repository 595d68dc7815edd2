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

/// Hits of a ranking at most, where the question does not say.
///
/// Twice what is attached: enough to see how far the next ones are off.
pub const RANKED: usize = 2 * MAX_ATTACHMENTS;

/// Bytes that are read of the first line of a question and of the last, and from either end of what lies between.
///
/// Ours: longer than any question that somebody types.
pub const QUERY_BYTES: usize = 4 * 1024;

/// Words of a question that are looked for: half from its beginning, half from its end.
///
/// What comparable programs allow.
pub const QUERY_WORDS: usize = 64;

/// Bytes of what stands before the first colon of a description at most, for it to be a topic.
///
/// Ours: a topic with a few names for it in brackets; a sentence that leads to a colon is longer.
pub const TOPIC_BYTES: usize = 120;

/// Bytes of a body in which a question for a time looks for one.
///
/// Ours: dates that matter stand at the beginning.
pub const TIME_BYTES: usize = 512;

/// Share of what a question asks that the best memory must have, in percent, for there to be an answer.
///
/// Measured on four sets of questions: from here on more right answers are lost than wrong ones.
pub const COVERAGE_PERCENT: u8 = 22;

/// Score of a hit that is attached, in percent of the best; where more than [`MAX_ATTACHMENTS`] are asked for, less in
/// proportion.
///
/// Measured on four sets of questions: below, what is attached helps seldom; above, right second answers are lost.
pub const NEAR_FIRST_PERCENT: u8 = 45;

/// Triggers, and patterns of paths, of one memory that are looked at.
///
/// Ours: more than anybody writes by hand.
pub const SUMMONS: usize = 64;

/// Files in play that are looked at.
///
/// Ours: what a change touches; more of them bring up everything.
pub const FILES: usize = 256;

/// Bytes of a pattern of paths.
///
/// Ours: longer than any path that a person writes; the cost of compiling a pattern grows with its length.
pub const PATTERN_BYTES: usize = 512;

/// Braces and `**` in a pattern of paths.
///
/// Measured: each multiplies what is compiled; so many take less than a millisecond.
pub const PATTERN_BRANCHES: usize = 16;

/// Bytes of a body in which a warning is looked for.
///
/// Ours: a gotcha says so at its beginning.
pub const WARNING_BYTES: usize = 1024;

/// Claims of one text that are looked up.
///
/// Ours: a memory that names more is a list.
pub const CLAIMS: usize = 32;

/// Bytes that the searches of one [`Verifier`](crate::Verifier) read in all.
///
/// Ours: the sources of a large project, a tenth of a second from a warm cache; what is larger is not judged.
pub const SEARCH_BYTES: u64 = 64 * 1024 * 1024;

/// Names that one search lists.
///
/// Ours: the same project.
pub const SEARCH_NAMES: usize = 20_000;

/// Bytes of a file that defines commands; a longer one is not judged.
///
/// Ours: hundreds of scripts.
pub const DEFINITION_BYTES: u64 = 256 * 1024;

/// Memories that a model chooses from.
///
/// From the descriptions of Claude Code's memory.
pub const CHOOSABLE: usize = 200;

/// The newest among [`CHOOSABLE`], where there are more; the others are the best by words.
///
/// From the design: a new memory is often about what goes on, whatever its words.
pub const CHOOSABLE_NEWEST: usize = 20;

/// Memories that are too few for a model to be asked about where words leave a doubt.
///
/// From the design: so few differ in their words.
pub const FEW: usize = 5;

/// Share of what a question asks that the best memory must have, in percent, for a model not to be asked.
///
/// Measured: from here on the first hit is right for all 100 questions of the two sets of memories that are ours, and for two of three among
/// the facts of long dialogues; below, for one of three of the latter.
pub const CONFIDENT_PERCENT: u8 = 60;

/// Bytes of the names of tools in use that a model is told, before what cannot be shown is spelled out.
///
/// Ours: a hundred names; a host with more of them names those of all servers that it knows.
pub const TOOLS_BYTES: usize = 2_048;

/// Tokens of a model's answer, thinking included.
///
/// Ours: five paths are 200 tokens, the rest is for models that think first.
pub const CHOICE_TOKENS: u32 = 2_048;

/// Words that a reason names.
///
/// Ours: what a reader takes in, and a line that fits a screen.
pub const REASONS: usize = 6;
