//! A copy of a session without what is wrong with it.

use std::path::{Path, PathBuf};

use clap::Args;
use memdir::transcript::{self, Note, Reason, Report};
use serde::Serialize;

use super::WireNote;
use crate::error::{CliError, Exit};
use crate::output::Out;
use crate::place::Session;
use crate::transcripts::{self, Existing, REPAIRED, STDOUT, Sink, Source, Target};

/// Write a copy of a session in which every line is one JSON object, and say each change
///
/// No line that can be read is left out, and a line that is well stays byte by byte what it was. The copy lies beside the file as
/// NAME.repaired.jsonl; where there is nothing to change none is written.
#[derive(Debug, Args)]
pub(super) struct Repair {
    /// Session id, the beginning of one, path of a file, or - with --output
    file: String,
    /// Where to write the copy; - is stdout, and the changes are said on stderr then
    #[arg(long, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Put the copy in place of the file, which stays beside it as NAME.jsonl.before-repair
    #[arg(long)]
    in_place: bool,
    /// Replace the copy of an earlier repair
    #[arg(long, conflicts_with = "in_place")]
    force: bool,
    /// Print `{"output", "backup", "changes": […], "unchanged": […], …}`
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Wire {
    file: String,
    /// The copy; absent where none was needed.
    output: Option<String>,
    backup: Option<String>,
    changes: Vec<WireChange>,
    blank_lines: u64,
    /// What is odd and stays as it is.
    unchanged: Vec<WireNote>,
    /// Changes and notes beyond those.
    more: u64,
    objects: u64,
}

#[derive(Serialize)]
struct WireChange {
    offset: u64,
    reason: String,
    change: &'static str,
}

pub(super) fn run(args: &Repair, session: &mut Session) -> Result<Exit, CliError> {
    if args.file == "-" && args.output.is_none() {
        return Err(no_place());
    }
    let mut source = transcripts::open(&args.file, session)?;
    let to = destination(args, &source)?;
    let existing = if args.force || args.in_place { Existing::Replace } else { Existing::Keep };
    let mut sink = if args.in_place {
        Sink::File(Target::create(&to, existing)?)
    } else {
        Sink::open(&to, existing, &source, &mut session.out)?
    };
    if args.json && matches!(sink, Sink::Stdout(_)) {
        return Err(CliError::usage("stdout takes the copy or the JSON, not both")
            .hint("name a file with --output FILE"));
    }
    let before = source.stamp();
    let report = transcript::repair(&mut source, &mut sink).map_err(|error| {
        CliError::io("the copy cannot be made", &error).at(to.display().to_string())
    })?;
    if report.counts.objects == 0 && report.counts.bytes > 0 {
        return Err(nothing_left(&source));
    }
    let changes: Vec<_> = report.notes.kept.iter().filter_map(change).collect();
    let is_changed = !changes.is_empty() || report.counts.blank > 0 || report.notes.more > 0;
    let mut wire = Wire {
        file: source.shown(),
        output: None,
        backup: None,
        changes,
        blank_lines: report.counts.blank,
        unchanged: unchanged(&report),
        more: report.notes.more,
        objects: report.counts.objects,
    };
    if is_changed || args.output.is_some() {
        wire.output = Some(to.display().to_string());
        match sink {
            Sink::Stdout(_) => {}
            Sink::File(target) if args.in_place => {
                if source.stamp() != before {
                    return Err(CliError::refused(
                        "the file was changed meanwhile; it stays as it is",
                    )
                    .at(source.shown())
                    .hint("end the session that writes to it, and call this again"));
                }
                let backup = beside(&to, ".before-repair");
                target.replace_and_back_up(&backup)?;
                wire.backup = Some(backup.display().to_string());
            }
            Sink::File(target) => target.commit()?,
        }
    }
    if args.json {
        session.out.json(&wire)?;
    } else {
        print(&wire, &mut session.out);
    }
    if let Some(backup) = &wire.backup
        && !session.out.deliver()
    {
        // The change is made all the same, and stdout was to tell it.
        session.out.warn(
            &CliError::warning("the file was repaired, though stdout did not take the report")
                .at(&wire.file)
                .hint(format!("the file as it was: {backup}")),
        );
    }
    Ok(Exit::Done)
}

fn destination(args: &Repair, source: &Source) -> Result<PathBuf, CliError> {
    match (&args.output, &source.path) {
        (Some(output), _) => Ok(output.clone()),
        // Not the link to it.
        (None, Some(path)) if args.in_place => transcripts::real(path),
        (None, Some(path)) => Ok(beside(&path.with_extension(""), &format!("{REPAIRED}.jsonl"))),
        (None, None) => Err(no_place()),
    }
}

fn no_place() -> CliError {
    CliError::usage("what is piped in has no place for a copy").hint("name one with --output FILE")
}

/// What holds no entry at all is rather another kind of file than a damaged session.
fn nothing_left(source: &Source) -> CliError {
    CliError::refused(
        "nothing in it can be read as an entry of a session, so a copy would be empty",
    )
    .at(source.shown())
    .hint("`memdir transcript verify` lists what is there instead")
}

fn beside(path: &Path, more: &str) -> PathBuf {
    let mut name = path.to_path_buf().into_os_string();
    name.push(more);
    name.into()
}

/// What a repair does about something.
fn done(reason: &Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::ByteOrderMark | Reason::Nul { .. } => "left out",
        Reason::Torn { .. } | Reason::Unreadable { .. } | Reason::TooLong { .. } => {
            "left out: it cannot be read"
        }
        Reason::NotAnObject => "left out: it is no entry",
        Reason::Glued => "put on a line of its own",
        Reason::NotUtf8 | Reason::LoneSurrogate => "replaced by U+FFFD",
        Reason::ControlCharacter => "escaped",
        Reason::CarriageReturn => "lines end in LF",
        Reason::NotJson => "kept with the fields that are JSON",
        _ => return None,
    })
}

fn change(note: &Note) -> Option<WireChange> {
    let change = done(&note.reason)?;
    Some(WireChange { offset: note.offset, reason: note.reason.to_string(), change })
}

fn unchanged(report: &Report) -> Vec<WireNote> {
    let notes = report.notes.kept.iter().filter(|note| done(&note.reason).is_none());
    notes.map(WireNote::from).collect()
}

fn print(wire: &Wire, out: &mut Out) {
    let is_copy_there = wire.output.as_deref() == Some(STDOUT);
    let say = |out: &mut Out, text: &str| {
        if is_copy_there {
            out.note(text);
        } else {
            let line = out.escaped(text);
            out.line(&line);
        }
    };
    for WireChange { offset, reason, change } in &wire.changes {
        say(out, &format!("byte {offset}: {reason}: {change}"));
    }
    if wire.blank_lines > 0 {
        say(out, &format!("blank lines left out: {}", wire.blank_lines));
    }
    if wire.more > 0 {
        say(out, &format!("and {} more", wire.more));
    }
    for note in &wire.unchanged {
        out.note(&format!("byte {}: {}: stays as it is", note.offset, note.reason));
    }
    match &wire.output {
        None => out.note("there is nothing to repair, so nothing was written"),
        Some(_) if is_copy_there => {}
        Some(output) => say(out, &format!("wrote {output} ({} objects)", wire.objects)),
    }
    if let Some(backup) = &wire.backup {
        say(out, &format!("the file as it was: {backup}"));
    }
}
