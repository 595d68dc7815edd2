//! The offer to merge, and saying what became of it.

use clap::Args;
use memdir::core::MemPath;
use memdir::subagent::{Differences, Offer, Place, Snapshot, State, merge_offer};
use serde::Serialize;

use crate::agents::{Standing, Which, command, meaning, no_snapshot, of_snapshot};
use crate::env::quoted;
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Print what an agent is told about a newer snapshot, so that it merges; or say what became of it
///
/// Changes no memory. Where there is nothing to merge it prints nothing.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    #[command(flatten)]
    which: Which,
    /// The snapshot was merged: do not offer it again
    #[arg(long, group = "outcome")]
    done: bool,
    /// The snapshot is not wanted: do not offer it again
    #[arg(long, group = "outcome")]
    dismiss: bool,
    /// Only if the snapshot is of this date, as the offer says it
    #[arg(long, value_name = "DATE", requires = "outcome")]
    of: Option<String>,
    /// Print `{"state", "snapshotTimestamp", "new", "changed", "own", "offer"}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    state: &'static str,
    #[serde(rename = "snapshotTimestamp")]
    timestamp: Option<&'a str>,
    /// Only in the snapshot.
    new: Vec<&'a str>,
    /// In both, with another content.
    changed: Vec<&'a str>,
    /// Only in the memory.
    own: Vec<&'a str>,
    /// Null where there is nothing to merge.
    offer: Option<String>,
}

pub(crate) fn run(args: &Merge, session: &mut Session) -> Result<Exit, CliError> {
    let (_, place) = session.agent(&args.which)?;
    let standing = session.standing(&place)?;
    let status = standing.status().map_err(|error| of_snapshot(error, &place))?;
    let snapshot = standing.snapshot.as_ref().ok().and_then(Option::as_ref);
    if status.state == State::Initialize {
        return Err(CliError::refused("the agent has no memory to merge into")
            .at(place.directory().display().to_string())
            .hint(command(&place, "init", None)));
    }
    if args.done || args.dismiss {
        let snapshot = snapshot.ok_or_else(|| no_snapshot(&place))?;
        return settle(snapshot, &place, args, session);
    }
    let differences = snapshot.map(|snapshot| Differences::between(&standing.memory, snapshot));
    let is_due = status.state == State::PromptUpdate;
    let offer = snapshot.zip(differences.as_ref()).filter(|_| is_due);
    let offer = offer.map(|(snapshot, differences)| offered(snapshot, differences, &place));
    if args.json {
        return wire(&standing, status.state, differences.as_ref(), offer, session);
    }
    match offer {
        Some(offer) => session.out.text(&offer),
        None => session.out.note(meaning(status.state)),
    }
    Ok(Exit::Done)
}

fn wire(
    standing: &Standing,
    state: State,
    differences: Option<&Differences>,
    offer: Option<String>,
    session: &mut Session,
) -> Result<Exit, CliError> {
    let names = |of: fn(&Differences) -> &Vec<MemPath>| {
        differences.iter().flat_map(|all| of(all)).map(MemPath::as_str).collect()
    };
    let snapshot = standing.snapshot.as_ref().ok().and_then(Option::as_ref);
    session.out.json(&Wire {
        state: state.as_str(),
        timestamp: snapshot.map(|snapshot| snapshot.stamp.as_str()),
        new: names(|all| &all.new),
        changed: names(|all| &all.changed),
        own: names(|all| &all.own),
        offer,
    })?;
    Ok(Exit::Done)
}

fn offered(snapshot: &Snapshot, differences: &Differences, place: &Place) -> String {
    let stamp = snapshot.stamp.as_str();
    let with_date =
        |option: &str| command(place, "merge", Some(&format!("--{option} --of {}", quoted(stamp))));
    merge_offer(&Offer {
        directory: &place.directory().display().to_string(),
        snapshot_directory: &place.snapshot_directory().display().to_string(),
        stamp,
        differences,
        done: &with_date("done"),
        dismiss: &with_date("dismiss"),
    })
}

/// Records that the snapshot is not to be offered again; one that was saved meanwhile is.
fn settle(
    snapshot: &Snapshot,
    place: &Place,
    args: &Merge,
    session: &mut Session,
) -> Result<Exit, CliError> {
    let stamp = snapshot.stamp.as_str();
    if let Some(date) = args.of.as_deref().filter(|date| *date != stamp) {
        return Err(CliError::refused(format!("the snapshot is of {stamp}, not of {date}"))
            .because("a newer one was saved meanwhile")
            .hint(command(place, "merge", None)));
    }
    session.record_agent(place, &snapshot.stamp)?;
    if args.json {
        return session
            .out
            .json(&serde_json::json!({"state": State::None.as_str(), "snapshotTimestamp": stamp, "syncedFrom": stamp}))
            .map(|()| Exit::Done);
    }
    let what = if args.done { "merged" } else { "dismissed" };
    session.out.line(&format!("the snapshot of {stamp} is {what}"));
    Ok(Exit::Done)
}
