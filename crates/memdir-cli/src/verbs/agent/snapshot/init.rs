//! Beginning a memory with a snapshot.

use clap::Args;
use memdir::subagent::{InitError, initialize};
use serde::Serialize;

use crate::agents::{Which, command, no_snapshot, of_files, of_snapshot};
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Begin an agent's memory with its snapshot
///
/// Copies the files in full or not at all, and records which snapshot they are from. Refused where there is a memory.
#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    which: Which,
    /// Print `{"directory", "snapshotTimestamp", "files"}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    directory: &'a str,
    #[serde(rename = "snapshotTimestamp")]
    timestamp: &'a str,
    files: Vec<&'a str>,
}

pub(crate) fn run(args: &Init, session: &mut Session) -> Result<Exit, CliError> {
    let (_, place) = session.agent(&args.which)?;
    let standing = session.standing(&place)?;
    let has_memory = || {
        CliError::refused("the agent has a memory already, which is never written over")
            .at(place.directory().display().to_string())
            .hint(command(&place, "merge", None))
    };
    let snapshot = standing.snapshot.map_err(|error| of_snapshot(&error, &place))?;
    let Some(snapshot) = snapshot else { return Err(no_snapshot(&place)) };
    if !standing.memory.is_empty() {
        return Err(has_memory());
    }
    let store = place.open_or_create(session.store_options())?;
    initialize(&store, &snapshot, &session.attribution()).map_err(|error| match error {
        InitError::Apply(error) => error.into(),
        InitError::Files(error) => of_files(error, &place),
        _ => has_memory(),
    })?;
    session.record_agent(&place, &snapshot.stamp)?;
    let directory = place.directory().display().to_string();
    let files: Vec<_> = snapshot.files.keys().map(AsRef::as_ref).collect();
    let timestamp = snapshot.stamp.as_str();
    if args.json {
        session.out.json(&Wire { directory: &directory, timestamp, files })?;
        return Ok(Exit::Done);
    }
    let line = session.out.escaped(&directory);
    session.out.line(&format!("{} files of the snapshot of {timestamp} in {line}", files.len()));
    Ok(Exit::Done)
}
