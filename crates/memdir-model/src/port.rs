//! The port.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Error, Request, Response};

/// A language model that answers one request at a time.
///
/// Implementations neither retry nor wait without end on their own: [`Retry`](crate::Retry) and [`Deadline`](crate::Deadline)
/// do that for any of them. Dropping the future gives the request up.
#[async_trait]
pub trait Model: Send + Sync {
    /// Sends the request and returns the answer.
    ///
    /// An answer that was cut, refused or is not what was asked for is an answer: [`Response::stop`] says so.
    ///
    /// # Errors
    ///
    /// When there is no answer: see [`Error`].
    async fn complete(&self, request: &Request) -> Result<Response, Error>;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        #[async_trait]
        impl<T: Model + ?Sized> Model for $pointer {
            async fn complete(&self, request: &Request) -> Result<Response, Error> {
                (**self).complete(request).await
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);
