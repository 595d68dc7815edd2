//! Waiting, as a port.

use std::{pin::Pin, time::Duration};

/// Waits without blocking, as the caller's runtime does it.
///
/// Any function from a duration to a future is one:
///
/// ```
/// # use memdir_model::Timer;
/// fn timer() -> impl Timer {
///     tokio::time::sleep
/// }
/// # let _ = timer();
/// ```
pub trait Timer: Send + Sync {
    /// Returns a future that ends after this time.
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

impl<F, S> Timer for F
where
    F: Fn(Duration) -> S + Send + Sync,
    S: Future<Output = ()> + Send + 'static,
{
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(self(duration))
    }
}
