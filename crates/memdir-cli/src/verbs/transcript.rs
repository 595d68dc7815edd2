//! Sessions of the client: what they hold, what they resume with, and what is wrong with their files.

mod branch;
mod export;
mod list;
mod messages;
mod repair;
mod resume;
mod show;
mod stats;
mod verify;

use std::fmt;

use clap::{Args, Subcommand};
use memdir::transcript::{Compaction, Kind, Note, Notes, Origin, Place, Role};
use serde::Serialize;

use crate::error::{CliError, Exit};
use crate::output::Out;
use crate::place::Session;

/// Read, check and mend the client's records of sessions
///
/// A session is named by its id, the beginning of one, or the path of its file; `-` is what is piped in. Whatever crashes and
/// other programs have left in a file, the rest of it is read, and what is wrong is told with its offset in bytes.
#[derive(Debug, Args)]
pub(crate) struct Transcript {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    List(list::List),
    Show(show::Show),
    Resume(resume::Resume),
    Stats(stats::Stats),
    Verify(verify::Verify),
    Repair(repair::Repair),
    Export(export::Export),
}

impl Transcript {
    /// `--json` was given.
    pub(crate) fn json(&self) -> bool {
        match &self.part {
            Part::List(args) => args.json,
            Part::Show(args) => args.json,
            Part::Resume(args) => args.json,
            Part::Stats(args) => args.json,
            Part::Verify(args) => args.json,
            Part::Repair(args) => args.json,
            Part::Export(_) => false,
        }
    }
}

pub(crate) fn run(args: &Transcript, session: &mut Session) -> Result<Exit, CliError> {
    match &args.part {
        Part::List(args) => list::run(args, session),
        Part::Show(args) => show::run(args, session),
        Part::Resume(args) => resume::run(args, session),
        Part::Stats(args) => stats::run(args, session),
        Part::Verify(args) => verify::run(args, session),
        Part::Repair(args) => repair::run(args, session),
        Part::Export(args) => export::run(args, session),
    }
}

/// Something odd about a file.
#[derive(Debug, Serialize)]
struct WireNote {
    /// Bytes from the start of the file.
    offset: u64,
    /// That of the entry that begins there, where it has one.
    uuid: Option<String>,
    reason: String,
    /// Nothing is wrong: worth knowing, not worth mending.
    advice: bool,
}

/// As a [`Note`] shows itself.
impl fmt::Display for WireNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, uuid, reason, .. } = self;
        match uuid {
            Some(uuid) => write!(f, "byte {offset} ({uuid}): {reason}"),
            None => write!(f, "byte {offset}: {reason}"),
        }
    }
}

impl From<&Note> for WireNote {
    fn from(note: &Note) -> Self {
        Self {
            offset: note.offset,
            uuid: note.uuid.clone(),
            reason: note.reason.to_string(),
            advice: note.reason.is_advice(),
        }
    }
}

fn wire_notes(notes: &Notes) -> Vec<WireNote> {
    notes.kept.iter().map(WireNote::from).collect()
}

/// How many notes are told where the notes are not what was asked for.
const TOLD: usize = 5;

/// Says on stderr what is wrong with a file that was read all the same.
fn say_damage(notes: &[WireNote], more: u64, file: &str, out: &mut Out) {
    let damage: Vec<_> = notes.iter().filter(|note| !note.advice).collect();
    let count = damage.len() as u64 + more;
    if count == 0 {
        return;
    }
    let places = if count == 1 { "place" } else { "places" };
    let what = format!("the transcript is damaged in {count} {places}; the rest was read");
    let warning =
        CliError::warning(what).at(file).hint("`memdir transcript verify` lists all of it");
    out.warn(
        &damage.iter().take(TOLD).fold(warning, |warning, note| warning.item(&note.to_string())),
    );
}

/// The compaction of a session.
#[derive(Serialize)]
struct WireCompaction {
    /// Where its boundary is, in bytes from the start of the file.
    offset: u64,
    trigger: Option<String>,
    tokens_before: Option<u64>,
    tokens_after: Option<u64>,
}

impl WireCompaction {
    fn of(place: Place, of: Compaction) -> Self {
        let Compaction { trigger, tokens_before, tokens_after, .. } = of;
        Self { offset: place.offset, trigger, tokens_before, tokens_after }
    }

    /// Why it came, and how much there was before it.
    fn cause(&self) -> String {
        let trigger = self.trigger.as_deref().unwrap_or("unknown cause");
        match self.tokens_before {
            Some(tokens) => format!("{trigger}, {tokens} tokens before it"),
            None => trigger.to_owned(),
        }
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        _ => "user",
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Boundary => "boundary",
        Origin::Summary => "summary",
        Origin::Kept => "kept",
        Origin::Parallel => "parallel",
        _ => "branch",
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        Kind::Assistant => "assistant",
        Kind::System => "system",
        Kind::Attachment => "attachment",
        _ => "other",
    }
}
