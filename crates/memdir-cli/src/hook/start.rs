//! A conversation began or went on: the memory directory is made ready, and the person hears what is wrong with it.
//!
//! Instructions and index are no part of the answer: the client loads them itself.

use memdir::store::{Error as StoreError, LocalDir, location};

use super::answer::Answer;
use super::input::Input;
use crate::error::CliError;
use crate::events::{Event, Outcome, Part, Reason};
use crate::place::{Session, foreign};

/// What the person in front of the client is told; `None` where all is well.
pub(super) fn answer(session: &mut Session, input: Option<Input>) -> Option<Answer> {
    let understood = input.is_some();
    let input = input.unwrap_or_default();
    session.follow(&input);
    let reason = Reason::of_source(input.source.as_deref());
    let mut notices = Vec::new();
    if understood {
        if let Err(Fault { outcome, reason, notice }) = begin(session, &input, reason) {
            session.note_failure(Part::SessionStart, &input, outcome, reason);
            notices.push(notice);
        }
    } else {
        session.note_failure(Part::SessionStart, &input, Outcome::Failed, Reason::Input);
    }
    notices.splice(0..0, session.out.take_warnings());
    // Once a conversation is enough.
    if notices.is_empty() || !matches!(reason, Reason::Startup | Reason::Other) {
        return None;
    }
    let told: String = notices.iter().map(|notice| notice.to_text("memdir:")).collect();
    Some(Answer { system_message: Some(told.trim_end().to_owned()), ..Answer::default() })
}

/// What came in between, as a reason for the trail and in words for the person.
struct Fault {
    outcome: Outcome,
    reason: Reason,
    notice: CliError,
}

impl Fault {
    fn new(reason: Reason, notice: impl Into<CliError>) -> Self {
        Self { outcome: Outcome::Failed, reason, notice: notice.into() }
    }
}

impl From<location::Error> for Fault {
    fn from(error: location::Error) -> Self {
        Self::new(Reason::from(&error), error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::new(Reason::from(&error), error)
    }
}

/// Makes the directory, records whose it is, and notes what began.
fn begin(session: &mut Session, input: &Input, reason: Reason) -> Result<(), Fault> {
    let place = session.place().map_err(|error| Fault::new(Reason::Settings, error))?;
    if place.settings.auto_memory_off().is_some() {
        return Ok(());
    }
    let refuse = |claim: &location::Claim| match claim.other() {
        Some(other) => Err(Fault::new(Reason::Foreign, foreign(other))),
        None => Ok(()),
    };
    refuse(&location::claim(&place.location)?)?;
    session.offer_left_behind(&place);
    location::create(&place.location)?;
    let store = LocalDir::open(&place.location.directory, session.store_options())?;
    let event =
        Event::new(&session.world, Part::SessionStart, input.session.as_deref(), Outcome::Started);
    let noted = event.because(reason).note_in(&store);
    noted.map_err(|error| Fault { outcome: Outcome::Unnoted, ..Fault::from(error) })?;
    refuse(&location::record(&place.location)?)
}
