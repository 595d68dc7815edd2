//! Named numbers.

use std::time::Duration;

/// How often a request is sent at most, the first time included.
///
/// Three attempts outlast a short overload and cost a hook that waits little.
pub const ATTEMPTS: u32 = 3;

/// The wait before the second attempt; it doubles with each further one.
pub const FIRST_WAIT: Duration = Duration::from_millis(500);

/// The longest wait between two attempts; who is told to wait longer gives up.
pub const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// How many plainer forms are tried in one go, each at once and beside the attempts.
///
/// As many as a provider knows: no schema, no forced tool, no JSON mode, and one for another name of a field.
pub const PLAINER_FORMS: u32 = 4;

/// Bytes of an answer in which JSON is looked for.
///
/// More than a model can write in one answer: 128,000 tokens of four bytes are half of it.
pub const ANSWER_BYTES: usize = 1024 * 1024;

/// Places in an answer at which a JSON value is tried.
pub const ANSWER_STARTS: usize = 64;

/// Entries that a ledger holds at most; what is older is added up into one.
pub const LEDGER_ENTRIES: usize = 2_000;
