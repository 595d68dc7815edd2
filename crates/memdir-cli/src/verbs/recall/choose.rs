//! Whether a model chooses among the memories that fit, and what is noted of it.

use memdir::recall::{Basis, Draft, Query, Recall as Found, When};

use crate::config::{ModelSettings, Selector, Settings};
use crate::error::CliError;
use crate::events::{Event, Fault};
use crate::model;
use crate::place::{LocalMemory, Session};

/// The model that may be asked, and when; `None` where words alone choose.
///
/// # Errors
///
/// A model shall choose, and settings name none.
pub(super) fn model(
    flag: Option<Selector>,
    settings: &Settings,
) -> Result<Option<(&ModelSettings, When)>, CliError> {
    let when = match flag.unwrap_or(settings.selector.value) {
        Selector::Lexical => return Ok(None),
        Selector::Auto => When::InDoubt,
        Selector::Model => When::Always,
    };
    match &settings.model {
        Some(model) => Ok(Some((model, when))),
        None if when == When::InDoubt => Ok(None),
        None => {
            let origin = match flag {
                Some(_) => "--selector".to_owned(),
                None => settings.selector.origin.to_string(),
            };
            Err(settings.no_model().at(origin))
        }
    }
}

/// Asks where that is of use and attaches what was chosen, by words where no choice came.
pub(super) fn ask(
    mut draft: Draft,
    query: &Query<'_>,
    when: When,
    settings: &ModelSettings,
    memory: &LocalMemory,
    session: &Session,
) -> Found {
    let mut fault = None;
    if let Some(request) = draft.ask(query, when) {
        let answer = model::ask(session, settings, &request).answer;
        fault = answer.as_ref().err().map(Fault::from);
        draft.answer(answer);
    }
    let found = draft.attach(memory.store());
    if let Some(event) = Event::of_model(&session.world, &found.basis, fault.as_ref())
        && event.note_in(memory.store()).is_err()
        && let Ok(project) = session.project_root()
    {
        event.note_apart(session, &project);
    }
    found
}

/// What an answer rests on.
pub(super) fn selector_of(basis: &Basis) -> Selector {
    match basis {
        Basis::Model { .. } => Selector::Model,
        _ => Selector::Lexical,
    }
}
