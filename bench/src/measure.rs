//! Two programs in turn, and what the comparison says.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};
use rustix::time::{ClockId, clock_gettime};

/// Which time a comparison counts.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Clock {
    /// CPU time of this process: for single-threaded work in it.
    Cpu,
    /// CPU time of the processes that this one started and waited for.
    Children,
    /// Time that passed: for several processes at once and for waiting on the disk.
    Wall,
}

impl Clock {
    /// Runs the work once and returns how long it took, in seconds.
    pub fn time<E>(self, work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
        let start = self.read();
        work()?;
        Ok(self.read().saturating_sub(start).as_secs_f64())
    }

    fn read(self) -> Duration {
        let id = match self {
            Self::Cpu => ClockId::ProcessCPUTime,
            Self::Wall => ClockId::Monotonic,
            Self::Children => {
                let used = getrusage(UsageWho::RUSAGE_CHILDREN)
                    .expect("the kernel knows RUSAGE_CHILDREN, and there is no other error");
                return [used.user_time(), used.system_time()].map(elapsed).iter().sum();
            }
        };
        let now = clock_gettime(id);
        Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
    }
}

fn elapsed(time: TimeVal) -> Duration {
    Duration::from_micros(time.num_microseconds().unsigned_abs())
}

/// How long one side of a sample should run at least, so that the clock's grain does not matter.
const SAMPLE: Duration = Duration::from_millis(25);
/// Repetitions of a sample at most.
const MAX_REPEATS: u32 = 2000;

/// Samples of two programs taken in turn, in seconds per call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pairs {
    /// Ours and the reference, one pair a sample.
    pub samples: Vec<(f64, f64)>,
}

/// The middle and the ends of a set of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The smallest.
    pub low: f64,
    /// The upper of the two middle ones where there are two.
    pub median: f64,
    /// The largest.
    pub high: f64,
}

impl Spread {
    /// Sorts the numbers; all zero when there are none.
    pub fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let at = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
        Self {
            low: at(0),
            median: at(numbers.len() / 2),
            high: at(numbers.len().saturating_sub(1)),
        }
    }
}

impl Pairs {
    /// Runs `ours` and `theirs` in turn, `pairs` times, each sample long enough for the clock.
    pub fn take<E>(
        clock: Clock,
        pairs: usize,
        mut ours: impl FnMut() -> Result<(), E>,
        mut theirs: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        // The first calls warm caches and tell how long a call is.
        ours()?;
        let once = Duration::from_secs_f64(clock.time(&mut theirs)?).max(Duration::from_nanos(1));
        let repeats = SAMPLE.div_duration_f64(once).ceil().clamp(1.0, f64::from(MAX_REPEATS));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and MAX_REPEATS"
        )]
        let repeats = repeats as u32;
        let mut samples = Vec::with_capacity(pairs);
        for _ in 0..pairs {
            samples
                .push((sample(clock, repeats, &mut ours)?, sample(clock, repeats, &mut theirs)?));
        }
        Ok(Self { samples })
    }

    /// Ours, in seconds per call.
    pub fn ours(&self) -> Spread {
        Spread::of(self.samples.iter().map(|pair| pair.0).collect())
    }

    /// The reference, in seconds per call.
    pub fn theirs(&self) -> Spread {
        Spread::of(self.samples.iter().map(|pair| pair.1).collect())
    }

    /// How many times the reference ours takes, pair by pair.
    pub fn ratio(&self) -> Spread {
        Spread::of(self.samples.iter().map(|(ours, theirs)| ours / theirs).collect())
    }

    /// How much longer ours takes, pair by pair, in seconds.
    pub fn excess(&self) -> Spread {
        Spread::of(self.samples.iter().map(|(ours, theirs)| ours - theirs).collect())
    }
}

fn sample<E>(
    clock: Clock,
    repeats: u32,
    work: &mut impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    let total = clock.time(|| (0..repeats).try_for_each(|_| work()))?;
    Ok(total / f64::from(repeats))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_pair_by_pair_and_not_the_medians() {
        let pairs = Pairs { samples: vec![(2.0, 1.0), (30.0, 10.0), (4.0, 4.0)] };
        assert_eq!(pairs.ratio(), Spread { low: 1.0, median: 2.0, high: 3.0 });
        assert_eq!(pairs.excess(), Spread { low: 0.0, median: 1.0, high: 20.0 });
    }

    #[test]
    fn takes_the_two_in_turn() {
        let order = std::cell::RefCell::new(String::new());
        let slow = |letter| {
            let end = Clock::Wall.read() + SAMPLE;
            while Clock::Wall.read() < end {}
            order.borrow_mut().push(letter);
            Ok::<_, std::convert::Infallible>(())
        };
        let taken = Pairs::take(Clock::Wall, 2, || slow('a'), || slow('b')).unwrap();
        assert_eq!((order.into_inner().as_str(), taken.samples.len()), ("ababab", 2));
    }
}
