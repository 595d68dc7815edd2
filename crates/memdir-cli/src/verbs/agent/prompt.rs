//! What an agent is told about its own memory.

use clap::Args;
use memdir::core::MemPath;
use memdir::core::frontmatter::decode;
use memdir::store::ReadStore;
use memdir::subagent;
use serde::Serialize;

use crate::agents::Which;
use crate::error::{CliError, Exit, chain};
use crate::place::Session;

/// Print what an agent is told about its own memory: instructions, whom it is for, and its index
///
/// Creates nothing. Prints nothing while `auto_memory` is off.
#[derive(Debug, Args)]
pub(crate) struct Prompt {
    #[command(flatten)]
    which: Which,
    /// Print `{"directory", "scope", "prompt"}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    directory: String,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    silence: Option<String>,
}

pub(crate) fn run(args: &Prompt, session: &mut Session) -> Result<Exit, CliError> {
    let (around, place) = session.agent(&args.which)?;
    let mut wire = Wire {
        directory: place.directory().display().to_string(),
        scope: place.scope.as_str(),
        prompt: None,
        silence: around.settings.auto_memory_off(),
    };
    if wire.silence.is_none() {
        let store = place.open(session.store_options())?;
        let index = store.map(|store| store.read(&MemPath::index())).transpose();
        session.warn_of_index(index.as_ref().err());
        let index = index.map(Option::flatten).map_err(|error| chain(&error));
        let index = index.map(|bytes| decode(&bytes.unwrap_or_default()).0.into_owned());
        wire.prompt = Some(subagent::prompt(&subagent::Prompt {
            directory: &wire.directory,
            scope: place.scope,
            index: index.as_deref().map_err(String::as_str),
        }));
    }
    if args.json {
        session.out.json(&wire)?;
        return Ok(Exit::Done);
    }
    if let Some(prompt) = &wire.prompt {
        session.out.text(prompt);
    }
    if let Some(silence) = wire.silence {
        session.out.note(&silence);
    }
    Ok(Exit::Done)
}
