//! The last decision of each part, and how things stand.

use clap::Args;
use memdir::core::text::escape_control;
use memdir::store::location;
use serde::Serialize;

use crate::error::{CliError, Exit};
use crate::events::{Event, Outcome, Part, Reason};
use crate::output::{Out, Style};
use crate::place::{Place, Session, foreign};

/// Say why memories came up, or why none did
///
/// The last decision of each part that works by itself, from the trail, with what would change it, and what is in the way now.
#[derive(Debug, Args)]
pub(crate) struct Why {
    /// Print `{"decisions": […], "now": […]}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<B> {
    decisions: Vec<WireDecision>,
    /// What keeps recall from working now.
    now: Vec<B>,
}

#[derive(Serialize)]
struct WireDecision {
    #[serde(flatten)]
    event: Event,
    /// The decision in words.
    text: String,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

pub(crate) fn run(args: &Why, session: &mut Session) -> Result<Exit, CliError> {
    let mut events = Vec::new();
    let mut now = Vec::new();
    if let Err(obstacle) = look(session, &mut events) {
        now.push(obstacle);
    }
    let apart = match apart(session) {
        Ok(apart) => apart,
        Err(obstacle) => {
            now.push(obstacle);
            Vec::new()
        }
    };
    let last = |part| {
        // The last line of a trail is the newest, whatever the clock said.
        let last = [&events, &apart].map(|trail| trail.iter().rfind(|event| event.part == part));
        // Times are RFC 3339 in UTC, so they sort as text.
        last.into_iter().flatten().max_by(|a, b| a.at.cmp(&b.at)).map(decision)
    };
    let decisions: Vec<_> =
        [Part::Recall, Part::SessionStart, Part::Model].into_iter().filter_map(last).collect();
    if args.json {
        let now = now.iter().map(CliError::to_wire).collect();
        session.out.json(&Wire { decisions, now })?;
        return Ok(Exit::Done);
    }
    for decision in &decisions {
        print(decision, &mut session.out);
    }
    for obstacle in &now {
        let label = session.out.paint(Style::Yellow, "now:");
        session.out.raw(obstacle.to_text(&label).as_bytes());
    }
    if decisions.is_empty() && now.is_empty() {
        session.out.note("nothing was decided here yet: no hook has run, see memdir init --help");
    }
    Ok(Exit::Done)
}

/// Gathers the events of the memory directory, oldest first.
///
/// # Errors
///
/// What is in the way of recall as things stand; the events before it are gathered.
fn look(session: &mut Session, events: &mut Vec<Event>) -> Result<(), CliError> {
    let place = session.place()?;
    let Place { settings, location, .. } = &place;
    let memory = session.open_existing(&location.directory)?;
    if let Some(memory) = &memory {
        events.extend(Event::all(&memory.store().trail(u64::MAX)?));
    }
    if let Some(off) = settings.auto_memory_off().or_else(|| settings.recall_off()) {
        return Err(CliError::warning("recall is switched off").because(off));
    }
    if let Some(off) = settings.hooks_off() {
        return Err(CliError::warning("the client runs no hooks").because(off));
    }
    location::claim(location)?.other().map_or(Ok(()), |other| Err(foreign(other)))?;
    if memory.is_none() {
        return Err(CliError::warning("there is no memory directory yet")
            .at(place.directory())
            .hint("memdir save; the start of a conversation makes it too"));
    }
    Ok(())
}

/// What hooks noted under the name of the project for want of a memory directory, oldest first.
///
/// # Errors
///
/// The project or the user's own trail cannot be read.
fn apart(session: &Session) -> Result<Vec<Event>, CliError> {
    Ok(Event::apart(session, &session.project_root()?)?)
}

fn decision(event: &Event) -> WireDecision {
    let clause = event.reason.map(Reason::clause).unwrap_or_default();
    let memories = match event.surfaced.len() {
        1 => "a memory".to_owned(),
        count => format!("{count} memories"),
    };
    let text = match event.outcome {
        Outcome::Surfaced => format!("showed {memories}"),
        Outcome::Failed if event.takes_back() => {
            format!("found {memories} that did not get to the agent, because {clause}")
        }
        Outcome::Failed if event.part == Part::Model => format!("asked in vain, because {clause}"),
        Outcome::Asked => "asked, and it chose".to_owned(),
        Outcome::Skipped => format!("not asked, because {clause}"),
        Outcome::Silent => format!("silent, because {clause}"),
        Outcome::Failed => format!("could not look, because {clause}"),
        Outcome::Unnoted => {
            let silent = if event.part == Part::Recall { "silent, because " } else { "" };
            format!("{silent}what it does could not be noted in the memory directory: {clause}")
        }
        Outcome::Started => clause,
        Outcome::Read => format!("read {memories}"),
        Outcome::Other => "something that this version does not know".to_owned(),
    };
    let hint = event.reason.and_then(Reason::hint);
    let hint = match &event.again {
        None => hint.map(str::to_owned),
        Some(again) => {
            let or = hint.map(|hint| format!(", or {hint}")).unwrap_or_default();
            Some(format!(
                "wait until {again}, when there is room again if nothing else is spent{or}"
            ))
        }
    };
    WireDecision { event: event.clone(), text, hint }
}

fn print(decision: &WireDecision, out: &mut Out) {
    let WireDecision { event, text, hint } = decision;
    let part = match event.part {
        Part::Recall => "recall:",
        Part::SessionStart => "session start:",
        Part::Model => "model:",
        Part::Read => "read:",
        Part::Other => "other:",
    };
    let part = out.paint(Style::Bold, part);
    out.line(&format!("{part} {}", escape_control(text)));
    for shown in &event.surfaced {
        let path = out.escaped(&shown.path);
        out.line(&format!("  - {path}"));
    }
    if !event.unread.is_empty() {
        let unread = out.escaped(&event.unread.join(", "));
        out.line(&format!("  could not be read: {unread}; memdir check tells more"));
    }
    let conversation = event.session.iter().map(|session| format!(", conversation {session}"));
    let when = conversation.fold(event.at.clone(), |when, of| when + &of);
    let when = out.escaped(&when);
    out.line(&format!("  when: {when}"));
    if let Some(hint) = hint {
        let hint = out.escaped(hint);
        out.line(&format!("  try: {hint}"));
    }
}
