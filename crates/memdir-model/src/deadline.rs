//! An answer in time or none.

use std::{future::poll_fn, pin::pin, task::Poll, time::Duration};

use async_trait::async_trait;

use crate::{Error, Model, Request, Response, Timer};

/// A model that answers within a time or not at all; then the request is given up.
///
/// Around a [`Retry`](crate::Retry) it bounds all attempts together.
#[derive(Debug, Clone)]
pub struct Deadline<M, T> {
    model: M,
    after: Duration,
    timer: T,
}

impl<M, T> Deadline<M, T> {
    /// Gives a model this much time for each request.
    pub fn new(model: M, after: Duration, timer: T) -> Self {
        Self { model, after, timer }
    }
}

#[async_trait]
impl<M: Model, T: Timer> Model for Deadline<M, T> {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let mut answer = pin!(self.model.complete(request));
        let mut end = self.timer.sleep(self.after);
        poll_fn(|context| {
            // The answer first: one that is there is not thrown away.
            if let Poll::Ready(answer) = answer.as_mut().poll(context) {
                return Poll::Ready(answer);
            }
            end.as_mut().poll(context).map(|()| Err(Error::Timeout { after: self.after }))
        })
        .await
    }
}
