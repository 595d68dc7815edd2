//! How much may be spent on models, and what was.
//!
//! [`Budget`] decides, as functions over [`Spent`]; a [`Ledger`] keeps that state, for all programs of a user where it is a file.
//!
//! ```
//! use std::time::SystemTime;
//!
//! use memdir_model::budget::{Asked, Budget, Spent};
//!
//! let budget = Budget::none().calls_per_hour(1);
//! let (mut spent, now) = (Spent::default(), SystemTime::UNIX_EPOCH);
//! let asked = Asked { purpose: "recall".to_owned(), input: 900, output: 100 };
//! budget.reserve(&mut spent, &asked, now)?;
//! let refusal = budget.reserve(&mut spent, &asked, now).unwrap_err();
//! assert_eq!(refusal.to_string(), "1 of 1 calls an hour are used");
//! # Ok::<(), memdir_model::budget::Refusal>(())
//! ```

mod ledger;
mod spent;

use std::{
    fmt,
    time::{Duration, SystemTime},
};

pub use ledger::{Ledger, LedgerError};
pub use spent::{Spent, SpentFault};

use crate::Usage;

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MILLION: u128 = 1_000_000;

/// What may be spent, by all purposes together. What is not limited is counted all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Budget {
    /// Calls in any 60 minutes.
    pub calls_per_hour: Option<u64>,
    /// Tokens in any 24 hours, read and written, kept ones included.
    pub tokens_per_day: Option<u64>,
    /// Millionths of a dollar in any 24 hours. Needs a price.
    pub micros_per_day: Option<u64>,
    /// What the model costs.
    pub price: Option<Price>,
}

/// What a model costs: millionths of a dollar for a million tokens, which are dollars times a million for the million that price lists name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "these four are what providers charge for")]
pub struct Price {
    /// Tokens that are read.
    pub input: u64,
    /// Tokens that are written.
    pub output: u64,
    /// Tokens that are read from what was kept.
    pub cache_read: u64,
    /// Tokens that are read and kept.
    pub cache_write: u64,
}

/// The worst that a request can cost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a request has two sides and somebody who asks")]
pub struct Asked {
    /// Who asks.
    pub purpose: String,
    /// Tokens that are read at most.
    pub input: u64,
    /// Tokens that are written at most.
    pub output: u64,
}

/// A part of the budget that is set aside for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "what is not settled counts as spent in full"]
pub struct Reservation(u64);

/// What became of a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a cost is known, nothing, or unknown")]
pub enum Cost {
    /// The answer came and says what it cost.
    Known(Usage),
    /// The server did no work. The call counts.
    Nothing,
    /// Nobody knows; all that was reserved counts as spent.
    Unknown,
}

/// Why a request does not fit into the budget.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Which limit.
    pub limit: Limit,
    /// How much it allows.
    pub allowed: u64,
    /// How much of that is used or set aside.
    pub used: u64,
    /// How much the request may need.
    pub asked: u64,
    /// When there will be room, if nothing else is spent; `None` if the request is larger than the limit.
    pub again: Option<SystemTime>,
}

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Budget::calls_per_hour`].
    Calls,
    /// [`Budget::tokens_per_day`].
    Tokens,
    /// [`Budget::micros_per_day`].
    Money,
    /// Money is limited and the price is not known.
    Price,
}

impl Budget {
    /// Limits nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// Limits calls in any 60 minutes.
    #[must_use]
    pub fn calls_per_hour(self, calls: u64) -> Self {
        Self { calls_per_hour: Some(calls), ..self }
    }

    /// Limits tokens in any 24 hours.
    #[must_use]
    pub fn tokens_per_day(self, tokens: u64) -> Self {
        Self { tokens_per_day: Some(tokens), ..self }
    }

    /// Limits millionths of a dollar in any 24 hours, at this price.
    #[must_use]
    pub fn micros_per_day(self, micros: u64, price: Price) -> Self {
        Self { micros_per_day: Some(micros), price: Some(price), ..self }
    }

    /// Sets the worst that a request can cost aside.
    ///
    /// # Errors
    ///
    /// When that does not fit; then nothing is noted.
    pub fn reserve(
        &self,
        spent: &mut Spent,
        asked: &Asked,
        now: SystemTime,
    ) -> Result<Reservation, Refusal> {
        let tokens = asked.input.saturating_add(asked.output);
        let micros = self.worst(asked);
        if let (Some(allowed), None) = (self.micros_per_day, self.price) {
            let used = spent.micros_of_day(now);
            return Err(Refusal { limit: Limit::Price, allowed, used, asked: 0, again: None });
        }
        let limits = [
            (Limit::Calls, self.calls_per_hour, 1, HOUR),
            (Limit::Tokens, self.tokens_per_day, tokens, DAY),
            (Limit::Money, self.micros_per_day, micros, DAY),
        ];
        for (limit, allowed, asked, window) in limits {
            let Some(allowed) = allowed else { continue };
            let used = spent.total(limit, now, window);
            if used.saturating_add(asked) > allowed {
                let again = allowed
                    .checked_sub(asked)
                    .and_then(|room| spent.falls_to(limit, room, now, window));
                return Err(Refusal { limit, allowed, used, asked, again });
            }
        }
        Ok(Reservation(spent.push(&asked.purpose, tokens, micros, now)))
    }

    /// Notes what a reservation came to. One that is too old to count is left alone.
    pub fn settle(&self, spent: &mut Spent, reservation: &Reservation, cost: &Cost) {
        let Some(entry) = spent.entry(reservation.0) else { return };
        match cost {
            Cost::Known(usage) => {
                entry.tokens = usage.tokens();
                entry.micros = usage.micros.unwrap_or_else(|| self.charge(usage));
            }
            Cost::Nothing => (entry.tokens, entry.micros) = (0, 0),
            Cost::Unknown => {}
        }
    }

    /// All input may be kept, which is dearer than reading it.
    fn worst(&self, asked: &Asked) -> u64 {
        let Some(price) = self.price else { return 0 };
        let dearest = price.input.max(price.cache_write).max(price.cache_read);
        charge([(asked.input, dearest), (asked.output, price.output)])
    }

    fn charge(&self, usage: &Usage) -> u64 {
        let Some(price) = self.price else { return 0 };
        charge([
            (usage.input, price.input),
            (usage.output, price.output),
            (usage.cache_read, price.cache_read),
            (usage.cache_write, price.cache_write),
        ])
    }
}

/// Adds up tokens at their prices, rounded up.
fn charge<const N: usize>(parts: [(u64, u64); N]) -> u64 {
    let exact: u128 = parts
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .fold(0, u128::saturating_add);
    u64::try_from(exact.div_ceil(MILLION)).unwrap_or(u64::MAX)
}

/// Displays as a clause, such as `60 of 60 calls an hour are used`.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, allowed, used, asked, .. } = self;
        match limit {
            Limit::Calls => write!(f, "{used} of {allowed} calls an hour are used"),
            Limit::Tokens => write!(
                f,
                "{used} of {allowed} tokens a day are used, and this call may need {asked}"
            ),
            Limit::Money => write!(
                f,
                "{} of {} a day are used, and this call may need {}",
                Dollars(*used),
                Dollars(*allowed),
                Dollars(*asked)
            ),
            Limit::Price => {
                write!(f, "{} a day are allowed, and no price is set", Dollars(*allowed))
            }
        }
    }
}

struct Dollars(u64);

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dollars, rest) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let cents = rest.div_ceil(10_000);
        write!(f, "${}.{:02}", dollars + cents / 100, cents % 100)
    }
}
