//! One memory, for reading or byte for byte.

use clap::Args;
use memdir::core::age::{Age, age, format_rfc3339};
use memdir::core::frontmatter::{Origin, decode, parse};
use memdir::core::{MemPath, MemoryType};
use memdir::store::{ReadStore, Revision};
use serde::Serialize;

use crate::env::Caller;
use crate::error::{CliError, Exit};
use crate::events::Event;
use crate::place::{LocalMemory, Place, Session, is_directory};

/// Print one memory
///
/// Control characters are shown escaped, so that a memory cannot drive the terminal; --raw prints the bytes.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Path, file name, name, number in `list`, or the beginning of one of these that fits only one memory
    name: String,
    /// Print the bytes of the file as they are
    #[arg(long, conflicts_with = "json")]
    raw: bool,
    /// Print path, fields, body, notes and revision as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    path: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    /// As in `list`: its own, else that of the file.
    date: Option<String>,
    age_days: Option<u64>,
    last_verified: Option<String>,
    origin: Option<&'static str>,
    pinned: bool,
    bytes: usize,
    revision: String,
    body: &'a str,
    notes: Vec<String>,
}

pub(crate) fn run(args: &Show, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let memory = session.open_for(&place, &args.name)?;
    let path = memory.find(&args.name)?;
    let bytes =
        memory.store().read(&path)?.ok_or_else(|| CliError::not_found(path.as_str(), &[]))?;
    note_read(&memory, &path, Revision::of(&bytes), &place, session);
    if args.raw {
        session.out.raw(&bytes);
        return Ok(Exit::Done);
    }
    let (text, note) = decode(&bytes);
    if !args.json {
        session.out.text(&text);
        return Ok(Exit::Done);
    }
    let parsed = parse(&text);
    let fields = &parsed.fields;
    let now = session.world.now();
    let (date, age_days) = match fields.own_date() {
        Some((at, _)) => (Some(at), Some(age(at, now).days())),
        // Whether the date of a file says when it was written, the others tell.
        None => match memory.scan()?.headers.into_iter().find(|header| header.path == path) {
            Some(header) => (Some(header.date), header.age(now).map(Age::days)),
            None => (None, None),
        },
    };
    let wire = Wire {
        path: path.as_str(),
        name: fields.name.as_deref(),
        description: fields.description.as_deref(),
        kind: fields.kind.map(MemoryType::as_str),
        date: date.map(format_rfc3339),
        age_days,
        last_verified: fields.last_verified.map(format_rfc3339),
        origin: fields.origin.map(Origin::as_str),
        pinned: fields.pinned,
        bytes: bytes.len(),
        revision: Revision::of(&bytes).to_string(),
        body: parsed.body,
        notes: note.iter().chain(&parsed.notes).map(ToString::to_string).collect(),
    };
    session.out.json(&wire)?;
    Ok(Exit::Done)
}

/// Notes that an agent found a memory worth reading, where memdir keeps notes already: recall weighs it.
fn note_read(
    memory: &LocalMemory,
    path: &MemPath,
    revision: Revision,
    place: &Place,
    session: &Session,
) {
    let is_agent = session.world.caller() != Caller::Person;
    if is_agent && is_directory(&place.location.directory.join(".memdir")).unwrap_or(false) {
        // What is asked for can be shown all the same.
        drop(Event::read_of(&session.world, path, revision).note_in(memory.store()));
    }
}
