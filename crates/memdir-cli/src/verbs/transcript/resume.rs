//! What a session resumes with.

#![expect(clippy::disallowed_methods, reason = "whether the client's backups of files are there")]

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use memdir::transcript::{self, Entry, FileHistory, Gap, Place, Reach, Tree};
use serde::Serialize;

use super::messages::{Blocks, Message, Messages, Part};
use super::{WireCompaction, WireNote, say_damage, wire_notes};
use crate::error::{CliError, Exit};
use crate::output::{Align, Style, Table};
use crate::place::Session;
use crate::transcripts::{self, Source};

/// Show the messages that a session resumes with, and the files that it can be taken back to
///
/// These are the messages from the last compaction on and those that it kept, in the order in which the client sends them, each
/// with its origin: summary, kept, branch, or parallel for results of tools that ran at once. The file is read from its
/// end, no further than to the last compaction. Exits with 1 where there is no message.
#[derive(Debug, Args)]
pub(super) struct Resume {
    /// Session id, the beginning of one, path of a file, or -
    file: String,
    /// Let a parent that cannot be followed end the conversation, and count the entries before it; the whole file is read
    #[arg(long)]
    strict: bool,
    /// Print `{"messages": […], "others", "compaction", "file_history", …}`
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    file: String,
    session_id: Option<&'a str>,
    messages: &'a [Message],
    /// Remarks and attachments among the messages, which the client turns into text of its own.
    others: &'a [Part],
    compaction: Option<WireCompaction>,
    file_history: WireHistory<'a>,
    /// Messages that the compaction kept by name and the file does not hold.
    lost: &'a [String],
    detours: Vec<WireDetour>,
    /// Entries that would be resumed with and lie before a parent that cannot be followed; absent unless `strict`.
    unreached: Option<usize>,
    notes: Vec<WireNote>,
    more_notes: u64,
    /// Bytes of the file that were read.
    bytes_read: u64,
}

#[derive(Serialize)]
struct WireHistory<'a> {
    /// Where the client keeps the backups; absent where that cannot be told.
    folder: Option<String>,
    files: Vec<WireFile<'a>>,
    /// Names of backups that are not in the folder, as far as that can be told.
    missing: Vec<&'a str>,
}

#[derive(Serialize)]
struct WireFile<'a> {
    path: &'a str,
    /// The name of the latest backup; absent where there was no file yet.
    backup: Option<&'a str>,
    version: Option<u64>,
    time: Option<&'a str>,
}

/// A member whose parent could not be followed.
#[derive(Serialize)]
struct WireDetour {
    offset: u64,
    uuid: Option<String>,
    /// The uuid of the parent that is named.
    parent: Option<String>,
    /// The entry that stands in the parent's place.
    to: Option<WirePlace>,
    why: &'static str,
}

#[derive(Serialize)]
struct WirePlace {
    offset: u64,
    uuid: Option<String>,
}

pub(super) fn run(args: &Resume, session: &mut Session) -> Result<Exit, CliError> {
    let mut source = transcripts::open(&args.file, session)?;
    let read = if args.strict {
        strict(&mut source)
    } else {
        transcript::Resume::read(&mut source).map(|resume| (resume, None))
    };
    let (resume, unreached) = read.map_err(|error| source.failed(&error))?;
    let blocks = if args.json { Blocks::Kept } else { Blocks::Dropped };
    let made = Messages::read(&resume.members, blocks, &mut source);
    let made = made.map_err(|error| source.failed(&error))?;
    let detours: io::Result<Vec<_>> =
        resume.detours.iter().map(|detour| WireDetour::of(detour, &mut source)).collect();
    let detours = detours.map_err(|error| source.failed(&error))?;
    let mut notes = wire_notes(&resume.notes);
    notes.extend(made.notes);
    notes.sort_by_key(|note| note.offset);
    let folder = backups(&source, made.session_id.as_deref(), session);
    let missing = folder.as_deref().map_or_else(Vec::new, |folder| {
        resume.history.missing(|name| is_name(name) && is_file(&folder.join(name)))
    });
    let wire = Wire {
        file: source.shown(),
        session_id: made.session_id.as_deref(),
        messages: &made.sent,
        others: &made.others,
        compaction: resume.compaction.map(|(place, of)| WireCompaction::of(place, of)),
        file_history: history(&resume.history, folder.as_deref(), missing),
        lost: &resume.lost,
        detours,
        unreached,
        notes,
        more_notes: resume.notes.more + made.more_notes,
        bytes_read: source.bytes_read(),
    };
    if args.json {
        session.out.json(&wire)?;
    } else {
        print(&wire, session);
        say_damage(&wire.notes, wire.more_notes, &wire.file, &mut session.out);
    }
    Ok(if made.sent.is_empty() { Exit::Nothing } else { Exit::Done })
}

/// What is resumed with when no other entry may stand in a parent's place, and how many entries that leaves out.
fn strict(source: &mut Source) -> io::Result<(transcript::Resume, Option<usize>)> {
    let tree = Tree::read(&mut *source)?;
    let all = transcript::Resume::of(&tree, source)?;
    let Some(leaf) = tree.leaf() else { return Ok((all, Some(0))) };
    let strict = transcript::Resume::at(&tree, leaf, Reach::Strict, source)?;
    let unreached = all.members.len().saturating_sub(strict.members.len());
    Ok((strict, Some(unreached)))
}

/// The folder of the client's backups: beside the folder of projects that holds the file, else in the client's own.
fn backups(source: &Source, session_id: Option<&str>, session: &Session) -> Option<PathBuf> {
    let id = session_id.filter(|id| is_name(id))?;
    let beside = source.path.as_deref().and_then(|path| {
        let projects = path.ancestors().nth(2)?;
        (projects.file_name()? == "projects").then(|| projects.parent())?
    });
    let base = beside.map(Path::to_path_buf).or_else(|| session.world.client_folder())?;
    Some(base.join(FileHistory::folder(id)))
}

/// Whether a text that a file of a session holds is a name, and leads nowhere else.
fn is_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(['/', '\\', ':', '\0'])
}

fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

fn history<'a>(
    history: &'a FileHistory,
    folder: Option<&Path>,
    missing: Vec<&'a str>,
) -> WireHistory<'a> {
    let files = history.files().into_iter().map(|backup| WireFile {
        path: &backup.path,
        backup: backup.name.as_deref(),
        version: backup.version,
        time: backup.time.as_deref(),
    });
    let folder = folder.map(|folder| folder.display().to_string());
    WireHistory { folder, files: files.collect(), missing }
}

impl WireDetour {
    fn of(detour: &transcript::Detour, source: &mut Source) -> io::Result<Self> {
        let why = match detour.why {
            Gap::Itself => "it names itself as its parent",
            Gap::Cycle => "it is an ancestor of its parent",
            _ => "the file does not hold its parent",
        };
        let WirePlace { offset, uuid } = WirePlace::of(detour.entry, source)?;
        let parent = id(&Entry::read(source, detour.entry)?, "parentUuid");
        let to = detour.to.map(|to| WirePlace::of(to, source)).transpose()?;
        Ok(Self { offset, uuid, parent, to, why })
    }
}

impl WirePlace {
    fn of(place: Place, source: &mut Source) -> io::Result<Self> {
        Ok(Self { offset: place.offset, uuid: id(&Entry::read(source, place)?, "uuid") })
    }
}

fn id(entry: &Entry<'_>, field: &str) -> Option<String> {
    entry.text(field).map(Cow::into_owned)
}

fn print(wire: &Wire<'_>, session: &mut Session) {
    let out = &mut session.out;
    if let Some(compaction) = &wire.compaction {
        let (offset, cause) = (compaction.offset, compaction.cause());
        let line = format!("from the compaction at byte {offset} on ({cause})");
        let line = out.paint(Style::Dim, &line);
        out.line(&line);
    }
    let mut table = Table::new([
        (Align::Right, Style::Dim),
        (Align::Left, Style::Bold),
        (Align::Left, Style::Dim),
        (Align::Left, Style::Plain),
    ]);
    for message in wire.messages {
        let offset = message.offset().to_string();
        table.row([&offset, message.role(), &message.origins(), &message.said]);
    }
    table.print(out);
    for uuid in wire.lost {
        out.warn(&CliError::warning(format!(
            "the compaction kept `{uuid}`, which the file does not hold"
        )));
    }
    for detour in &wire.detours {
        let name = |uuid: &Option<String>| format!(" ({})", uuid.as_deref().unwrap_or("-"));
        let to = match &detour.to {
            Some(to) => format!("it follows the one at byte {}{}", to.offset, name(&to.uuid)),
            None => "it follows nothing".to_owned(),
        };
        let (uuid, parent) = (name(&detour.uuid), name(&detour.parent));
        out.note(&format!("byte {}{uuid}: {}{parent}; {to}", detour.offset, detour.why));
    }
    if let Some(unreached) = wire.unreached.filter(|unreached| *unreached > 0) {
        out.note(&format!("entries that cannot be reached: {unreached}"));
    }
    let history = &wire.file_history;
    if !history.files.is_empty() {
        let folder = history.folder.as_deref().unwrap_or("an unknown folder");
        let line = out.paint(Style::Dim, &format!("backups in {folder}"));
        out.line(&line);
    }
    let mut table = Table::new([
        (Align::Left, Style::Plain),
        (Align::Left, Style::Dim),
        (Align::Left, Style::Yellow),
        (Align::Left, Style::Plain),
    ]);
    for file in &history.files {
        let missing = file.backup.is_some_and(|name| history.missing.contains(&name));
        let backup = file.backup.unwrap_or("no file yet");
        table.row([
            backup,
            file.time.unwrap_or_default(),
            if missing { "missing" } else { "" },
            file.path,
        ]);
    }
    table.print(out);
    if wire.messages.is_empty() {
        out.note("no message to resume with");
    }
}
