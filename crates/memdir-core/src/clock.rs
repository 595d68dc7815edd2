//! The time as a port, for drivers that must ask for it.

use std::{sync::Arc, time::SystemTime};

/// Tells the time to code that decides for itself when to ask.
///
/// Functions of this crate take `now` as a value; drivers such as a store, which stamp an operation when it happens,
/// take a clock.
pub trait Clock: Send + Sync {
    /// Returns the present moment.
    fn now(&self) -> SystemTime;
}

/// A clock that stands still, for tests and for replaying what happened at a known time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a moment is all that a standing clock can ever hold"
)]
pub struct FixedClock(pub SystemTime);

impl Clock for FixedClock {
    fn now(&self) -> SystemTime {
        self.0
    }
}

impl<T: Clock + ?Sized> Clock for &T {
    fn now(&self) -> SystemTime {
        (**self).now()
    }
}

impl<T: Clock + ?Sized> Clock for Arc<T> {
    fn now(&self) -> SystemTime {
        (**self).now()
    }
}

impl<T: Clock + ?Sized> Clock for Box<T> {
    fn now(&self) -> SystemTime {
        (**self).now()
    }
}
