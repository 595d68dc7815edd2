//! A session for other programs and for people without this one.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memdir::core::text::escape_control_lines;
use memdir::transcript::{Entry, Part, Turn};

use super::branch::{Branch, limits};
use super::say_damage;
use super::show::{speaker, with_mark};
use crate::error::{CliError, Exit};
use crate::output::Out;
use crate::place::Session;
use crate::transcripts::{self, Existing, Source, Target};

/// Write a session as Markdown, as an HTML page of its own, or as its entries in JSON
///
/// Markdown and HTML hold what `show` shows, with control characters made visible. JSON Lines hold the entries of the branch in its
/// order, each as it is, except that what is no valid text is replaced by U+FFFD.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// Session id, the beginning of one, path of a file, or -
    file: String,
    /// What to write
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Where to write it [default: stdout]
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

/// Where an export goes.
enum Sink<'a> {
    Stdout(&'a mut Out),
    File(Target),
}

pub(super) fn run(args: &Export, session: &mut Session) -> Result<Exit, CliError> {
    let mut source = transcripts::open(&args.file, session)?;
    let branch = Branch::read(&mut source, args.branch.as_deref())?;
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let mut sink = match &args.output {
        Some(path) => {
            transcripts::check_apart(path, &source)?;
            Sink::File(Target::create(path, existing)?)
        }
        None => Sink::Stdout(&mut session.out),
    };
    let written = match args.format {
        Format::Jsonl => entries(&branch, &mut source, &mut sink),
        Format::Markdown => turns(&branch, args.full, &mut source, &mut sink, markdown),
        Format::Html => sink
            .write(HTML_HEAD)
            .and_then(|()| turns(&branch, args.full, &mut source, &mut sink, html))
            .and_then(|()| sink.write(HTML_FOOT)),
    };
    written
        .map_err(|error| CliError::io("the export cannot be made", &error).at(source.shown()))?;
    if let Sink::File(target) = sink {
        target.commit()?;
    }
    say_damage(branch.tree.notes(), &source.shown(), &mut session.out);
    Ok(Exit::Done)
}

impl Sink<'_> {
    fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::Stdout(out) => {
                out.raw(text.as_bytes());
                out.flow();
                // That it cannot be written is said at the end.
                Ok(())
            }
            Self::File(target) => target.write_all(text.as_bytes()),
        }
    }

    fn takes_more(&self) -> bool {
        match self {
            Self::Stdout(out) => !out.is_broken(),
            Self::File(_) => true,
        }
    }
}

fn entries(branch: &Branch, source: &mut Source, sink: &mut Sink<'_>) -> io::Result<()> {
    for member in &branch.members {
        let entry = Entry::read(source, member.place)?;
        let on_terminal = matches!(sink, Sink::Stdout(out) if out.columns().is_some());
        if on_terminal {
            sink.write(&escape_control_lines(entry.json()))?;
        } else {
            sink.write(entry.json())?;
        }
        sink.write("\n")?;
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
        written = sink.write(&escape_control_lines(&text));
        written.is_ok() && sink.takes_more()
    })?;
    written
}

fn markdown(turn: &Turn, speaker: &str) -> String {
    let mut text = format!("## {speaker}");
    if let Some(time) = &turn.timestamp {
        // Another program's text, so no markup of ours.
        text.extend([", ", &time.replace(['\n', '\r'], " ")]);
    }
    text.push_str("\n\n");
    for part in &turn.parts {
        match part {
            Part::Text(said) => text.extend([&*with_mark(said), "\n\n"]),
            Part::ToolCall { name, input, .. } => {
                text.extend(["calls ", &code(name), ":\n\n"]);
                fenced(&with_mark(input), &mut text);
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

/// A name as code on one line.
fn code(name: &str) -> String {
    let ticks = "`".repeat(ticks(name) + 1);
    format!("{ticks}{}{ticks}", name.replace(['\n', '\r'], " "))
}

/// A text in a fence that it cannot close.
fn fenced(text: &str, to: &mut String) {
    let fence = "`".repeat(ticks(text).max(2) + 1);
    to.extend([&fence, "\n", text.trim_end(), "\n", &fence, "\n\n"]);
}

fn html(turn: &Turn, speaker: &str) -> String {
    let time = escaped(turn.timestamp.as_deref().unwrap_or_default());
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
