//! The sessions of a project, newest first.

use std::cmp::Reverse;
use std::time::SystemTime;

use clap::Args;
use memdir::core::age::{age, parse_date};
use memdir::transcript::{Outline, Resumable};
use serde::Serialize;

use super::super::list::size;
use crate::error::{CliError, Exit};
use crate::output::{Align, Out, Style, Table};
use crate::place::Session;
use crate::transcripts::{Fault, SessionFile, Sessions};

/// List the sessions of this project, newest first, also those from its sub folders and worktrees
///
/// Prints the beginning of the id, when the session was last active, its size and messages, what is to be said about it, and its
/// title. At most 64 KiB are read of either end of a file, so of larger ones the messages are not all counted (`12+`).
/// What is named like a session and cannot be read is listed on stderr.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Also files that no session can be resumed from, with the reason
    #[arg(long)]
    all: bool,
    /// At most this many, the newest [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print `{"sessions": […], "subagents", "unreadable"}`
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    sessions: Vec<WireSession<'a>>,
    /// Files of subagents that do not say which session they worked for.
    subagents: usize,
    unreadable: Vec<WireFault>,
    bytes_read: u64,
}

#[derive(Serialize)]
struct WireSession<'a> {
    id: &'a str,
    #[serde(skip)]
    at: SystemTime,
    file: String,
    title: Option<&'a str>,
    first_prompt: Option<&'a str>,
    last_prompt: Option<&'a str>,
    started: Option<&'a str>,
    last_active: Option<&'a str>,
    bytes: u64,
    /// Those that were seen.
    messages: u64,
    /// The whole file was seen.
    complete: bool,
    folder: Option<&'a str>,
    git_branch: Option<&'a str>,
    version: Option<&'a str>,
    /// Files of subagents.
    subagents: usize,
    forked_from: Option<&'a str>,
    /// Ids of others that begin with the same message.
    same_start: Vec<&'a str>,
    /// Other files with the same session id.
    same_id: Vec<String>,
    /// The copy that a repair has put beside it.
    repaired_copy: Option<String>,
    /// Why it cannot be resumed; absent where it can.
    not_resumable: Option<&'static str>,
    /// Places at its ends where the file is damaged.
    damage: usize,
}

#[derive(Serialize)]
struct WireFault {
    file: String,
    why: String,
}

impl From<&Fault> for WireFault {
    fn from(fault: &Fault) -> Self {
        Self { file: fault.path.display().to_string(), why: fault.why.clone() }
    }
}

/// A file and what its ends say.
struct Seen<'a> {
    file: &'a SessionFile,
    outline: Outline,
    at: SystemTime,
}

pub(super) fn run(args: &List, session: &mut Session) -> Result<Exit, CliError> {
    let mut sessions = Sessions::find(session)?;
    let files = std::mem::take(&mut sessions.files);
    let mut all = Vec::new();
    for file in &files {
        if let Some(outline) = sessions.outline(file) {
            let at = outline.last_active.as_deref().and_then(parse_date).unwrap_or(file.modified);
            all.push(Seen { file, outline, at });
        }
    }
    all.sort_by_key(|seen| Reverse(seen.at));
    let shown = all.iter().filter(|seen| args.all || seen.outline.standing == Resumable::Yes);
    let wire = Wire {
        sessions: shown
            .take(args.limit.unwrap_or(usize::MAX))
            .map(|seen| seen.wire(&all, &sessions))
            .collect(),
        subagents: sessions.subagents.get(&None).copied().unwrap_or_default(),
        unreadable: sessions.faults.iter().map(WireFault::from).collect(),
        bytes_read: sessions.bytes_read,
    };
    if args.json {
        session.out.json(&wire)?;
        return Ok(Exit::Done);
    }
    print(&wire, &all, session.world.now(), &mut session.out);
    Ok(Exit::Done)
}

impl Seen<'_> {
    fn wire<'a>(&'a self, all: &'a [Seen<'_>], sessions: &Sessions) -> WireSession<'a> {
        let outline = &self.outline;
        let others = || all.iter().filter(|other| other.file.path != self.file.path);
        let same_start = others().filter(|other| {
            other.outline.first_message.is_some()
                && other.outline.first_message == outline.first_message
                && other.id() != self.id()
        });
        let same_id = others().filter(|other| other.id() == self.id());
        WireSession {
            id: &self.file.id,
            at: self.at,
            file: self.file.path.display().to_string(),
            title: outline.title(),
            first_prompt: outline.first_prompt.as_deref(),
            last_prompt: outline.last_prompt.as_deref(),
            started: outline.started.as_deref(),
            last_active: outline.last_active.as_deref(),
            bytes: outline.bytes,
            messages: outline.messages,
            complete: outline.complete,
            folder: outline.folder.as_deref(),
            git_branch: outline.git_branch.as_deref(),
            version: outline.version.as_deref(),
            subagents: sessions
                .subagents
                .get(&Some(self.file.id.clone()))
                .copied()
                .unwrap_or_default(),
            forked_from: outline.forked_from.as_deref(),
            same_start: same_start.map(|other| &*other.file.id).collect(),
            same_id: same_id.map(|other| other.file.path.display().to_string()).collect(),
            repaired_copy: self.file.repaired.as_ref().map(|path| path.display().to_string()),
            not_resumable: not_resumable(outline.standing),
            damage: outline.notes.kept.iter().filter(|note| !note.reason.is_advice()).count(),
        }
    }

    /// The id that its lines bear, else that of its name.
    fn id(&self) -> &str {
        self.outline.session_id.as_deref().unwrap_or(&self.file.id)
    }
}

fn not_resumable(standing: Resumable) -> Option<&'static str> {
    match standing {
        Resumable::Yes => None,
        Resumable::Empty => Some("it is empty"),
        Resumable::TitlesOnly => Some("it holds titles and no messages"),
        Resumable::SidechainOnly => Some("it is the record of a subagent"),
        _ => Some("it holds no messages"),
    }
}

fn print(wire: &Wire<'_>, all: &[Seen<'_>], now: SystemTime, out: &mut Out) {
    let mut table = Table::new([
        (Align::Left, Style::Bold),
        (Align::Left, Style::Dim),
        (Align::Right, Style::Dim),
        (Align::Right, Style::Dim),
        (Align::Left, Style::Yellow),
        (Align::Left, Style::Plain),
    ]);
    for session in &wire.sessions {
        let more = if session.complete { "" } else { "+" };
        table.row([
            short(session.id, all),
            &age(session.at, now).to_string(),
            &size(session.bytes),
            &format!("{}{more}", session.messages),
            &remarks(session, all),
            session.title.unwrap_or("(no title)"),
        ]);
    }
    table.print(out);
    if wire.sessions.is_empty() {
        out.note("no session of this project");
    }
    if wire.subagents > 0 {
        let files = if wire.subagents == 1 { "file" } else { "files" };
        out.note(&format!("{} {files} of subagents name no session", wire.subagents));
    }
    if !wire.unreadable.is_empty() {
        let warning = CliError::warning("not everything that is named like a session can be read");
        out.warn(&wire.unreadable.iter().fold(warning, |warning, fault| {
            warning.item(&format!("{}: {}", fault.file, fault.why))
        }));
    }
}

/// What is to be said about a session besides its title.
fn remarks(session: &WireSession<'_>, all: &[Seen<'_>]) -> String {
    let mut remarks = Vec::new();
    remarks.extend(session.not_resumable.map(str::to_owned));
    if let Some(from) = session.forked_from {
        remarks.push(format!("fork of {}", short(from, all)));
    } else if let Some(other) = session.same_start.first() {
        remarks.push(format!("begins like {}", short(other, all)));
    }
    if !session.same_id.is_empty() {
        remarks.push(format!("same id in {} more", session.same_id.len()));
    }
    if session.subagents > 0 {
        let agents = if session.subagents == 1 { "subagent" } else { "subagents" };
        remarks.push(format!("{} {agents}", session.subagents));
    }
    if session.damage > 0 && session.not_resumable.is_none() {
        remarks.push("damaged".to_owned());
    }
    if session.repaired_copy.is_some() {
        remarks.push("repaired copy".to_owned());
    }
    remarks.join(", ")
}

/// Characters of an id that a person is shown where they are enough. From git: short, and long enough to be told apart.
const SHORT_ID: usize = 8;

/// The beginning of an id if it is that of no other session.
fn short<'a>(id: &'a str, all: &[Seen<'_>]) -> &'a str {
    let beginning = memdir::core::text::prefix(id, SHORT_ID);
    let ids = all.iter().map(|seen| seen.file.id.as_str());
    let others = ids.filter(|other| *other != id && other.starts_with(beginning));
    if others.count() == 0 { beginning } else { id }
}
