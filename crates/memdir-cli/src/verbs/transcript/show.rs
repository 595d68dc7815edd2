//! What was said in a session.

use clap::Args;
use memdir::transcript::{Conversation, Excerpt, Part, Role, Turn};
use serde::Serialize;

use super::branch::{Branch, limits};
use super::{WireNote, role_name, say_damage, wire_notes};
use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::Session;
use crate::transcripts;

/// Show what was said in a session, from its first message to its last
///
/// Left out are thoughts, pictures, and what the client adds to messages. Where a session has several branches, the one with the last
/// message is shown. What the session holds stands further in than what memdir says of it. Exits with 1 where nothing was said.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Session id, the beginning of one, path of a file, or -
    file: String,
    /// The branch that ends with this entry
    #[arg(long, value_name = "UUID")]
    branch: Option<String>,
    /// Only the last messages, at most this many lines of the record; no more of the file is read
    #[arg(long, value_name = "N", conflicts_with = "branch")]
    last: Option<usize>,
    /// Cut nothing: by default texts are cut to 16 kB, tools to 2 kB, and JSON to the last 400 kB
    #[arg(long)]
    full: bool,
    /// Print `{"turns": […], "left_out", "notes"}`
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    file: String,
    turns: Vec<WireTurn<'a>>,
    /// Earlier turns that did not fit.
    left_out: usize,
    notes: Vec<WireNote>,
    more_notes: u64,
}

#[derive(Serialize)]
struct WireTurn<'a> {
    role: &'static str,
    timestamp: Option<&'a str>,
    /// It is the summary of a compaction.
    summary: bool,
    /// Where its lines are in the file.
    offsets: Vec<u64>,
    parts: Vec<WirePart<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WirePart<'a> {
    Text { text: &'a str, cut: usize },
    ToolCall { id: &'a str, name: &'a str, input: &'a str, cut: usize },
    ToolResult { id: &'a str, text: &'a str, is_error: bool, cut: usize },
}

pub(super) fn run(args: &Show, session: &mut Session) -> Result<Exit, CliError> {
    let mut source = transcripts::open(&args.file, session)?;
    let branch = match args.last {
        Some(count) => Branch::last(&mut source, count)?,
        None => Branch::read(&mut source, args.branch.as_deref())?,
    };
    let limits = limits(args.full);
    let notes = branch.tree.notes();
    if args.json {
        let said = Conversation::of(&branch.members, &mut source, &limits);
        let said = said.map_err(|error| source.failed(&error))?;
        let mut turns: Vec<_> =
            said.turns.iter().map(|turn| WireTurn::of(turn, branch.is_summary(turn))).collect();
        let first = first_that_fits(&turns, limits.total_bytes, &session.out)?;
        session.out.json(&Wire {
            file: source.shown(),
            turns: turns.split_off(first),
            left_out: said.left_out + first,
            notes: wire_notes(notes),
            more_notes: notes.more,
        })?;
        return Ok(if said.turns.is_empty() { Exit::Nothing } else { Exit::Done });
    }
    let mut any = false;
    let out = &mut session.out;
    let read = branch.turns(&mut source, &limits, |turn| {
        if std::mem::replace(&mut any, true) {
            out.line("");
        }
        print(turn, branch.is_summary(turn), out);
        out.flow();
        !out.is_broken()
    });
    read.map_err(|error| source.failed(&error))?;
    if !any {
        out.note("nothing was said in it");
    }
    say_damage(&wire_notes(notes), notes.more, &source.shown(), out);
    Ok(if any { Exit::Done } else { Exit::Nothing })
}

/// The turn from which on all fit into a number of bytes, printed as JSON.
fn first_that_fits(turns: &[WireTurn<'_>], bytes: usize, out: &Out) -> Result<usize, CliError> {
    let mut left = bytes;
    for (at, turn) in turns.iter().enumerate().rev() {
        match left.checked_sub(out.json_text(turn)?.len() + 1) {
            Some(rest) => left = rest,
            None => return Ok(at + 1),
        }
    }
    Ok(0)
}

/// Longest time of a turn that is shown, in bytes. Ours: one with a zone and its name.
const MAX_TIME_BYTES: usize = 40;

/// When a turn was, if what the file says can be a time: anything else could pass for more than that.
pub(super) fn time(turn: &Turn) -> Option<&str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.: ".contains(&byte);
    let time = turn.timestamp.as_deref()?;
    (time.len() <= MAX_TIME_BYTES && time.bytes().all(is_plain)).then_some(time)
}

/// Who speaks in a turn.
pub(super) fn speaker(turn: &Turn, is_summary: bool) -> &'static str {
    match turn.role {
        _ if is_summary => "summary of what was said before",
        Role::Assistant => "assistant",
        _ if turn.parts.iter().all(|part| matches!(part, Part::ToolResult { .. })) => "tools",
        _ => "user",
    }
}

fn print(turn: &Turn, is_summary: bool, out: &mut Out) {
    let speaker = out.paint(Style::Bold, speaker(turn, is_summary));
    let time = out.paint(Style::Dim, time(turn).unwrap_or_default());
    out.line(format!("{speaker}  {time}").trim_end());
    for part in &turn.parts {
        match part {
            Part::Text(text) => out.indented(with_mark(text).trim_end()),
            Part::ToolCall { name, input, .. } => {
                let label = out.paint(Style::Green, "calls:");
                out.line(&label);
                out.indented(&format!("{name} {}", with_mark(input)));
            }
            Part::ToolResult { text, is_error, .. } => {
                let label = if *is_error { "error:" } else { "result:" };
                let label = out.paint(if *is_error { Style::Red } else { Style::Dim }, label);
                out.line(&label);
                out.indented(with_mark(text).trim_end());
            }
            _ => {}
        }
    }
}

/// A text that says how much was cut off.
pub(super) fn with_mark(text: &Excerpt) -> String {
    match text.cut {
        0 => text.text.clone(),
        cut => format!("{} [… {cut} bytes more]", text.text),
    }
}

impl<'a> WireTurn<'a> {
    fn of(turn: &'a Turn, summary: bool) -> Self {
        Self {
            role: role_name(turn.role),
            timestamp: turn.timestamp.as_deref(),
            summary,
            offsets: turn.places.iter().map(|place| place.offset).collect(),
            parts: turn.parts.iter().filter_map(WirePart::of).collect(),
        }
    }
}

impl<'a> WirePart<'a> {
    fn of(part: &'a Part) -> Option<Self> {
        Some(match part {
            Part::Text(text) => Self::Text { text: &text.text, cut: text.cut },
            Part::ToolCall { id, name, input } => {
                Self::ToolCall { id, name, input: &input.text, cut: input.cut }
            }
            Part::ToolResult { id, text, is_error } => {
                Self::ToolResult { id, text: &text.text, is_error: *is_error, cut: text.cut }
            }
            _ => return None,
        })
    }
}
