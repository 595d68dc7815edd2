//! How far long work has come, on a terminal.

use std::time::Duration;

use super::write_stderr;
use crate::env::Stopwatch;

/// Work shorter than this says nothing. From the design: a person wonders after a second.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two lines of progress. Ours: steady to the eye.
const PACE: Duration = Duration::from_millis(200);

/// Bytes between two looks at the clock.
const LOOK_BYTES: u64 = 1 << 20;

/// One line on stderr that is written over and over, and gone at the end.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Absent where nobody would see it.
    watch: Option<Stopwatch>,
    pace: Pace,
    shown: bool,
}

impl Progress {
    pub(super) fn new(seen: bool) -> Self {
        Self { watch: seen.then(Stopwatch::start), pace: Pace::default(), shown: false }
    }

    /// Says what was read so far, when it is time to.
    pub(crate) fn at(&mut self, bytes: u64) {
        let Some(watch) = &self.watch else { return };
        if self.pace.is_due(bytes, || watch.elapsed()) {
            write_stderr(&format!("\r{} MiB read", bytes >> 20));
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            write_stderr("\r\x1b[K");
        }
    }
}

/// When something is to be said.
#[derive(Debug)]
struct Pace {
    next: Duration,
    looked: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { next: PATIENCE, looked: 0 }
    }
}

impl Pace {
    fn is_due(&mut self, bytes: u64, elapsed: impl FnOnce() -> Duration) -> bool {
        if bytes < self.looked + LOOK_BYTES {
            return false;
        }
        self.looked = bytes;
        let elapsed = elapsed();
        let due = elapsed >= self.next;
        if due {
            self.next = elapsed + PACE;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Pace};

    #[test]
    fn short_work_says_nothing_and_long_work_speaks_at_a_steady_pace() {
        let mut pace = Pace::default();
        let said: Vec<u64> = (1..=30_u64)
            .filter(|step| pace.is_due(step << 20, || Duration::from_millis(step * 100)))
            .collect();
        assert_eq!(said, [10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]);
    }

    #[test]
    fn the_clock_is_looked_at_once_a_mebibyte() {
        let mut pace = Pace::default();
        let late = Duration::from_secs(9);
        assert!(!pace.is_due((1 << 20) - 1, || late));
        assert!(pace.is_due(1 << 20, || late));
        assert!(!pace.is_due((1 << 20) + 1, || Duration::from_secs(99)));
    }
}
