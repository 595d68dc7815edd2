//! A model that plays a script.

use std::{
    collections::VecDeque,
    future::pending,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use crate::{Error, Model, Request, Response};

/// What a [`Scripted`] model does with one request.
#[derive(Debug)]
#[non_exhaustive]
pub enum Turn {
    /// It answers.
    Answer(Response),
    /// It fails.
    Fail(Error),
    /// It never answers.
    Silence,
}

impl From<Response> for Turn {
    fn from(response: Response) -> Self {
        Self::Answer(response)
    }
}

impl From<Error> for Turn {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

/// A model that plays a script, for tests and examples: no key, no network, the same every time.
///
/// ```
/// use memdir_model::{Message, Model, Request, Response, Scripted};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), memdir_model::Error> {
/// let model = Scripted::new([Response::words("8443").into()]);
/// let answer = model.complete(&Request::new("test", 16).message(Message::user("port?"))).await?;
/// assert_eq!(answer.text(), "8443");
/// assert_eq!(model.finish().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Scripted {
    turns: Mutex<VecDeque<Turn>>,
    requests: Mutex<Vec<Request>>,
}

impl Scripted {
    /// Makes a model that does this, one turn a request.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { turns: Mutex::new(turns.into_iter().collect()), requests: Mutex::new(Vec::new()) }
    }

    /// Returns what it was asked so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.requests).clone()
    }

    /// Ends the script and returns what it was asked, in order.
    ///
    /// # Panics
    ///
    /// When turns are left, since then the code under test did not do what the script is about.
    #[track_caller]
    pub fn finish(self) -> Vec<Request> {
        let left = lock(&self.turns).len();
        assert!(left == 0, "{left} turns of the script were not played");
        self.requests()
    }
}

#[async_trait]
impl Model for Scripted {
    /// Plays the next turn.
    ///
    /// # Errors
    ///
    /// What the turn says; [`Error::Invalid`] when the script is over.
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        lock(&self.requests).push(request.clone());
        let turn = lock(&self.turns).pop_front();
        match turn {
            Some(Turn::Answer(response)) => Ok(response),
            Some(Turn::Fail(error)) => Err(error),
            Some(Turn::Silence) => pending().await,
            None => Err(Error::Invalid { what: "the script has no further turn".to_owned() }),
        }
    }
}

/// A test that panicked elsewhere leaves a list that can be read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
