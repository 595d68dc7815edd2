//! Named numbers.

use std::time::Duration;

/// Bytes of an answer that are read at most, unless options say otherwise.
///
/// Eight times what 128,000 tokens of four bytes come to, which is the longest answer that a provider gives.
pub const ANSWER_BYTES: u64 = 4 * 1024 * 1024;

/// Bytes of an answer that is an error, or of what a program says on its standard error; the rest is not read.
pub const ERROR_BYTES: u64 = 64 * 1024;

/// Characters of what a server or a program says about an error.
pub const TOLD_CHARS: usize = 500;

/// How long a connection may take to come about. A server behind a slow line needs a few seconds, one that is gone never answers.
pub const CONNECT: Duration = Duration::from_secs(10);

/// Breakpoints of the cache in one request; the API of Anthropic refuses more.
pub const BREAKPOINTS: usize = 4;

/// Bytes of one argument of a program; Linux refuses more (`MAX_ARG_STRLEN`, with the byte that ends it).
pub const ARGUMENT_BYTES: usize = 128 * 1024 - 1;

/// Characters in a row that are enough to recognise a key. Shorter ones occur by chance.
pub const KEY_RUN: usize = 8;
