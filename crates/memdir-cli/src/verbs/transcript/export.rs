//! A session for other programs and for people without this one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use memdir::core::text::escape_control_lines;
use memdir::transcript::{Entry, Part, Turn};

use super::branch::{Branch, limits};
use super::show::{speaker, time, with_mark};
use super::{say_damage, wire_notes};
use crate::error::{CliError, Exit};
use crate::place::Session;
use crate::transcripts::{self, Existing, STDOUT, Sink, Source};

/// Write a session as Markdown, as an HTML page of its own, or as its entries in JSON
///
/// Markdown and HTML hold what `show` shows, with control characters made visible, and nothing of it is markup. JSON Lines hold the entries of the branch in its
/// order, each as it is, except that what is no valid text is replaced by U+FFFD.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// Session id, the beginning of one, path of a file, or -
    file: String,
    /// What to write
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Where to write it; - is stdout [default: -]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file that is there
    #[arg(long, requires = "output")]
    force: bool,
    /// The branch that ends with this entry [default: the one with the last message]
    #[arg(long, value_name = "UUID")]
    branch: Option<String>,
    /// Cut nothing: by default texts are cut to 16 kB and tools to 2 kB
    #[arg(long)]
    full: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Html,
    Jsonl,
}

/// Nothing is loaded and nothing runs, whatever a session holds.
const HTML_HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
<title>Session</title>\n<style>\nbody { max-width: 60rem; margin: 2rem auto; font-family: sans-serif; }\n\
pre { white-space: pre-wrap; overflow-wrap: anywhere; }\n.tool { color: #555; border-left: 3px solid #ccc; padding-left: 1rem; }\n\
time { color: #777; font-weight: normal; font-size: small; }\n</style>\n</head>\n<body>\n";

const HTML_FOOT: &str = "</body>\n</html>\n";

pub(super) fn run(args: &Export, session: &mut Session) -> Result<Exit, CliError> {
    let mut source = transcripts::open(&args.file, session)?;
    let branch = Branch::read(&mut source, args.branch.as_deref())?;
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let to = args.output.as_deref().unwrap_or(Path::new(STDOUT));
    let mut sink = Sink::open(to, existing, &source, &mut session.out)?;
    let written = match args.format {
        Format::Jsonl => entries(&branch, &mut source, &mut sink),
        Format::Markdown => turns(&branch, args.full, &mut source, &mut sink, markdown),
        Format::Html => sink
            .write_all(HTML_HEAD.as_bytes())
            .and_then(|()| turns(&branch, args.full, &mut source, &mut sink, html))
            .and_then(|()| sink.write_all(HTML_FOOT.as_bytes())),
    };
    written
        .map_err(|error| CliError::io("the export cannot be made", &error).at(source.shown()))?;
    if let Sink::File(target) = sink {
        target.commit()?;
    }
    let notes = branch.tree.notes();
    say_damage(&wire_notes(notes), notes.more, &source.shown(), &mut session.out);
    Ok(Exit::Done)
}

fn entries(branch: &Branch, source: &mut Source, sink: &mut Sink<'_>) -> io::Result<()> {
    for member in &branch.members {
        let entry = Entry::read(source, member.place)?;
        sink.write_all(entry.json().as_bytes())?;
        sink.write_all(b"\n")?;
        if !sink.takes_more() {
            break;
        }
    }
    Ok(())
}

fn turns(
    branch: &Branch,
    full: bool,
    source: &mut Source,
    sink: &mut Sink<'_>,
    render: fn(&Turn, &str) -> String,
) -> io::Result<()> {
    let mut written = Ok(());
    branch.turns(source, &limits(full), |turn| {
        let text = render(turn, speaker(turn, branch.is_summary(turn)));
        written = sink.write_all(escape_control_lines(&text).as_bytes());
        written.is_ok() && sink.takes_more()
    })?;
    written
}

fn markdown(turn: &Turn, speaker: &str) -> String {
    let mut text = format!("## {speaker}");
    if let Some(time) = time(turn) {
        text.extend([", ", time]);
    }
    text.push_str("\n\n");
    for part in &turn.parts {
        match part {
            Part::Text(said) => fenced(&with_mark(said), &mut text),
            Part::ToolCall { name, input, .. } => {
                text.push_str("calls:\n\n");
                fenced(&format!("{name} {}", with_mark(input)), &mut text);
            }
            Part::ToolResult { text: result, is_error, .. } => {
                text.push_str(if *is_error { "error:\n\n" } else { "result:\n\n" });
                fenced(&with_mark(result), &mut text);
            }
            _ => {}
        }
    }
    text
}

/// The most backticks in a row.
fn ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// A text in a fence that it cannot close.
fn fenced(text: &str, to: &mut String) {
    let fence = "`".repeat(ticks(text).max(2) + 1);
    to.extend([&fence, "\n", text.trim_end(), "\n", &fence, "\n\n"]);
}

fn html(turn: &Turn, speaker: &str) -> String {
    let time = time(turn).unwrap_or_default();
    let mut text = format!("<h2>{} <time>{time}</time></h2>\n", escaped(speaker));
    for part in &turn.parts {
        match part {
            Part::Text(said) => text.extend(["<pre>", &escaped(&with_mark(said)), "</pre>\n"]),
            Part::ToolCall { name, input, .. } => {
                let call = escaped(&format!("{name} {}", with_mark(input)));
                text.extend(["<pre class=\"tool\">calls ", &call, "</pre>\n"]);
            }
            Part::ToolResult { text: result, is_error, .. } => {
                let label = if *is_error { "error: " } else { "result: " };
                text.extend([
                    "<pre class=\"tool\">",
                    label,
                    &escaped(&with_mark(result)),
                    "</pre>\n",
                ]);
            }
            _ => {}
        }
    }
    text
}

/// A text that is no markup, within elements and attributes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{escaped, fenced, ticks};

    proptest! {
        #[test]
        fn no_text_is_markup(text in any::<String>()) {
            prop_assert!(!escaped(&text).contains(['<', '>', '"', '\'']));
        }

        #[test]
        fn no_text_closes_its_fence(text in "[a`\n ]{0,40}") {
            let mut out = String::new();
            fenced(&text, &mut out);
            let fence = out.lines().next().unwrap();
            prop_assert!(ticks(&text) < fence.len() && fence.len() >= 3);
        }
    }
}
