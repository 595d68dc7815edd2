//! All that an agent is told about one question.

use clap::Args;
use memdir::recall::Query;
use memdir::recall::limits::MAX_ATTACHMENTS;
use memdir::rules::render;
use serde::Serialize;

use super::recall::WireAttachment;
use super::verify::Checks;
use crate::config::Selector;
use crate::error::{CliError, Exit};
use crate::place::Session;
use crate::rules::Which;

/// Print instructions, index and the memories that help with a question, as one text for an agent
///
/// Each memory comes with its age, a caveat where it is old, what it names that the project no longer has, and why it was
/// chosen. Creates the memory directory.
/// Prints nothing while `auto_memory` is off, and no memories while `recall` is off.
#[derive(Debug, Args)]
pub(crate) struct Context {
    /// The question or task, in any language
    query: String,
    /// At most this many memories
    #[arg(long, value_name = "N", default_value_t = MAX_ATTACHMENTS)]
    limit: usize,
    /// Begin with the rules that people wrote, as `memdir rules show` prints them
    #[arg(long)]
    rules: bool,
    #[command(flatten)]
    checks: Checks,
    /// Print `{"query", "text", "selector", "attachments": […]}`; the text holds the attachments already
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    query: &'a str,
    text: &'a str,
    selector: &'static str,
    attachments: Vec<WireAttachment<'a>>,
    /// Why there is no attachment.
    #[serde(skip_serializing_if = "Option::is_none")]
    silence: Option<String>,
}

pub(crate) fn run(args: &Context, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let (mut text, mut recall) = (String::new(), None);
    let mut silence = place.settings.auto_memory_off();
    let is_off = silence.is_some();
    if !is_off {
        let memory = session.open_or_create(&place)?;
        silence = place.settings.recall_off();
        if silence.is_some() {
            let told = memory.prompt();
            text = told.text;
            session.warn_of_index(told.index_fault.as_deref());
        } else {
            let usage = session.usage(&memory);
            let mut found = memory.recall_used(&Query::new(&args.query), args.limit, usage)?;
            args.checks.verify(&mut found, &place, session);
            let context = memory.context_with(found);
            silence = context.recall.silence.map(|silence| silence.to_string());
            text = context.text;
            session.warn_of_index(context.index_fault.as_deref());
            recall = Some(context.recall);
        }
    }
    if args.rules {
        text = with_rules(&text, session)?;
    }
    if args.json {
        let attachments = recall.iter().flat_map(|recall| &recall.attachments);
        session.out.json(&Wire {
            query: &args.query,
            text: &text,
            selector: Selector::Lexical.as_str(),
            attachments: attachments.map(WireAttachment::from).collect(),
            silence,
        })?;
        return Ok(Exit::Done);
    }
    session.out.text(&text);
    // That nothing fits is an answer; that something is switched off is news.
    if let Some(off) = silence.filter(|_| recall.is_none()) {
        session.out.note(&off);
    }
    Ok(Exit::Done)
}

/// Puts the rules that a conversation begins with before a text.
fn with_rules(text: &str, session: &mut Session) -> Result<String, CliError> {
    let Some(mut rules) = session.rules(&Which::default())? else { return Ok(text.to_owned()) };
    let loaded = rules.start();
    session.say_rules(&loaded);
    let rules = render(&loaded.fragments);
    let gap = if rules.is_empty() || text.is_empty() { "" } else { "\n" };
    Ok(format!("{rules}{gap}{text}"))
}
