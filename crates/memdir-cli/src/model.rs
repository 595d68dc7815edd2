//! The model that settings name: made when it is asked, and asked within its time and budget.
//!
//! Only this module knows a runtime and providers. Nothing of them is started before there is a request to send.

mod key;
mod ledger;
mod provider;

use std::sync::Arc;
use std::time::Duration;

use memdir_model::{
    Deadline, Error, Metered, Model as _, Patience, Redacted, Request, Response, Retry,
};
use tokio::runtime;
use tokio::time::sleep;

use crate::config::ModelSettings;
use crate::place::Session;
use ledger::UserLedger;
use provider::Provider;

/// The longest that the turn at the ledger is waited for. Ours: a turn takes some milliseconds, and the answer is awaited.
const LEDGER_WAIT: Duration = Duration::from_secs(2);
/// Waits between tries are so many times shorter than the time for all of them, so that three tries fit into it.
const WAITS_IN_TIME: u32 = 20;

/// What came of asking.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) answer: Result<Response, Error>,
    /// How JSON was asked for at last, in a word; `None` where nothing was asked.
    pub(crate) form: Option<&'static str>,
}

/// Asks the model and comes back within the time that settings give it.
pub(crate) fn ask(session: &Session, settings: &ModelSettings, request: &Request) -> Asked {
    let provider = match Provider::of(session, settings) {
        Ok(provider) => Arc::new(provider),
        Err(error) => return Asked { answer: Err(error), form: None },
    };
    let answer = send(session, settings, request, &provider);
    Asked { answer, form: provider.form() }
}

fn send(
    session: &Session,
    settings: &ModelSettings,
    request: &Request,
    provider: &Arc<Provider>,
) -> Result<Response, Error> {
    let time = settings.timeout.value;
    let wait = LEDGER_WAIT.min(time / 2).min(session.world.lock_wait);
    let ledger = UserLedger::open(session, wait).map_err(Error::Ledger)?;
    let clock = Arc::clone(&session.store_options().clock);
    let metered = Metered::new(Arc::clone(provider), settings.budget(), ledger, clock);
    let mut patience = Patience::default();
    patience.first_wait = patience.first_wait.min(time / WAITS_IN_TIME);
    // A server that asks for more is not waited for in vain.
    patience.longest_wait = patience.longest_wait.min(time);
    let model = Redacted::new(Deadline::new(Retry::new(metered, patience, sleep), time, sleep));
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::Invalid {
        what: format!("this process has no means to wait: {error}"),
    })?;
    let answer = runtime.block_on(model.complete(request));
    // The system looks up names of hosts in a thread that cannot be given up; it is not waited for.
    runtime.shutdown_background();
    answer
}
