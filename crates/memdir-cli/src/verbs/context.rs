//! All that an agent is told about one question.

use clap::Args;
use memdir::recall::Query;
use memdir::recall::limits::MAX_ATTACHMENTS;

use crate::error::{CliError, Exit};
use crate::place::Session;

/// Print instructions, index and the memories that help with a question, as one text for an agent
///
/// Each memory comes with its age, a caveat where it is old, and why it was chosen. Creates the memory directory.
/// Prints nothing while `auto_memory` is off, and no memories while `recall` is off.
#[derive(Debug, Args)]
pub(crate) struct Context {
    /// The question or task, in any language
    query: String,
    /// At most this many memories
    #[arg(long, value_name = "N", default_value_t = MAX_ATTACHMENTS)]
    limit: usize,
}

pub(crate) fn run(args: &Context, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    if let Some(off) = place.settings.auto_memory_off() {
        session.out.note(&off);
        return Ok(Exit::Done);
    }
    let memory = session.open_or_create(&place)?;
    let text = match place.settings.recall_off() {
        Some(off) => {
            session.out.note(&off);
            memory.prompt()?
        }
        None => memory.context(&Query::new(&args.query), args.limit)?.text,
    };
    session.out.text(&text);
    Ok(Exit::Done)
}
