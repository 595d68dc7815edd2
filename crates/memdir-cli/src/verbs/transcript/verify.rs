//! What is wrong with the file of a session.

use clap::Args;
use memdir::transcript::{self, Note, Reason};
use serde::Serialize;

use super::WireNote;
use crate::error::{CliError, Exit};
use crate::output::Style;
use crate::place::Session;
use crate::transcripts;

/// List what is wrong with the file of a session, each with its offset in bytes, the uuid of the entry, and the reason
///
/// Looks at every line down to its text, and at the tree that the lines make. Exits with 1 on findings. What is merely worth
/// knowing, such as types that this version does not know, is marked `note:` and is none.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Session id, the beginning of one, path of a file, or -
    file: String,
    /// Print `{"findings": […], "notes": […], "more", "bytes", "lines"}`
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Wire {
    file: String,
    findings: Vec<WireNote>,
    /// Worth knowing, not worth mending.
    notes: Vec<WireNote>,
    /// Findings and notes beyond those.
    more: u64,
    bytes: u64,
    lines: u64,
}

pub(super) fn run(args: &Verify, session: &mut Session) -> Result<Exit, CliError> {
    let mut source = transcripts::open(&args.file, session)?;
    let report = transcript::verify(&mut source).map_err(|error| source.failed(&error))?;
    let notes = &report.notes;
    let (findings, advice): (Vec<_>, Vec<_>) = notes.kept.iter().partition(|note| is_finding(note));
    let exit = if findings.is_empty() && notes.more == 0 { Exit::Done } else { Exit::Nothing };
    if args.json {
        session.out.json(&Wire {
            file: source.shown(),
            findings: findings.into_iter().map(WireNote::from).collect(),
            notes: advice.into_iter().map(WireNote::from).collect(),
            more: notes.more,
            bytes: report.counts.bytes,
            lines: report.counts.lines,
        })?;
        return Ok(exit);
    }
    let out = &mut session.out;
    for note in &notes.kept {
        let label = if is_finding(note) { "" } else { "note: " };
        let uuid = note.uuid.as_ref().map(|uuid| format!(" ({uuid})")).unwrap_or_default();
        let place = out.paint(Style::Bold, &format!("byte {}{uuid}:", note.offset));
        let reason = out.escaped(&note.reason.to_string());
        out.line(&format!("{place} {label}{reason}"));
    }
    if notes.more > 0 {
        out.line(&format!("and {} more", notes.more));
    }
    if exit == Exit::Done {
        out.note("nothing is wrong with it");
    }
    Ok(exit)
}

/// A line of megabytes is read, but it is what makes other programs fail.
fn is_finding(note: &Note) -> bool {
    !note.reason.is_advice() || matches!(note.reason, Reason::Long { .. })
}
