//! How a memory stands to its snapshot.

use clap::Args;
use memdir::subagent::{Stamp, State};
use serde::Serialize;

use crate::agents::{Which, command, meaning, of_snapshot};
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Say how an agent's memory stands to its snapshot: none, initialize or prompt-update
///
/// none: there is no snapshot, or it was taken in. initialize: there is one and no memory yet. prompt-update: it is newer
/// than what the memory has taken in.
#[derive(Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    which: Which,
    /// Print `{"state", "snapshotTimestamp", "syncedFrom", "directory", "snapshot"}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    state: &'static str,
    #[serde(rename = "snapshotTimestamp")]
    timestamp: Option<&'a str>,
    #[serde(rename = "syncedFrom")]
    synced_from: Option<&'a str>,
    directory: String,
    snapshot: String,
}

pub(crate) fn run(args: &Status, session: &mut Session) -> Result<Exit, CliError> {
    let (_, place) = session.agent(&args.which)?;
    let standing = session.standing(&place)?;
    let status = standing.status().map_err(|error| of_snapshot(error, &place))?;
    let timestamp = status.snapshot.as_ref().map(Stamp::as_str);
    if args.json {
        session.out.json(&Wire {
            state: status.state.as_str(),
            timestamp,
            synced_from: status.synced_from.as_ref().map(Stamp::as_str),
            directory: place.directory().display().to_string(),
            snapshot: place.snapshot_directory().display().to_string(),
        })?;
        return Ok(Exit::Done);
    }
    let of = timestamp.map(|date| format!(" (snapshot of {date})")).unwrap_or_default();
    session.out.line(&format!("{}: {}{of}", status.state, meaning(status.state)));
    let next = match status.state {
        State::Initialize => Some("init"),
        State::PromptUpdate => Some("merge"),
        _ => None,
    };
    if let Some(next) = next {
        session.out.note(&command(&place, next, None));
    }
    Ok(Exit::Done)
}
