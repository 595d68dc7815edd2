//! A prompt was sent: the memories that help with it go along, each once in a conversation.

use memdir::recall::Query;
use memdir::recall::limits::MAX_ATTACHMENTS;
use memdir::store::location;

use super::Moment;
use super::answer::{Answer, Output, context};
use super::input::Input;
use super::mentions::mentioned;
use crate::error::CliError;
use crate::events::{self, Event, Outcome, Part, Reason};
use crate::place::{LocalMemory, Place, Session};

/// Tells the model what helps with the prompt, or says nothing.
///
/// # Errors
///
/// What to say cannot be written as JSON.
pub(super) fn answer(session: &mut Session, input: Option<Input>) -> Result<(), CliError> {
    let input = input.unwrap_or_default();
    session.follow(&input);
    let Some(prompt) = &input.prompt else {
        session.note_failure(Part::Recall, &input, Outcome::Failed, Reason::Input);
        return Ok(());
    };
    let question = prompt.trim();
    if question.is_empty() || is_command(question) {
        return Ok(());
    }
    let recalled = open(session).and_then(|opened| {
        let Some((place, memory)) = opened else { return Ok(None) };
        let told = recall(session, &input, question, &place, &memory)?;
        Ok(told.map(|(text, event)| (text, event, memory)))
    });
    match recalled {
        Ok(Some((text, event, memory))) => tell(session, text, event, &memory),
        Ok(None) => Ok(()),
        Err((outcome, reason)) => {
            session.note_failure(Part::Recall, &input, outcome, reason);
            Ok(())
        }
    }
}

/// Says what was noted as shown; where that does not get to the client, notes that it did not.
fn tell(
    session: &mut Session,
    text: String,
    event: Event,
    memory: &LocalMemory,
) -> Result<(), CliError> {
    let said = session.out.json(&Answer {
        hook_specific_output: Some(Output {
            hook_event_name: Moment::UserPromptSubmit.event_name(),
            additional_context: text,
        }),
        ..Answer::default()
    });
    if said.is_err() || !session.out.deliver() {
        // Where this fails too, the memories count as shown until the conversation is compacted, and nobody can be told.
        drop(event.taken_back().note_in(memory.store()));
    }
    said
}

/// Whether a prompt is for the client itself, like `/compact`; a path like `/etc/hosts` is none.
fn is_command(prompt: &str) -> bool {
    let word = prompt.split_whitespace().next().and_then(|word| word.strip_prefix('/'));
    word.is_some_and(|word| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(is_plain)
    })
}

/// What came in between, and why.
type Fault = (Outcome, Reason);

/// Opens the memory of the project; `None` where there is none yet, or recall is off: `why` tells that from the settings.
fn open(session: &mut Session) -> Result<Option<(Place, LocalMemory)>, Fault> {
    let failed = |reason| (Outcome::Failed, reason);
    let place = session.place().map_err(|_| failed(Reason::Settings))?;
    let Place { settings, location, .. } = &place;
    if settings.auto_memory_off().or_else(|| settings.recall_off()).is_some() {
        return Ok(None);
    }
    let opened = session.open_existing(&location.directory);
    let Some(memory) = opened.map_err(|error| failed(Reason::from(&error)))? else {
        return Ok(None);
    };
    match location::claim(location) {
        Ok(claim) if claim.other().is_none() => Ok(Some((place, memory))),
        Ok(_) => Err(failed(Reason::Foreign)),
        Err(_) => Err(failed(Reason::Disk)),
    }
}

/// Recalls and notes what is going to be shown, before it is: what could not be noted would come with every prompt.
fn recall(
    session: &Session,
    input: &Input,
    question: &str,
    place: &Place,
    memory: &LocalMemory,
) -> Result<Option<(String, Event)>, Fault> {
    let store = memory.store();
    let trail = events::recent(store).map_err(|error| (Outcome::Unnoted, Reason::from(&error)))?;
    let known = match &input.session {
        Some(conversation) => events::surfaced(&trail, conversation),
        None => Vec::new(),
    };
    let files = files(session, question, place);
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let query = Query::new(question).surfaced(&known).files(&files);
    let recall = memory
        .recall_used(&query, MAX_ATTACHMENTS, events::reads(&trail))
        .map_err(|error| (Outcome::Failed, Reason::from(&error)))?;
    let (text, shown) = context(&recall.attachments, memory.directory());
    let outcome = if text.is_empty() { Outcome::Silent } else { Outcome::Surfaced };
    let event = Event::new(&session.world, Part::Recall, input.session.as_deref(), outcome);
    let event = event.of(&recall, shown);
    event.note_in(store).map_err(|error| (Outcome::Unnoted, Reason::from(&error)))?;
    Ok((outcome == Outcome::Surfaced).then_some((text, event)))
}

/// Files of the project that the prompt mentions.
fn files(session: &Session, question: &str, place: &Place) -> Vec<String> {
    if !question.contains('@') {
        return Vec::new();
    }
    let project = &place.location.project.folder;
    let cwd = session.globals.project.as_ref().unwrap_or(project);
    #[expect(clippy::disallowed_methods, reason = "the client may name its folder through a link")]
    let real = std::fs::canonicalize(cwd);
    // What cannot be reached has no files that anybody could mean.
    real.map_or_else(|_| Vec::new(), |cwd| mentioned(question, &cwd, project))
}

#[cfg(test)]
mod tests {
    use super::is_command;

    #[test]
    fn tells_commands_from_questions() {
        for command in ["/compact", "/plugin:do-it now", "/a1_b\nmore"] {
            assert!(is_command(command), "{command}");
        }
        for question in ["/etc/hosts is wrong", "/", "/ x", "why /compact?", "//", "/1", "/记忆"]
        {
            assert!(!is_command(question), "{question}");
        }
    }
}
