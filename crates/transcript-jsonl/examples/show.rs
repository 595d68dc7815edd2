//! Prints what a session resumes with: `cargo run --example show FILE`.
#![expect(clippy::disallowed_methods, reason = "an example opens the file that it is given")]

use std::fs::File;
use std::io::{self, Write as _};

use transcript_jsonl::{Conversation, Limits, Part, Resume};

fn main() -> io::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        return Err(io::Error::other("usage: show FILE"));
    };
    let mut file = File::open(path)?;
    let resume = Resume::read(&mut file)?;
    let conversation = Conversation::read(&resume, &mut file, &Limits::default())?;
    let mut out = io::stdout().lock();
    for note in &resume.notes.kept {
        writeln!(out, "note: {note}")?;
    }
    for member in &resume.members {
        writeln!(out, "{:?} {:?} at byte {}", member.kind, member.origin, member.place.offset)?;
    }
    for turn in &conversation.turns {
        writeln!(out, "\n{:?}:", turn.role)?;
        for part in &turn.parts {
            match part {
                Part::Text(text) => writeln!(out, "{}", text.text)?,
                Part::ToolCall { name, input, .. } => writeln!(out, "-> {name} {}", input.text)?,
                Part::ToolResult { text, .. } => writeln!(out, "<- {}", text.text)?,
                _ => {}
            }
        }
    }
    for backup in resume.history.files() {
        writeln!(out, "backup of {}: {:?}", backup.path, backup.name)?;
    }
    Ok(())
}
