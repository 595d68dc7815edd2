//! The memories that help with a question.

use clap::Args;
use memdir::core::MemoryType;
use memdir::core::age::Age;
use memdir::core::frontmatter::Origin;
use memdir::recall::limits::MAX_ATTACHMENTS;
use memdir::recall::{Attachment, Query};
use memdir::store::Revision;
use serde::Serialize;

use super::list::{WireProblem, say_problems};
use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::Session;

/// Find the memories that help with a question, or none
///
/// Needs no key and no network. Exits with 1 when nothing fits, and says on stderr why. Finds nothing while `auto_memory` or
/// `recall` is off, and exits with 0 then.
#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// The question or task, in any language
    query: String,
    /// At most this many memories
    #[arg(long, value_name = "N", default_value_t = MAX_ATTACHMENTS)]
    limit: usize,
    /// Say why each was chosen
    #[arg(long)]
    explain: bool,
    /// Print `{"query", "selector", "attachments": […]}`
    #[arg(long)]
    pub(crate) json: bool,
}

/// What selects; there is one so far.
pub(super) const SELECTOR: &str = "lexical";

#[derive(Serialize)]
struct Wire<'a> {
    query: &'a str,
    selector: &'static str,
    attachments: Vec<WireAttachment<'a>>,
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

pub(crate) fn run(args: &Recall, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let off = place.settings.auto_memory_off().or_else(|| place.settings.recall_off());
    let found = match &off {
        Some(_) => None,
        None => session
            .open(&place)?
            .map(|memory| memory.recall(&Query::new(&args.query), args.limit))
            .transpose()?,
    };
    let attachments = found.as_ref().map_or(&[][..], |found| &found.attachments);
    let silence = match (&off, &found) {
        (Some(off), _) => Some(off.clone()),
        (None, Some(found)) => found.silence.map(|silence| silence.to_string()),
        (None, None) => Some("there is no memory directory yet".to_owned()),
    };
    let problems: Vec<_> =
        found.iter().flat_map(|found| &found.problems).map(WireProblem::from).collect();
    let exit = if attachments.is_empty() && off.is_none() { Exit::Nothing } else { Exit::Done };
    if args.json {
        let attachments = attachments.iter().map(WireAttachment::from).collect();
        session.out.json(&Wire {
            query: &args.query,
            selector: SELECTOR,
            attachments,
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
    if let Some(silence) = silence {
        session.out.note(&silence);
    }
    say_problems(&mut session.out, &problems, 0);
    Ok(exit)
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
