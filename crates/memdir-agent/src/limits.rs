//! Named numbers, and the limits of one run.

/// Answers that a run may have by default.
///
/// What the extraction of the client may have: read in the first, write in the second, and room for mistakes.
pub const TURNS: u32 = 5;

/// Calls in a run.
///
/// Ours: a consolidation of twenty memories reads, writes and points to each, and removes a few.
pub const CALLS: u32 = 64;

/// Bytes that are read of store and project in a run.
///
/// Ours: the text of a thousand memories of the usual size.
pub const READ_BYTES: u64 = 4 * 1024 * 1024;

/// Bytes of one file of the project that are looked at.
///
/// Ours: sources are shorter, and what is longer was made by a program.
pub const PROJECT_FILE_BYTES: u64 = 1024 * 1024;

/// Bytes of results that a model is shown in a run.
///
/// Ours: 100,000 tokens of four bytes, as much as an extraction is shown of a conversation.
pub const SHOWN_BYTES: u64 = 400_000;

/// Bytes of one result.
///
/// Ours: the longest of usual memories in full; files of a project are looked into part by part.
pub const RESULT_BYTES: usize = 16 * 1024;

/// Bytes that a run writes.
///
/// Ours: a hundred memories of the usual size.
pub const WRITTEN_BYTES: u64 = 256 * 1024;

/// Bytes of one answer; a longer one is not looked at.
///
/// Ours: eight times what the tokens of an answer come to.
pub const ANSWER_BYTES: u64 = 256 * 1024;

/// Tokens of one answer, thinking included.
///
/// Ours: several memories written in one turn.
pub const ANSWER_TOKENS: u32 = 8_192;

/// Tokens of a run, read and written together, kept ones included.
///
/// Ours: five requests of 100,000 tokens.
pub const TOKENS: u64 = 500_000;

/// Bytes of the digest of a conversation; the end of a longer one is left out.
///
/// Ours: 100,000 tokens of four bytes.
pub const INPUT_BYTES: usize = 400_000;

/// Names in one listing.
pub const LISTED_NAMES: usize = 500;

/// Lines that one search finds.
pub const HITS: usize = 100;

/// Words that one search looks for.
pub const WORDS: usize = 8;

/// Bytes of a found line that are shown.
pub const HIT_BYTES: usize = 200;

/// Bytes of a name of the model's that a refusal repeats.
pub const SHOWN_NAME_BYTES: usize = 64;

/// What a run may do at most.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Answers of the model; the request after the last is not sent. Default: [`TURNS`].
    pub turns: u32,
    /// Calls, refused ones included; of an answer that calls for more than are left, none is run. Default: [`CALLS`].
    pub calls: u32,
    /// Bytes read of store and project. Default: [`READ_BYTES`].
    pub read_bytes: u64,
    /// Bytes of results that the model is shown. Default: [`SHOWN_BYTES`].
    pub shown_bytes: u64,
    /// Bytes of one result; what does not fit can be asked for. Default: [`RESULT_BYTES`].
    pub result_bytes: usize,
    /// Bytes written. Default: [`WRITTEN_BYTES`].
    pub written_bytes: u64,
    /// Bytes of one answer. Default: [`ANSWER_BYTES`].
    pub answer_bytes: u64,
    /// Tokens of one answer, which the provider is told. Default: [`ANSWER_TOKENS`].
    pub answer_tokens: u32,
    /// Tokens of all requests and answers as the provider counts them, looked at after each answer. Default: [`TOKENS`].
    pub tokens: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: TURNS,
            calls: CALLS,
            read_bytes: READ_BYTES,
            shown_bytes: SHOWN_BYTES,
            result_bytes: RESULT_BYTES,
            written_bytes: WRITTEN_BYTES,
            answer_bytes: ANSWER_BYTES,
            answer_tokens: ANSWER_TOKENS,
            tokens: TOKENS,
        }
    }
}

impl Limits {
    /// Sets how many answers the model may give.
    #[must_use]
    pub fn turns(self, turns: u32) -> Self {
        Self { turns, ..self }
    }
}
