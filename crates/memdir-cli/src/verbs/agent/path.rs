//! Where the memory of an agent is.

use clap::Args;
use memdir::subagent::{AgentName, Scope};
use serde::Serialize;

use crate::agents::Which;
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Print the memory directory of an agent
///
/// Creates nothing; the folder appears with the first write. A folder that leads out of the project by a link is refused.
#[derive(Debug, Args)]
pub(crate) struct Path {
    #[command(flatten)]
    which: Which,
    /// Print scope, root, definition and whether it exists as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    name: Option<&'a str>,
    scope: &'static str,
    directory: &'a str,
    exists: bool,
    /// The folder that holds the definition's `.claude`, else the top of the working tree.
    root: String,
    /// The file that defines the agent; null where none was found.
    definition: Option<String>,
    snapshot: String,
}

pub(crate) fn run(args: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let (_, place) = session.agent(&args.which)?;
    let directory = place.directory().display().to_string();
    if !args.json {
        let line = session.out.escaped(&directory);
        session.out.line(&line);
        return Ok(Exit::Done);
    }
    session.out.json(&Wire {
        name: place.name.as_ref().map(AgentName::as_str),
        scope: Scope::as_str(place.scope),
        directory: &directory,
        exists: place.open(session.store_options())?.is_some(),
        root: place.root.display().to_string(),
        definition: place.definition.as_ref().map(|(_, file)| file.display().to_string()),
        snapshot: place.snapshot_directory().display().to_string(),
    })?;
    Ok(Exit::Done)
}
