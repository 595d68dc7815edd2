//! What a store needs to be told once.

use std::{fmt, sync::Arc, time::Duration};

use memdir_core::Clock;

use crate::limits;

/// What a store needs to be told once.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Dates operations.
    pub clock: Arc<dyn Clock>,
    /// How long a writer waits for another one; [`limits::LOCK_WAIT`] by default.
    pub lock_wait: Duration,
    /// Size from which the journal goes on in a new segment, in bytes; [`limits::SEGMENT_BYTES`] by default.
    pub segment_bytes: u64,
    /// Age from which a segment may go; [`limits::JOURNAL_AGE`] by default.
    pub journal_age: Duration,
    /// Size of the journal from which the oldest segments go, in bytes; [`limits::JOURNAL_BYTES`] by default.
    pub journal_bytes: u64,
    /// Runs that stay whatever their age; [`limits::JOURNAL_RUNS`] by default.
    pub journal_runs: usize,
}

impl Options {
    /// Takes the defaults, and the clock.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            lock_wait: limits::LOCK_WAIT,
            segment_bytes: limits::SEGMENT_BYTES,
            journal_age: limits::JOURNAL_AGE,
            journal_bytes: limits::JOURNAL_BYTES,
            journal_runs: limits::JOURNAL_RUNS,
        }
    }

    /// Waits that long for another writer.
    #[must_use]
    pub fn lock_wait(self, lock_wait: Duration) -> Self {
        Self { lock_wait, ..self }
    }

    /// Keeps this much of the journal: `segment_bytes` to a segment, `bytes` in all, at least `runs` runs.
    #[must_use]
    pub fn journal(self, segment_bytes: u64, bytes: u64, runs: usize) -> Self {
        Self { segment_bytes, journal_bytes: bytes, journal_runs: runs, ..self }
    }
}

/// Takes the clock of the system.
#[cfg(feature = "fs")]
impl Default for Options {
    fn default() -> Self {
        Self::new(Arc::new(SystemClock))
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("lock_wait", &self.lock_wait).finish_non_exhaustive()
    }
}

/// The clock of the system.
#[cfg(feature = "fs")]
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct SystemClock;

#[cfg(feature = "fs")]
impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter to the system's clock")]
    fn now(&self) -> std::time::SystemTime {
        std::time::SystemTime::now()
    }
}
