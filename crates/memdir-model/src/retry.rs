//! Asking again when that may help.

use std::time::Duration;

use async_trait::async_trait;
use backon::{BackoffBuilder as _, ExponentialBuilder};

use crate::{Error, Model, Request, Response, Timer, limits};

/// How often and how long something is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patience {
    /// Attempts in all; 0 counts as 1. Default: [`limits::ATTEMPTS`].
    pub attempts: u32,
    /// The wait before the second attempt, which doubles each time; up to as much again is added at random, so that programs that failed together do not return together. Default: [`limits::FIRST_WAIT`].
    pub first_wait: Duration,
    /// The longest wait. Where the server asks for more, nothing is tried again. Default: [`limits::LONGEST_WAIT`].
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempts: limits::ATTEMPTS,
            first_wait: limits::FIRST_WAIT,
            longest_wait: limits::LONGEST_WAIT,
        }
    }
}

/// A model that is asked again after errors that may pass: see [`Error::is_transient`].
///
/// It waits as long as the server asks for. Where the server does not take a form, the next one is tried at once, up to
/// [`limits::PLAINER_FORMS`] beside the attempts.
#[derive(Debug, Clone)]
pub struct Retry<M, T> {
    model: M,
    patience: Patience,
    timer: T,
}

impl<M, T> Retry<M, T> {
    /// Asks a model with this patience.
    pub fn new(model: M, patience: Patience, timer: T) -> Self {
        Self { model, patience, timer }
    }
}

#[async_trait]
impl<M: Model, T: Timer> Model for Retry<M, T> {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let mut waits = ExponentialBuilder::new()
            .with_jitter()
            .with_min_delay(self.patience.first_wait)
            .with_max_delay(self.patience.longest_wait)
            .with_max_times(self.patience.attempts.saturating_sub(1) as usize)
            .build();
        let (mut attempts, mut plainer) = (0, 0);
        loop {
            attempts += 1;
            let error = match self.model.complete(request).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            if matches!(error, Error::Unsupported { .. }) && plainer < limits::PLAINER_FORMS {
                plainer += 1;
                continue;
            }
            match waits.next().and_then(|wait| self.patience.wait(&error, wait)) {
                Some(wait) => self.timer.sleep(wait).await,
                None if attempts == 1 => return Err(error),
                None => return Err(Error::Exhausted { attempts, source: Box::new(error) }),
            }
        }
    }
}

impl Patience {
    /// How long to wait after this error; `None` if asking again is of no use, or only later than anybody waits.
    fn wait(&self, error: &Error, wait: Duration) -> Option<Duration> {
        let asked = match error {
            Error::Status { retry_after, .. } => *retry_after,
            _ => None,
        };
        let wait = asked.unwrap_or(wait);
        // What is asked for is kept exactly; jitter alone may exceed the longest wait.
        let too_long = asked.is_some_and(|asked| asked > self.longest_wait);
        (error.is_transient() && !too_long).then_some(wait)
    }
}
