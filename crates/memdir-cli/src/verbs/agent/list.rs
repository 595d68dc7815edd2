//! All agents with a memory, and all memories of agents.

use clap::Args;
use memdir::subagent::{AgentName, Place, Stamp, State, Unread};
use serde::Serialize;

use crate::agents::of_snapshot;
use crate::error::{CliError, Exit};
use crate::output::{Align, Style, Table};
use crate::place::Session;

/// List agents that are defined with a memory, and memories that are there without a definition
///
/// Says of each whom it is for, how many memories there are, and how it stands to its snapshot.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print `{"agents": […], "problems": […]}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    agents: Vec<WireAgent>,
    problems: Vec<WireProblem>,
}

#[derive(Serialize)]
struct WireAgent {
    /// Null where the folder does not tell it.
    name: Option<String>,
    folder: String,
    scope: &'static str,
    directory: String,
    exists: bool,
    memories: usize,
    definition: Option<String>,
    /// `none`, `initialize` or `prompt-update`; null where the snapshot cannot be used.
    state: Option<&'static str>,
    #[serde(rename = "snapshotTimestamp")]
    timestamp: Option<String>,
    #[serde(rename = "syncedFrom")]
    synced_from: Option<String>,
}

#[derive(Serialize)]
struct WireProblem {
    path: String,
    reason: String,
}

pub(crate) fn run(args: &List, session: &mut Session) -> Result<Exit, CliError> {
    let around = session.agents()?;
    let (places, unread) = around.agents.list();
    session.warn_of_unread(&unread);
    let all = around.agents.unread().iter().chain(&unread);
    let problem = |Unread { path, reason, .. }: &Unread| WireProblem {
        path: path.display().to_string(),
        reason: reason.clone(),
    };
    let mut wire = Wire { agents: Vec::new(), problems: all.map(problem).collect() };
    for place in &places {
        match agent(place, session) {
            Ok((agent, problem)) => {
                wire.agents.push(agent);
                wire.problems.extend(problem);
            }
            Err(error) => {
                let path = place.directory().display().to_string();
                wire.problems.push(WireProblem { path, reason: error.what().to_owned() });
                session.out.warn(&error);
            }
        }
    }
    if args.json {
        session.out.json(&wire)?;
        return Ok(Exit::Done);
    }
    let columns = [
        (Align::Left, Style::Bold),
        (Align::Left, Style::Plain),
        (Align::Right, Style::Dim),
        (Align::Left, Style::Plain),
        (Align::Left, Style::Dim),
    ];
    let mut table = Table::new(columns);
    for agent in &wire.agents {
        let memories = if agent.memories == 1 { "memory" } else { "memories" };
        table.row([
            agent.name.as_deref().unwrap_or(&agent.folder),
            agent.scope,
            &format!("{} {memories}", agent.memories),
            agent.state.unwrap_or("unusable"),
            &agent.directory,
        ]);
    }
    table.print(&mut session.out);
    if wire.agents.is_empty() {
        session.out.note("no agent is defined with a memory here, and none has one");
    }
    Ok(Exit::Done)
}

fn agent(
    place: &Place,
    session: &mut Session,
) -> Result<(WireAgent, Option<WireProblem>), CliError> {
    let standing = session.standing(place)?;
    let mut problem = None;
    let status = match standing.status() {
        Ok(status) => Some(status),
        Err(error) => {
            let warning = of_snapshot(error, place);
            problem = Some(WireProblem {
                path: place.snapshot_directory().display().to_string(),
                reason: crate::error::chain(error),
            });
            session.out.warn(&warning);
            None
        }
    };
    let text = |stamp: &Stamp| stamp.as_str().to_owned();
    let agent = WireAgent {
        name: place.name.as_ref().map(|name| AgentName::as_str(name).to_owned()),
        folder: place.folder.clone(),
        scope: place.scope.as_str(),
        directory: place.directory().display().to_string(),
        exists: place.open(session.store_options())?.is_some(),
        memories: standing.memory.memories(),
        definition: place.definition.as_ref().map(|(_, file)| file.display().to_string()),
        state: status.as_ref().map(|status| State::as_str(status.state)),
        timestamp: status.as_ref().and_then(|status| status.snapshot.as_ref().map(text)),
        synced_from: standing.synced_from.as_ref().map(text),
    };
    Ok((agent, problem))
}
