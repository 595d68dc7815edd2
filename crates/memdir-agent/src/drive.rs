//! The driver: asks the model and does the work until the run is over.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::Poll,
};

use memdir_core::EventSink;
use memdir_model::{Message, Model};
use memdir_store::{ReadStore, overlay::Overlay, project::ProjectFiles};

use crate::{Desk, Event, ForkOptions, Report, Session, Step};

/// Why a host ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "somebody ends it, or the clock does")]
pub enum Halt {
    /// Somebody does not want it any more.
    Cancelled,
    /// Its time is over.
    OutOfTime,
}

/// What a run came to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<S> {
    /// Why it ended, and what it came to in numbers.
    pub report: Report,
    /// What it wrote, up to its end. Nothing has happened until the caller commits it; a caller that wants whole runs only looks for [`End::Done`](crate::End::Done).
    pub overlay: Overlay<S>,
}

/// Runs an agent to its end.
///
/// `halt` is what ends it before: a future such as a sleep, a signal, or [`pending`](std::future::pending) for never. It is
/// looked at before each step and while the model is waited for. `on_message` sees each message of either side as it is added,
/// with text of memories in it; `events` get none of that text. Dropping the future ends the run too, with nothing done.
pub async fn fork<S: ReadStore, P: ProjectFiles>(
    options: ForkOptions,
    model: &impl Model,
    mut desk: Desk<S, P>,
    halt: impl Future<Output = Halt>,
    events: &impl EventSink<Event>,
    on_message: impl Fn(&Message),
) -> Outcome<S> {
    let mut session = Session::new(options);
    let mut halt = pin!(halt);
    let mut told = 0;
    loop {
        session.take_events().into_iter().for_each(|event| events.emit(event));
        session.messages().iter().skip(told).for_each(&on_message);
        told = session.messages().len();
        match session.step() {
            Step::Ask(request) => match unless(halt.as_mut(), model.complete(request)).await {
                Ok(answer) => session.answered(answer),
                Err(why) => session.halt(why),
            },
            Step::Run(jobs) => match unless(halt.as_mut(), async { desk.run(jobs) }).await {
                Ok(ran) => session.ran(ran),
                Err(why) => session.halt(why),
            },
            Step::Done => break,
        }
    }
    Outcome { report: session.into_report(), overlay: desk.into_overlay() }
}

/// What a future gives, unless the run is ended first.
async fn unless<T>(
    mut halt: Pin<&mut impl Future<Output = Halt>>,
    work: impl Future<Output = T>,
) -> Result<T, Halt> {
    let mut work = pin!(work);
    poll_fn(|context| match halt.as_mut().poll(context) {
        Poll::Ready(why) => Poll::Ready(Err(why)),
        Poll::Pending => work.as_mut().poll(context).map(Ok),
    })
    .await
}
