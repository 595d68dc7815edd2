//! Asking within a budget.

use async_trait::async_trait;
use memdir_core::Clock;

use crate::{
    Error, Model, Request, Response,
    budget::{Asked, Budget, Cost, Ledger, Refusal, Reservation, Spent},
};

/// A model that is asked only while the budget has room for the worst that the answer can cost.
///
/// That much is reserved before each request and settled after it. When the future is dropped, or the program dies, the
/// reservation stays: what may have been spent counts as spent. Inside a [`Retry`](crate::Retry) every attempt counts.
#[derive(Debug, Clone)]
pub struct Metered<M, L, C> {
    model: M,
    budget: Budget,
    ledger: L,
    clock: C,
}

impl<M, L: Ledger, C: Clock> Metered<M, L, C> {
    /// Meters a model.
    pub fn new(model: M, budget: Budget, ledger: L, clock: C) -> Self {
        Self { model, budget, ledger, clock }
    }

    fn reserve(&self, request: &Request) -> Result<Reservation, Error> {
        let asked = Asked {
            purpose: request.purpose.clone(),
            input: request.bytes(),
            output: u64::from(request.most_tokens()),
        };
        let now = self.clock.now();
        let mut reserved: Option<Result<Reservation, Refusal>> = None;
        self.ledger
            .update(&mut |spent: &mut Spent| {
                reserved = Some(self.budget.reserve(spent, &asked, now));
            })
            .map_err(Error::Ledger)?;
        let reserved = reserved.ok_or_else(|| Error::Invalid {
            what: "the ledger did not call what it was given".to_owned(),
        })?;
        reserved.map_err(Error::Spent)
    }

    fn settle(&self, reservation: &Reservation, cost: &Cost) -> Result<(), Error> {
        self.ledger
            .update(&mut |spent: &mut Spent| self.budget.settle(spent, reservation, cost))
            .map_err(Error::Ledger)
    }
}

#[async_trait]
impl<M: Model, L: Ledger, C: Clock> Model for Metered<M, L, C> {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let reservation = self.reserve(request)?;
        let answer = self.model.complete(request).await;
        let cost = match &answer {
            Ok(response) if response.usage.is_told() => Cost::Known(response.usage),
            Ok(_) => Cost::Unknown,
            Err(error) if error.may_cost() => Cost::Unknown,
            Err(_) => Cost::Nothing,
        };
        // An answer that was paid for is not thrown away because its price cannot be noted: the reservation stands, which is more.
        drop(self.settle(&reservation, &cost));
        answer
    }
}
