//! The memories that help with a question.

mod choose;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir::core::MemoryType;
use memdir::core::age::Age;
use memdir::core::frontmatter::Origin;
use memdir::recall::limits::MAX_ATTACHMENTS;
use memdir::recall::{Attachment, Basis, Candidate, Query, Recall as Found};
use memdir::store::Revision;
use serde::Serialize;

use super::list::{WireProblem, say_problems};
use super::verify::Checks;
use crate::config::Selector;
use crate::env::World;
use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::{LocalMemory, Place, Session};

/// Find the memories that help with a question, or none
///
/// Needs no key and no network, unless config.toml names a model: then that chooses where words leave a doubt, and words
/// choose where it does not answer. Exits with 1 when nothing fits, and says on stderr why. Finds nothing while
/// `auto_memory` or `recall` is off, and exits with 0 then.
#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// The question or task, in any language
    query: String,
    /// At most this many memories
    #[arg(long, value_name = "N", default_value_t = MAX_ATTACHMENTS)]
    limit: usize,
    /// A file being worked on; memories with `paths:` that match it are found first
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<PathBuf>,
    /// A tool in use; how to use it is not told, what to beware of is
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// What chooses: words, a model, or a model where words leave a doubt [default: `selector` of config.toml]
    #[arg(long, value_name = "lexical|model|auto", value_parser = selector(), hide_possible_values = true)]
    selector: Option<Selector>,
    #[command(flatten)]
    checks: Checks,
    /// Say why each was chosen, and why others were not
    #[arg(long)]
    explain: bool,
    /// Print `{"query", "selector", "basis", "attachments": […]}`; with --explain `candidates` too
    #[arg(long)]
    pub(crate) json: bool,
}

fn selector() -> impl TypedValueParser<Value = Selector> {
    PossibleValuesParser::new(Selector::ALL.map(Selector::as_str))
        .try_map(|name| Selector::parse(&name).ok_or("no such selector"))
}

#[derive(Serialize)]
struct Wire<'a> {
    query: &'a str,
    /// What the answer rests on: `lexical` or `model`.
    selector: &'static str,
    /// The same in words, with the reason; absent where recall is off or there is no memory directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<String>,
    attachments: Vec<WireAttachment<'a>>,
    /// With --explain: what was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<WireCandidate<'a>>>,
    /// Why there is no attachment.
    #[serde(skip_serializing_if = "Option::is_none")]
    silence: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<WireProblem>,
}

/// An attachment as JSON, of `context` too.
#[derive(Serialize)]
pub(super) struct WireAttachment<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    path: &'a str,
    memory_type: Option<&'static str>,
    content: &'a str,
    is_cut: bool,
    age: String,
    age_days: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    freshness_caveat: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'static str>,
    findings: &'a [String],
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
}

#[derive(Serialize)]
struct WireCandidate<'a> {
    path: &'a str,
    taken: bool,
    /// Absent where a trigger or a file brought it up.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
    /// The share of what is asked that it has, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<u8>,
    why: String,
    /// Why it was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<String>,
}

pub(crate) fn run(args: &Recall, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let off = place.settings.auto_memory_off().or_else(|| place.settings.recall_off());
    let found = match &off {
        Some(_) => None,
        None => match session.open(&place)? {
            Some(memory) => Some(recall(args, &place, &memory, session)?),
            None => None,
        },
    };
    for bad in found.iter().flat_map(|found| &found.bad_patterns) {
        session.out.warn(&CliError::warning(bad.to_string()));
    }
    let candidates = found.as_ref().map_or(&[][..], |found| &found.candidates);
    let attachments = found.as_ref().map_or(&[][..], |found| &found.attachments);
    let silence = match (&off, &found) {
        (Some(off), _) => Some(off.clone()),
        (None, Some(found)) => found.silence.map(|silence| silence.to_string()),
        (None, None) => Some("there is no memory directory yet".to_owned()),
    };
    let problems: Vec<_> =
        found.iter().flat_map(|found| &found.problems).map(WireProblem::from).collect();
    let basis = found.as_ref().map(|found| &found.basis);
    let exit = if attachments.is_empty() && off.is_none() { Exit::Nothing } else { Exit::Done };
    if args.json {
        let attachments = attachments.iter().map(WireAttachment::from).collect();
        session.out.json(&Wire {
            query: &args.query,
            selector: basis.map_or(Selector::Lexical, choose::selector_of).as_str(),
            basis: basis.map(ToString::to_string),
            attachments,
            candidates: args.explain.then(|| candidates.iter().map(WireCandidate::from).collect()),
            silence,
            problems,
        })?;
        return Ok(exit);
    }
    for (number, attachment) in attachments.iter().enumerate() {
        if number > 0 {
            session.out.line("");
        }
        print(attachment, args.explain, &mut session.out);
    }
    if args.explain {
        print_left_out(candidates, &mut session.out);
    }
    if let Some(basis @ (Basis::Skipped(_) | Basis::Failed(_))) = basis {
        session.out.note(&basis.to_string());
    }
    if let Some(silence) = silence {
        session.out.note(&silence);
    }
    say_problems(&mut session.out, &problems, 0);
    Ok(exit)
}

fn recall(
    args: &Recall,
    place: &Place,
    memory: &LocalMemory,
    session: &mut Session,
) -> Result<Found, CliError> {
    let files = args.files.iter().map(|file| in_project(file, place));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let tools: Vec<_> = args.tools.iter().map(String::as_str).collect();
    let query = Query::new(&args.query).files(&files).tools(&tools);
    let mut found = match choose::model(args.selector, &place.settings)? {
        None => memory.recall_used(&query, args.limit, session.usage(memory))?,
        Some((model, when)) => {
            let draft = memory.draft(&query, args.limit, session.usage(memory))?;
            choose::ask(draft, &query, when, model, memory, session)
        }
    };
    args.checks.verify(&mut found, place, session);
    Ok(found)
}

/// A file as patterns name it: `/`-separated from the project's root. What is elsewhere stays as it is and matches nothing.
fn in_project(file: &Path, place: &Place) -> Result<String, CliError> {
    let file = World::absolute(file)?;
    let within = file.strip_prefix(&place.location.project.folder).unwrap_or(&file);
    let names: Vec<_> = within.iter().map(|name| name.to_string_lossy()).collect();
    Ok(names.join("/"))
}

impl<'a> From<&'a Candidate> for WireCandidate<'a> {
    fn from(candidate: &'a Candidate) -> Self {
        Self {
            path: candidate.path.as_str(),
            taken: candidate.omission.is_none(),
            score: candidate.score,
            coverage: candidate.coverage.map(percent),
            why: candidate.cause.to_string(),
            left_out: candidate.omission.as_ref().map(ToString::to_string),
        }
    }
}

fn percent(share: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 0 to 1"
    )]
    let percent = (share * 100.0) as u8;
    percent
}

/// What was looked at and not taken, with its numbers.
fn print_left_out(candidates: &[Candidate], out: &mut Out) {
    for candidate in candidates {
        let Some(omission) = &candidate.omission else { continue };
        let numbers = candidate.score.zip(candidate.coverage).map(|(score, coverage)| {
            format!(" (score {score:.1}, has {} % of what is asked)", percent(coverage))
        });
        let path = out.paint(Style::Bold, candidate.path.as_str());
        let why = format!("{omission}; {}{}", candidate.cause, numbers.unwrap_or_default());
        let why = out.paint(Style::Dim, &why);
        out.line(&format!("left out: {path}: {why}"));
    }
}

impl<'a> From<&'a Attachment> for WireAttachment<'a> {
    fn from(attachment: &'a Attachment) -> Self {
        Self {
            kind: "relevant_memory",
            path: attachment.path.as_str(),
            memory_type: attachment.memory_type.map(MemoryType::as_str),
            content: &attachment.content,
            is_cut: attachment.is_cut,
            age: age(attachment),
            age_days: attachment.age.map(Age::days),
            freshness_caveat: attachment.freshness_caveat.as_deref(),
            origin: attachment.origin.map(Origin::as_str),
            findings: &attachment.findings,
            why: &attachment.why,
            revision: attachment.revision.as_ref().map(Revision::to_string),
        }
    }
}

fn age(attachment: &Attachment) -> String {
    attachment.age.map_or_else(|| "age unknown".to_owned(), |age| age.to_string())
}

fn print(attachment: &Attachment, explain: bool, out: &mut Out) {
    let kind = attachment.memory_type.map(|kind| format!("[{kind}] ")).unwrap_or_default();
    let path = out.paint(Style::Bold, attachment.path.as_str());
    let age = out.paint(Style::Dim, &format!("({})", age(attachment)));
    out.line(&format!("{kind}{path} {age}"));
    if explain {
        let why = out.paint(Style::Dim, &format!("why: {}", attachment.why));
        out.line(&why);
    }
    let remarks = attachment.freshness_caveat.iter().chain(&attachment.findings);
    for remark in remarks {
        let remark = out.paint(Style::Yellow, remark);
        out.line(&remark);
    }
    out.line("");
    out.text(attachment.content.trim_end());
    out.line("");
}
