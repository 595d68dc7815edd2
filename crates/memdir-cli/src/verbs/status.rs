//! The directory at a glance.

use std::collections::BTreeMap;

use clap::Args;
use memdir::FindingKind;
use memdir::core::age::format_rfc3339;
use memdir::core::limits::{INDEX_BYTES, INDEX_LINES};
use memdir::core::truncate::{Limits, truncate};
use memdir::core::{MemPath, MemoryType};
use memdir::store::{Health, LoggedState};
use serde::Serialize;

use super::list::size;
use super::path::source;
use crate::error::{CliError, Exit, chain};
use crate::output::{Out, Style};
use crate::place::{LocalMemory, Place, Session};

/// Operations shown. Ours: what fits below the rest on a small terminal.
const SHOWN: usize = 5;

/// Show the directory, what is in it, how full the index is, and what happened last
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    directory: String,
    source: String,
    layout: &'static str,
    /// Absent where there is none; then the directory was named.
    project: Option<String>,
    exists: bool,
    auto_memory: bool,
    recall: bool,
    #[serde(flatten)]
    state: Option<State>,
}

/// What is known of a directory that exists.
#[derive(Serialize)]
struct State {
    memories: usize,
    /// Memories by type; `none` for those without one.
    by_type: BTreeMap<&'static str, usize>,
    pinned: usize,
    problems: usize,
    /// What keeps the index or memdir's own files from being read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Fault>,
    /// Absent where it cannot be read.
    index: Option<Index>,
    journal_bytes: u64,
    /// The operation that is being carried out or was interrupted.
    unfinished: Option<String>,
    /// Who holds the lock, as far as they say.
    writer: Option<String>,
    leftover_files: usize,
    last_operations: Vec<Operation>,
}

#[derive(Serialize)]
struct Fault {
    path: String,
    message: String,
}

#[derive(Serialize)]
struct Index {
    lines: usize,
    max_lines: usize,
    bytes: usize,
    max_bytes: usize,
    /// Only part of it is loaded by memdir.
    is_cut: bool,
    /// Only part of it is loaded by the client.
    is_cut_by_client: bool,
}

#[derive(Serialize)]
struct Operation {
    op: String,
    at: String,
    kind: String,
    actor: Option<String>,
    reason: Option<String>,
    paths: Vec<String>,
}

pub(crate) fn run(args: &Status, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let state = session.open(&place)?.map(|memory| state(&memory)).transpose()?;
    let Place { location, settings, .. } = &place;
    let wire = Wire {
        directory: place.directory(),
        source: source(location.source),
        layout: location.layout.as_str(),
        project: place.project(),
        exists: state.is_some(),
        auto_memory: settings.auto_memory.value,
        recall: settings.recall.value,
        state,
    };
    if args.json {
        session.out.json(&wire)?;
        return Ok(Exit::Done);
    }
    print(&wire, &place, &mut session.out);
    Ok(Exit::Done)
}

fn state(memory: &LocalMemory) -> Result<State, CliError> {
    let scan = memory.scan()?;
    let mut by_type = BTreeMap::new();
    for header in &scan.headers {
        *by_type.entry(header.kind.map_or("none", MemoryType::as_str)).or_insert(0) += 1;
    }
    let mut findings = Vec::new();
    let index = match memory.index_text() {
        Ok(text) => Some(Index::from(&*text)),
        Err(error) => {
            let path = MemPath::index().to_string();
            findings.push(Fault { path, message: format!("cannot be read: {}", chain(&error)) });
            None
        }
    };
    let Health { writer, unfinished, temps, journal_bytes, faults, .. } =
        memory.store().health()?;
    findings.extend(
        faults.into_iter().map(|fault| Fault {
            message: FindingKind::from(&fault).to_string(),
            path: fault.path,
        }),
    );
    let mut last_operations = Vec::new();
    // Where the journal cannot be read, a finding above says so.
    for logged in memory.store().history().into_iter().flatten().flatten() {
        if last_operations.len() == SHOWN {
            break;
        }
        if logged.state == LoggedState::TakenBack {
            continue;
        }
        last_operations.push(Operation {
            op: logged.id.to_string(),
            at: format_rfc3339(logged.at),
            kind: logged.kind.to_string(),
            actor: logged.by.as_ref().map(|by| by.actor.as_text()),
            reason: logged.by.and_then(|by| by.reason),
            paths: logged.files.iter().map(|file| file.path.to_string()).collect(),
        });
    }
    Ok(State {
        memories: scan.total,
        by_type,
        pinned: scan.headers.iter().filter(|header| header.pinned).count(),
        problems: scan.problems.len() + scan.more_problems,
        findings,
        index,
        journal_bytes,
        unfinished: unfinished.map(|op| op.to_string()),
        writer: writer.map(|writer| writer.to_string()),
        leftover_files: temps.len(),
        last_operations,
    })
}

impl From<&str> for Index {
    fn from(text: &str) -> Self {
        let [ours, clients] =
            [Limits::default(), Limits::claude_code()].map(|limits| truncate(text, &limits));
        Self {
            lines: ours.line_count,
            max_lines: INDEX_LINES,
            bytes: ours.byte_count,
            max_bytes: INDEX_BYTES,
            is_cut: ours.was_line_truncated || ours.was_byte_truncated,
            is_cut_by_client: clients.was_line_truncated || clients.was_byte_truncated,
        }
    }
}

fn print(wire: &Wire, place: &Place, out: &mut Out) {
    let row = |out: &mut Out, name: &str, text: &str| {
        let name = out.paint(Style::Bold, &format!("{name:<10}"));
        let text = out.escaped(text);
        out.line(&format!("{name} {text}"));
    };
    row(out, "directory", &format!("{} ({})", wire.directory, place.directory_origin()));
    let no_project = place.no_project.as_ref().map(|why| format!("none, as {why}"));
    row(
        out,
        "project",
        wire.project.as_ref().or(no_project.as_ref()).map_or("none", String::as_str),
    );
    for (name, on) in [("auto_memory", wire.auto_memory), ("recall", wire.recall)] {
        if !on {
            row(out, "switched", &format!("{name} is off"));
        }
    }
    let Some(state) = &wire.state else {
        row(out, "memories", "none yet: the directory is created by the first save");
        return;
    };
    let counts: Vec<_> = state
        .by_type
        .iter()
        .map(|(kind, count)| match *kind {
            "none" => format!("{count} without a type"),
            kind => format!("{count} {kind}"),
        })
        .collect();
    let pinned =
        if state.pinned > 0 { format!("; {} pinned", state.pinned) } else { String::new() };
    let counts =
        if counts.is_empty() { String::new() } else { format!(" ({}{pinned})", counts.join(", ")) };
    row(out, "memories", &format!("{}{counts}", state.memories));
    if let Some(index) = &state.index {
        row(out, "index", &fill(index));
    }
    for finding in &state.findings {
        row(out, "finding", &format!("{}: {}", finding.path, finding.message));
    }
    if state.problems > 0 {
        row(out, "problems", &format!("{}; `memdir check` tells them", state.problems));
    }
    if let Some(writer) = &state.writer {
        row(out, "writer", writer);
    }
    if let Some(op) = &state.unfinished {
        row(
            out,
            "unfinished",
            &format!("{op}; the next writer, or `memdir check --fix`, finishes it"),
        );
    }
    if state.leftover_files > 0 {
        row(out, "leftover", &format!("{} temporary files", state.leftover_files));
    }
    row(out, "journal", &size(state.journal_bytes));
    for (number, operation) in state.last_operations.iter().enumerate() {
        let by = operation.actor.as_deref().unwrap_or("another program");
        let why = operation.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let paths = operation.paths.join(", ");
        let name = if number == 0 { "last" } else { "" };
        row(
            out,
            name,
            &format!("{} {} {paths} by {by}{why} ({})", operation.at, operation.kind, operation.op),
        );
    }
}

fn fill(index: &Index) -> String {
    let Index { lines, max_lines, bytes, max_bytes, is_cut, is_cut_by_client } = index;
    let cut = match (is_cut, is_cut_by_client) {
        (false, false) => "",
        (true, false) => "; only part of it is loaded",
        (false, true) => "; the client loads only part of it",
        (true, true) => "; only part of it is loaded, by the client too",
    };
    format!("{lines} of {max_lines} lines, {bytes} of {max_bytes} bytes{cut}")
}
