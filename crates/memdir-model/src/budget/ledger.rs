//! Where what was spent is kept.

use std::sync::{Arc, Mutex};

use crate::{Source, budget::Spent};

/// Keeps what was spent.
///
/// [`Mutex<Spent>`](Mutex) is one, for a program that spends alone.
pub trait Ledger: Send + Sync {
    /// Calls `change` once with what was spent, and keeps what it leaves there. Meanwhile nobody else can read or change it, other programs included.
    ///
    /// # Errors
    ///
    /// When the state cannot be read, locked or kept. What is not known may not be spent, so a state that is damaged is an
    /// error and not an empty one.
    fn update(&self, change: &mut dyn FnMut(&mut Spent)) -> Result<(), LedgerError>;
}

/// Why a ledger did not work.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
#[non_exhaustive]
pub struct LedgerError {
    /// What went wrong and where, lower case, on one line.
    pub what: String,
    /// What another library says about it.
    pub source: Option<Source>,
}

impl LedgerError {
    /// Says what went wrong.
    pub fn new(what: impl Into<String>, source: Option<Source>) -> Self {
        Self { what: what.into(), source }
    }
}

impl Ledger for Mutex<Spent> {
    fn update(&self, change: &mut dyn FnMut(&mut Spent)) -> Result<(), LedgerError> {
        let mut spent = self
            .lock()
            .map_err(|_| LedgerError::new("a program part that held the ledger panicked", None))?;
        change(&mut spent);
        Ok(())
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: Ledger + ?Sized> Ledger for $pointer {
            fn update(&self, change: &mut dyn FnMut(&mut Spent)) -> Result<(), LedgerError> {
                (**self).update(change)
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);
