//! Making a memory the snapshot.

use clap::Args;
use memdir::core::frontmatter::decode;
use memdir::guard::secrets;
use memdir::subagent::{Files, Place, SaveError, Saved, Scope, State, save};
use serde::Serialize;

use crate::agents::{Standing, Which, command, of_files, of_snapshot};
use crate::error::{CliError, Exit, chain};
use crate::place::Session;

/// Make an agent's memory its snapshot
///
/// The snapshot before is replaced as a whole or not at all; equal files change nothing, so that version control sees no
/// change. Refused where the snapshot holds what the memory has not taken in, and where a file seems to hold a secret.
#[derive(Debug, Args)]
pub(crate) struct Save {
    #[command(flatten)]
    which: Which,
    /// Save all the same; for a person only
    #[arg(long)]
    force: bool,
    /// Print `{"snapshot", "snapshotTimestamp", "changed", "files", "removed"}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    snapshot: &'a str,
    #[serde(rename = "snapshotTimestamp")]
    timestamp: &'a str,
    changed: bool,
    files: usize,
    removed: usize,
}

pub(crate) fn run(args: &Save, session: &mut Session) -> Result<Exit, CliError> {
    let (_, place) = session.agent(&args.which)?;
    if place.scope != Scope::Project {
        session.person_only("share a memory that is one person's with a project")?;
    }
    let standing = session.standing(&place)?;
    if args.force {
        session
            .person_only("save over what the memory has not taken in, or what seems a secret")?;
    } else {
        refuse_newer(&standing, &place)?;
        refuse_secrets(&standing.memory, &place)?;
    }
    for skipped in &standing.memory.skipped {
        let warning = CliError::warning("what is no memory was not saved");
        session.out.warn(&warning.at(skipped.raw_name.clone()).because(skipped.reason.to_string()));
    }
    if standing.memory.files.is_empty() {
        return Err(nothing(&place));
    }
    let store = place.open_or_create_snapshot(session.store_options())?;
    let saved = save(&store, &standing.memory, session.world.now(), &session.attribution())
        .map_err(|error| match error {
            SaveError::Apply(error) => error.into(),
            SaveError::Files(error) => of_files(error, &place),
            SaveError::Snapshot(error) => of_snapshot(&error, &place),
            _ => nothing(&place),
        })?;
    session.record_agent(&place, saved.stamp())?;
    let directory = place.snapshot_directory().display().to_string();
    let (changed, files, removed) = match saved {
        Saved::Written { files, removed, .. } => (true, files, removed),
        _ => (false, standing.memory.files.len(), 0),
    };
    let timestamp = saved.stamp().as_str();
    if args.json {
        session.out.json(&Wire { snapshot: &directory, timestamp, changed, files, removed })?;
        return Ok(Exit::Done);
    }
    let line = session.out.escaped(&directory);
    session.out.line(&if changed {
        format!("snapshot of {timestamp} with {files} files in {line}")
    } else {
        format!("the snapshot of {timestamp} in {line} holds these files already")
    });
    Ok(Exit::Done)
}

fn nothing(place: &Place) -> CliError {
    CliError::new(Exit::Nothing, "the agent has no memory to save")
        .at(place.directory().display().to_string())
}

/// What others saved would be gone.
fn refuse_newer(standing: &Standing, place: &Place) -> Result<(), CliError> {
    let at = place.snapshot_directory().display().to_string();
    let force = command(place, "save", Some("--force"));
    match (&standing.snapshot, standing.status()) {
        (_, Err(error)) => Err(CliError::refused("the snapshot that is there cannot be read")
            .at(at)
            .because(chain(error))
            .hint(format!("to replace it: {force}"))),
        (Ok(Some(snapshot)), Ok(status))
            if status.state == State::PromptUpdate && snapshot.files != standing.memory.files =>
        {
            Err(CliError::refused("the snapshot holds what the memory has not taken in")
                .at(at)
                .hint(command(place, "merge", None))
                .hint(format!("to replace it: {force}")))
        }
        _ => Ok(()),
    }
}

/// What goes under version control stays there.
fn refuse_secrets(memory: &Files, place: &Place) -> Result<(), CliError> {
    let found = memory.files.iter().flat_map(|(path, bytes)| {
        let text = decode(bytes).0;
        let lines = secrets(&text).into_iter();
        lines
            .map(move |finding| format!("{path}:{}: {}", finding.line, finding.kind.rule()))
            .collect::<Vec<_>>()
    });
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return Ok(());
    }
    let error = CliError::refused("the memory seems to hold secrets, which a snapshot would share")
        .at(place.directory().display().to_string());
    let error = found.iter().fold(error, |error, line| error.item(line));
    Err(error
        .hint("take them out of the memory")
        .hint(format!("where they are none: {}", command(place, "save", Some("--force")))))
}
