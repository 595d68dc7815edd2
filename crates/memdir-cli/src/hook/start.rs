//! A conversation began or went on: the memory directory is made ready, and the person hears what is wrong with it.
//!
//! Instructions and index are no part of the answer: the client loads them itself.

use memdir::change::{self, Notice};
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
        match begin(session, &input, reason) {
            Ok(told) => notices.extend(told),
            Err(Fault { outcome, reason, notice }) => {
                session.note_failure(Part::SessionStart, &input, outcome, reason);
                notices.push(notice);
            }
        }
    } else {
        session.note_failure(Part::SessionStart, &input, Outcome::Failed, Reason::Input);
    }
    notices.splice(0..0, session.out.take_warnings());
    // Once a conversation is enough.
    if notices.is_empty() || !is_first(reason) {
        return None;
    }
    let told: String = notices.iter().map(|notice| notice.to_text("memdir:")).collect();
    Some(Answer { system_message: Some(told.trim_end().to_owned()), ..Answer::default() })
}

/// Whether a person begins to look.
fn is_first(reason: Reason) -> bool {
    matches!(reason, Reason::Startup | Reason::Other)
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

/// Makes the directory, records whose it is, notes what began, and returns what background runs did since somebody looked.
fn begin(session: &mut Session, input: &Input, reason: Reason) -> Result<Vec<CliError>, Fault> {
    let place = session.place().map_err(|error| Fault::new(Reason::Settings, error))?;
    if place.settings.auto_memory_off().is_some() {
        return Ok(Vec::new());
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
    refuse(&location::record(&place.location)?)?;
    let told = if is_first(reason) { change::deliver(&store)? } else { Vec::new() };
    Ok(told.iter().map(notice).collect())
}

/// What a background run did, in words for the person, with the way back.
fn notice(notice: &Notice) -> CliError {
    let run = notice.actor.strip_prefix("worker:").unwrap_or(&notice.actor);
    let count = notice.files.len() + notice.more_files;
    let memories = if count == 1 { "memory" } else { "memories" };
    let what = match (count, notice.op.is_some()) {
        (_, false) => format!("a background run ({run}) has a proposal for you"),
        (0, true) => format!("a background run ({run}) changed lines of the index"),
        (_, true) => format!("a background run ({run}) changed {count} {memories}"),
    };
    let mut told = CliError::warning(what);
    for file in &notice.files {
        told = told.item(&format!("{} {}", file.action, file.path));
    }
    if notice.more_files > 0 {
        told = told.item(&format!("and {} more", notice.more_files));
    }
    told = match (&notice.run, &notice.op) {
        (Some(run), Some(_)) => told.hint(format!("memdir undo --run {run}, to take it back")),
        (None, Some(op)) => told.hint(format!("memdir undo {op}, to take it back")),
        (_, None) => told,
    };
    let waiting = notice.waiting.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    if waiting.is_empty() {
        told
    } else {
        told.hint(format!("memdir inbox show {waiting}, which waits for you"))
    }
}
