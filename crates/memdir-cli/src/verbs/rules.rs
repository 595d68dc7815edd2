//! Rules that people wrote: which there are, which come with a file, and what is wrong with them.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use memdir::core::text::escape_control;
use memdir::rules::{
    Client, Fragment, Loaded, Note, Reason, Waiting, check as check_rules, render,
};
use memdir::store::files::LocalFiles;
use serde::Serialize;

use super::list::size;
use crate::error::{CliError, Exit};
use crate::output::{Align, Style, Table};
use crate::place::Session;
use crate::rules::Which;

/// Show the rules that people wrote for agents: CLAUDE.md, AGENTS.md and their kin
///
/// They are found as the client finds them, each once, with what they import; a rule with `paths` comes with the files that it
/// is for. Nothing is written, and nothing outside of the project is read that the client was not allowed to.
#[derive(Debug, Args)]
pub(crate) struct Rules {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    List(List),
    Show(Show),
    Match(Match),
    Check(Check),
}

/// List the rules in their order: those that a conversation begins with, then those that wait for a file
#[derive(Debug, Args)]
struct List {
    #[command(flatten)]
    which: Which,
    /// Print `{"client", "rules": […], "waiting": […], "notes": […]}`, with the texts
    #[arg(long)]
    json: bool,
}

/// Print the rules as one text for an agent: those from the start, and those that come with files
#[derive(Debug, Args)]
struct Show {
    /// Files in play; they need not exist
    files: Vec<PathBuf>,
    #[command(flatten)]
    which: Which,
}

/// List the rules that come with files; exits with 1 where none does
#[derive(Debug, Args)]
struct Match {
    /// Files in play, relative to the current folder; they need not exist
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What is done with the files; the rules are the same
    #[arg(long, value_name = "EVENT", default_value = "read")]
    event: Event,
    #[command(flatten)]
    which: Which,
    /// Print `{"client", "event", "rules": […], "notes": […]}`, with the texts
    #[arg(long)]
    json: bool,
}

/// Tell what is wrong with the rules; exits with 1 on findings
///
/// Rules that no file of the project matches, keys that mean nothing, frontmatter that cannot be read as it stands, imports of
/// nothing, links and imports that lead out, files that are too long.
#[derive(Debug, Args)]
struct Check {
    #[command(flatten)]
    which: Which,
    /// Print `{"findings": […]}`
    #[arg(long)]
    json: bool,
}

/// What an agent does with a file.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Event {
    Read,
    Edit,
    Write,
}

impl Rules {
    /// `--json` was given.
    pub(crate) fn json(&self) -> bool {
        match &self.part {
            Part::List(args) => args.json,
            Part::Match(args) => args.json,
            Part::Check(args) => args.json,
            Part::Show(_) => false,
        }
    }
}

#[derive(Serialize)]
struct Wire<'a> {
    client: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Event>,
    rules: Vec<WireRule<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<Vec<WireWaiting<'a>>>,
    notes: Vec<WireNote>,
}

#[derive(Serialize)]
struct WireRule<'a> {
    path: String,
    kind: &'static str,
    scope: &'static str,
    reason: &'static str,
    /// The file that imports it, or that is in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// The pattern that the file in play matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'a str>,
    patterns: &'a [String],
    bytes: u64,
    text: &'a str,
}

#[derive(Serialize)]
struct WireWaiting<'a> {
    path: String,
    scope: &'static str,
    patterns: &'a [String],
    bytes: u64,
}

#[derive(Serialize)]
struct WireNote {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    message: String,
    /// Nothing is wrong.
    advice: bool,
}

impl<'a> From<&'a Fragment> for WireRule<'a> {
    fn from(fragment: &'a Fragment) -> Self {
        let (by, pattern) = match &fragment.reason {
            Reason::Import { by: file } | Reason::Folder { file } => (Some(file), None),
            Reason::Path { file, pattern } => (Some(file), Some(pattern.as_str())),
            _ => (None, None),
        };
        Self {
            path: fragment.path.display().to_string(),
            kind: fragment.kind.as_str(),
            scope: fragment.scope.as_str(),
            reason: fragment.reason.as_str(),
            by: by.map(|file| file.display().to_string()),
            pattern,
            patterns: &fragment.patterns,
            bytes: fragment.bytes,
            text: &fragment.text,
        }
    }
}

impl<'a> From<Waiting<'a>> for WireWaiting<'a> {
    fn from(rule: Waiting<'a>) -> Self {
        let path = rule.path.display().to_string();
        Self { path, scope: rule.scope.as_str(), patterns: rule.patterns, bytes: rule.bytes }
    }
}

impl From<&Note> for WireNote {
    fn from(note: &Note) -> Self {
        Self {
            path: note.path.display().to_string(),
            line: note.line,
            message: note.kind.to_string(),
            advice: note.kind.is_advice(),
        }
    }
}

pub(crate) fn run(args: &Rules, session: &mut Session) -> Result<Exit, CliError> {
    match &args.part {
        Part::List(args) => list(args, session),
        Part::Show(args) => show(args, session),
        Part::Match(args) => matching(args, session),
        Part::Check(args) => check(args, session),
    }
}

fn list(args: &List, session: &mut Session) -> Result<Exit, CliError> {
    let mut rules = session.rules(&args.which)?;
    let loaded = rules.as_mut().map(memdir::rules::Session::start).unwrap_or_default();
    let waiting = rules.iter().flat_map(memdir::rules::Session::waiting);
    if args.json {
        let waiting = Some(waiting.map(WireWaiting::from).collect());
        let client = args.which.client();
        session.out.json(&wire(client, None, &loaded, waiting))?;
        return Ok(Exit::Done);
    }
    session.say_rules(&loaded);
    let mut table = table();
    loaded.fragments.iter().for_each(|fragment| add(&mut table, fragment));
    for rule in waiting {
        let when = match rule.patterns {
            [] => "on request".to_owned(),
            patterns => format!("for {}", patterns.join(", ")),
        };
        let path = rule.path.display().to_string();
        table.row([rule.scope.as_str(), &size(rule.bytes), &path, &when]);
    }
    table.print(&mut session.out);
    Ok(Exit::Done)
}

fn show(args: &Show, session: &mut Session) -> Result<Exit, CliError> {
    let Some(mut rules) = session.rules(&args.which)? else { return Ok(Exit::Done) };
    let mut loaded = rules.start();
    let with_files = rules.touch(&args.files);
    loaded.fragments.extend(with_files.fragments);
    loaded.notes.extend(with_files.notes);
    session.say_rules(&loaded);
    session.out.text(&render(&loaded.fragments));
    Ok(Exit::Done)
}

fn matching(args: &Match, session: &mut Session) -> Result<Exit, CliError> {
    let mut loaded = Loaded::default();
    if let Some(mut rules) = session.rules(&args.which)? {
        rules.start();
        loaded = rules.touch(&args.files);
    }
    let exit = if loaded.fragments.is_empty() { Exit::Nothing } else { Exit::Done };
    if args.json {
        session.out.json(&wire(args.which.client(), Some(args.event), &loaded, None))?;
        return Ok(exit);
    }
    session.say_rules(&loaded);
    let mut table = table();
    loaded.fragments.iter().for_each(|fragment| add(&mut table, fragment));
    table.print(&mut session.out);
    if exit == Exit::Nothing {
        session.out.note("no rule comes with that");
    }
    Ok(exit)
}

fn check(args: &Check, session: &mut Session) -> Result<Exit, CliError> {
    #[derive(Serialize)]
    struct Wire {
        findings: Vec<WireNote>,
    }

    let rules = session.rules(&args.which)?;
    let notes =
        rules.map(|rules| check_rules(LocalFiles::new(), rules.setup())).unwrap_or_default();
    let findings: Vec<_> = notes.iter().map(WireNote::from).collect();
    let is_fine = findings.iter().all(|finding| finding.advice);
    if args.json {
        session.out.json(&Wire { findings })?;
    } else {
        for finding in &findings {
            let (style, level) =
                if finding.advice { (Style::Dim, "remark") } else { (Style::Yellow, "warning") };
            let level = session.out.paint(style, level);
            let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = session.out.paint(Style::Bold, &format!("{}{line}", finding.path));
            session.out.line(&format!("{level}: {place}: {}", escape_control(&finding.message)));
        }
    }
    Ok(if is_fine { Exit::Done } else { Exit::Nothing })
}

fn wire<'a>(
    client: Client,
    event: Option<Event>,
    loaded: &'a Loaded,
    waiting: Option<Vec<WireWaiting<'a>>>,
) -> Wire<'a> {
    Wire {
        client: client.as_str(),
        event,
        rules: loaded.fragments.iter().map(WireRule::from).collect(),
        waiting,
        notes: loaded.notes.iter().map(WireNote::from).collect(),
    }
}

/// For whom, size, path and why.
fn table() -> Table<4> {
    let left = |style| (Align::Left, style);
    Table::new([
        left(Style::Plain),
        (Align::Right, Style::Dim),
        left(Style::Bold),
        left(Style::Plain),
    ])
}

fn add(table: &mut Table<4>, fragment: &Fragment) {
    let path = fragment.path.display().to_string();
    let why = fragment.reason.to_string();
    table.row([fragment.scope.as_str(), &size(fragment.bytes), &path, &why]);
}
