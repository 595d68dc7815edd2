//! What a file of a session is made of.

use std::collections::BTreeMap;

use clap::Args;
use memdir::transcript::{Entry, Reader};
use serde::Serialize;

use super::super::list::size;
use super::{WireCompaction, WireNote, say_damage, wire_notes};
use crate::error::{CliError, Exit};
use crate::output::{Align, Out, Style, Table};
use crate::place::Session;
use crate::transcripts;

/// Count what a session is made of: lines by type, compactions, bytes, and its time span
///
/// The file is read once from its start, one line in memory.
#[derive(Debug, Args)]
pub(super) struct Stats {
    /// Session id, the beginning of one, path of a file, or -
    file: String,
    /// Print `{"bytes", "lines", "types": {…}, "compactions": […], "notes": […], …}`
    #[arg(long)]
    pub(super) json: bool,
}

/// Types that are told apart. Ours: clients have some eighty.
const MAX_TYPES: usize = 512;

/// Bytes of a name of a type that are shown.
const NAME_BYTES: usize = 80;

#[derive(Default, Serialize)]
struct Wire {
    file: String,
    bytes: u64,
    lines: u64,
    objects: u64,
    blank: u64,
    /// User and assistant, those of subagents apart.
    messages: u64,
    sidechain: u64,
    /// Objects by `type`, remarks by `system/subtype`.
    types: BTreeMap<String, Count>,
    compactions: Vec<WireCompaction>,
    started: Option<String>,
    last_active: Option<String>,
    notes: Vec<WireNote>,
    more_notes: u64,
}

#[derive(Default, Serialize)]
struct Count {
    count: u64,
    bytes: u64,
}

pub(super) fn run(args: &Stats, session: &mut Session) -> Result<Exit, CliError> {
    let mut source = transcripts::open(&args.file, session)?;
    let mut wire = Wire { file: source.shown(), ..Wire::default() };
    let mut reader = Reader::new(&mut source);
    let read = loop {
        match reader.next_line() {
            Ok(Some(line)) => wire.add(&line),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let (counts, notes) = (reader.counts(), reader.take_notes());
    read.map_err(|error| source.failed(&error))?;
    wire.bytes = counts.bytes;
    wire.lines = counts.lines;
    wire.objects = counts.objects;
    wire.blank = counts.blank;
    wire.notes = wire_notes(&notes);
    wire.more_notes = notes.more;
    if args.json {
        session.out.json(&wire)?;
    } else {
        wire.print(&mut session.out);
        say_damage(&wire.notes, wire.more_notes, &wire.file, &mut session.out);
    }
    Ok(Exit::Done)
}

impl Wire {
    fn add(&mut self, line: &memdir::transcript::Line<'_>) {
        let envelope = &line.envelope;
        let name = envelope.type_name();
        let name = name.as_deref().unwrap_or("(no type)");
        let name = match envelope.subtype().filter(|_| name == "system") {
            Some(subtype) => format!("{name}/{subtype}"),
            None => name.to_owned(),
        };
        let mut name = memdir::core::text::prefix(&name, NAME_BYTES);
        if self.types.len() >= MAX_TYPES && !self.types.contains_key(name) {
            name = "(others)";
        }
        let count = self.types.entry(name.to_owned()).or_default();
        count.count += 1;
        count.bytes += u64::from(line.place.len);
        if envelope.kind().is_message() {
            *(if envelope.is_sidechain() { &mut self.sidechain } else { &mut self.messages }) += 1;
        }
        if let Some(time) = envelope.timestamp() {
            self.started.get_or_insert_with(|| time.to_string());
            self.last_active = Some(time.into_owned());
        }
        if let Some(of) =
            envelope.is_boundary().then(|| Entry::of(envelope.bytes()).compaction()).flatten()
        {
            self.compactions.push(WireCompaction::of(line.place, of));
        }
    }

    fn print(&self, out: &mut Out) {
        let line =
            format!("{} in {} lines, {} objects", size(self.bytes), self.lines, self.objects);
        out.line(&line);
        let side = if self.sidechain > 0 {
            format!(", {} of subagents", self.sidechain)
        } else {
            String::new()
        };
        out.line(&format!("{} messages{side}", self.messages));
        if let (Some(started), Some(last)) = (&self.started, &self.last_active) {
            let line = out.escaped(&format!("from {started} to {last}"));
            out.line(&line);
        }
        for of in &self.compactions {
            let line = out.escaped(&format!("compaction at byte {} ({})", of.offset, of.cause()));
            out.line(&line);
        }
        let mut table = Table::new([
            (Align::Right, Style::Plain),
            (Align::Right, Style::Dim),
            (Align::Left, Style::Plain),
        ]);
        let mut types: Vec<_> = self.types.iter().collect();
        types.sort_by_key(|(_, of)| std::cmp::Reverse(of.count));
        for (name, of) in types {
            table.row([&of.count.to_string(), &size(of.bytes), name]);
        }
        table.print(out);
    }
}
