//! Instructions and index, together or apart.

use clap::Args;

use crate::error::{CliError, Exit};
use crate::place::Session;

/// Print what an agent is told about its memory: instructions and index
///
/// Creates the memory directory, since the text says that it exists. Prints nothing while `auto_memory` is off.
#[derive(Debug, Args)]
pub(crate) struct Prompt {
    /// Only the instructions
    #[arg(long, conflicts_with = "index")]
    instructions: bool,
    /// Only the index
    #[arg(long)]
    index: bool,
}

pub(crate) fn run(args: &Prompt, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    if let Some(off) = place.settings.auto_memory_off() {
        session.out.note(&off);
        return Ok(Exit::Done);
    }
    let memory = session.open_or_create(&place)?;
    if !args.index {
        let text = memory.instructions();
        session.out.text(&text);
    }
    if !args.instructions {
        if !args.index {
            session.out.line("");
        }
        let text = memory.index()?;
        session.out.text(&text);
    }
    Ok(Exit::Done)
}
