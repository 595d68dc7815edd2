//! The journal for people: who changed what, when and why.

use clap::Args;
use memdir::FindingKind;
use memdir::core::MemPath;
use memdir::core::age::format_rfc3339;
use memdir::core::frontmatter::decode;
use memdir::store::{
    Action, Logged, LoggedFile, LoggedState, OpId, Outside, PartUndone, ReadStore, Revision,
};
use serde::Serialize;

use super::save::action;
use crate::error::{CliError, Exit, chain};
use crate::output::{Out, Style};
use crate::place::{LocalMemory, Session};

/// Show who changed what, when and why, newest first
///
/// Changes that were made outside, by the client or an editor, are shown where memdir came upon them, and first those that it
/// has not come upon yet.
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Only this memory: path, file name, name, or the beginning of one; a forgotten one by its path
    name: Option<String>,
    /// At most this many operations
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Show the changes line by line
    #[arg(long)]
    diff: bool,
    /// Print `{"operations": […], "outside": […]}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    operations: Vec<WireOperation>,
    /// Changes made outside that no operation has come upon yet.
    outside: Vec<WireFile>,
}

#[derive(Serialize)]
struct WireOperation {
    op: String,
    at: String,
    kind: String,
    /// `user`, `agent`, `worker:NAME`; absent where somebody changed it outside.
    actor: Option<String>,
    run: Option<String>,
    session: Option<String>,
    reason: Option<String>,
    state: &'static str,
    undoes: Vec<String>,
    undoes_part: Vec<WirePart>,
    files: Vec<WireFile>,
    index_lines: Vec<WireLine>,
    conflicts: Vec<String>,
}

/// An operation of which the files named were undone, with their lines of the index.
#[derive(Serialize)]
struct WirePart {
    op: String,
    files: Vec<String>,
}

#[derive(Serialize)]
struct WireFile {
    path: String,
    action: &'static str,
    before: Option<String>,
    after: Option<String>,
    merged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct WireLine {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

pub(crate) fn run(args: &Log, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let Some(memory) = session.open(&place)? else {
        if args.json {
            session.out.json(&Wire { operations: Vec::new(), outside: Vec::new() })?;
        }
        return Ok(Exit::Done);
    };
    let only = args.name.as_deref().map(|name| wanted(&memory, name)).transpose()?;
    let is_meant = |path: &MemPath| only.as_ref().is_none_or(|only| only == path);
    let mut wire = Wire { operations: Vec::new(), outside: Vec::new() };
    for fault in memory.store().health()?.faults {
        let what = format!("`{}` cannot be read", fault.path);
        let why = FindingKind::from(&fault).to_string();
        session.out.warn(&CliError::warning(what).because(why));
    }
    let history = memory.store().history()?;
    match memory.store().outside_changes() {
        Ok(changes) => {
            for change in
                changes.iter().filter(|change| change.known.is_some() && is_meant(&change.path))
            {
                wire.outside.push(outside(&memory, change, args.diff)?);
            }
        }
        Err(error) => {
            let warning = CliError::warning("what was changed outside cannot be told");
            session.out.warn(&warning.because(chain(&error)));
        }
    }
    for logged in history {
        if wire.operations.len() >= args.limit {
            break;
        }
        let logged = match logged {
            Ok(logged) => logged,
            Err(error) => {
                let warning = CliError::warning("part of the journal cannot be read");
                session.out.warn(&warning.because(chain(&error)));
                continue;
            }
        };
        let lines = logged.lines.iter().map(|line| &line.path);
        if logged.files.iter().map(|file| &file.path).chain(lines).any(is_meant) {
            wire.operations.push(operation(&memory, logged, args.diff)?);
        }
    }
    if args.json {
        session.out.json(&wire)?;
        return Ok(Exit::Done);
    }
    for file in &wire.outside {
        session.out.line("not in the journal yet: changed outside");
        print_file(file, &mut session.out);
    }
    for operation in &wire.operations {
        print(operation, &mut session.out);
    }
    Ok(Exit::Done)
}

/// A change from outside that the journal does not tell yet.
fn outside(memory: &LocalMemory, change: &Outside, diff: bool) -> Result<WireFile, CliError> {
    let known = change
        .known
        .map(|known| memory.store().content(&change.path, known))
        .transpose()?
        .flatten();
    let found = memory.store().read(&change.path)?;
    Ok(WireFile {
        path: change.path.to_string(),
        action: action(if change.found.is_some() { Action::Updated } else { Action::Removed }),
        before: change.known.map(|revision| revision.to_string()),
        after: change.found.map(|revision| revision.to_string()),
        merged: false,
        diff: diff.then(|| patch(known, Some(found.unwrap_or_default()))),
    })
}

/// The memory of that name, or the path where there is none any more.
fn wanted(memory: &LocalMemory, name: &str) -> Result<MemPath, CliError> {
    match memory.find(name) {
        Err(memdir::Error::Missing { .. }) => super::save::parse_path(name),
        found => Ok(found?),
    }
}

fn operation(memory: &LocalMemory, logged: Logged, diff: bool) -> Result<WireOperation, CliError> {
    let mut files = Vec::new();
    for file in &logged.files {
        files.push(self::file(memory, file, diff)?);
    }
    let by = logged.by;
    Ok(WireOperation {
        op: logged.id.to_string(),
        at: format_rfc3339(logged.at),
        kind: logged.kind.to_string(),
        actor: by.as_ref().map(|by| by.actor.as_text()),
        run: by.as_ref().and_then(|by| by.run.clone()),
        session: by.as_ref().and_then(|by| by.session.clone()),
        reason: by.and_then(|by| by.reason),
        state: match logged.state {
            LoggedState::Done => "done",
            LoggedState::TakenBack => "taken_back",
            _ => "unfinished",
        },
        undoes: logged.undoes.iter().map(OpId::to_string).collect(),
        undoes_part: logged.undoes_part.iter().map(WirePart::from).collect(),
        files,
        index_lines: logged
            .lines
            .into_iter()
            .map(|line| WireLine {
                path: line.path.to_string(),
                before: line.before,
                after: line.after,
            })
            .collect(),
        conflicts: logged.conflicts.iter().map(MemPath::to_string).collect(),
    })
}

impl From<&PartUndone> for WirePart {
    fn from(part: &PartUndone) -> Self {
        let files = part.files.iter().map(MemPath::to_string).collect();
        Self { op: part.op.to_string(), files }
    }
}

fn file(memory: &LocalMemory, file: &LoggedFile, diff: bool) -> Result<WireFile, CliError> {
    let side = |revision: Option<Revision>| match revision {
        Some(revision) => memory.store().content(&file.path, revision),
        None => Ok(Some(Vec::new())),
    };
    let diff = if diff { Some(patch(side(file.before)?, side(file.after)?)) } else { None };
    Ok(WireFile {
        path: file.path.to_string(),
        action: action(file.action),
        before: file.before.map(|revision| revision.to_string()),
        after: file.after.map(|revision| revision.to_string()),
        merged: file.merged,
        diff,
    })
}

/// A unified diff, or why there is none.
pub(super) fn patch(before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> String {
    let Some((before, after)) = before.zip(after) else {
        return "(the text is not kept any more)\n".to_owned();
    };
    let (before, _) = decode(&before);
    let (after, _) = decode(&after);
    diffy::create_patch(&before, &after).to_string()
}

fn print(operation: &WireOperation, out: &mut Out) {
    let op = out.paint(Style::Bold, &operation.op);
    let by = match &operation.actor {
        Some(actor) => format!("by {actor}"),
        None => "by another program, outside".to_owned(),
    };
    let run = operation.run.iter().map(|run| format!(", run {run}"));
    let session = operation.session.iter().map(|session| format!(", session {session}"));
    let state =
        (operation.state != "done").then(|| format!(" ({})", operation.state.replace('_', " ")));
    let details: String = run.chain(session).chain(state).collect();
    let rest = out.escaped(&format!("{}  {} {by}{details}", operation.at, operation.kind));
    out.line(&format!("{op}  {rest}"));
    let why = operation.reason.iter().map(|reason| format!("why: {reason}"));
    let undoes = operation.undoes.iter().map(|op| format!("undoes: {op}"));
    let parts = operation.undoes_part.iter();
    let parts = parts.map(|part| format!("undoes of {}: {}", part.op, part.files.join(", ")));
    for line in why.chain(undoes).chain(parts) {
        let line = out.escaped(&line);
        out.line(&format!("  {line}"));
    }
    // Of the index its lines say more than the file.
    let by_lines = !operation.index_lines.is_empty();
    for file in
        operation.files.iter().filter(|file| !by_lines || file.path != MemPath::index().as_str())
    {
        print_file(file, out);
    }
    for line in &operation.index_lines {
        let sides = [("-", &line.before), ("+", &line.after)];
        for (sign, text) in
            sides.into_iter().filter_map(|(sign, text)| Some((sign, text.as_ref()?)))
        {
            let line = out.paint(Style::Dim, &format!("index {sign} {text}"));
            out.line(&format!("  {line}"));
        }
    }
    for path in &operation.conflicts {
        let line = out.paint(
            Style::Yellow,
            &format!("conflict in {path}: the other side is kept in the journal"),
        );
        out.line(&format!("  {line}"));
    }
}

fn print_file(file: &WireFile, out: &mut Out) {
    let path = out.escaped(&file.path);
    let merged = if file.merged { ", merged with a change from outside" } else { "" };
    out.line(&format!("  {} {path}{merged}", file.action));
    for line in file.diff.iter().flat_map(|diff| diff.lines()).skip(2) {
        let style = match line.chars().next() {
            Some('+') => Style::Green,
            Some('-') => Style::Red,
            _ => Style::Plain,
        };
        let line = out.paint(style, line);
        out.line(format!("    {line}").trim_end());
    }
}
