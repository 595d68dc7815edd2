//! Instructions and index, together or apart.

use clap::Args;
use serde::Serialize;

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
    /// Print `{"directory", "instructions", "index"}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    directory: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<String>,
    /// Why there is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    silence: Option<String>,
}

pub(crate) fn run(args: &Prompt, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let mut wire = Wire {
        directory: place.directory(),
        instructions: None,
        index: None,
        silence: place.settings.auto_memory_off(),
    };
    if wire.silence.is_none() {
        let memory = session.open_or_create(&place)?;
        wire.instructions = (!args.index).then(|| memory.instructions());
        if !args.instructions {
            let told = memory.index();
            session.warn_of_index(told.index_fault.as_deref());
            wire.index = Some(told.text);
        }
    }
    if args.json {
        session.out.json(&wire)?;
        return Ok(Exit::Done);
    }
    for (number, section) in wire.instructions.iter().chain(&wire.index).enumerate() {
        if number > 0 {
            session.out.line("");
        }
        session.out.text(section);
    }
    if let Some(silence) = wire.silence {
        session.out.note(&silence);
    }
    Ok(Exit::Done)
}
