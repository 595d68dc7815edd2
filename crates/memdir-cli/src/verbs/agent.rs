//! The memories that agents have for themselves.

mod list;
mod path;
mod prompt;
mod snapshot;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::place::Session;

const OTHER_VERBS: &str = "\
The ordinary verbs work on the memory of an agent where it is named to them:
  dir=$(memdir agent path reviewer) && memdir list --memory-dir \"$dir\"
  dir=$(memdir agent path reviewer) && memdir save --memory-dir \"$dir\" --type feedback …";

/// The memories that agents have for themselves, and snapshots of them
///
/// An agent is found by its definition in `.claude/agents` of the current folder or one above it, else in the user's own.
/// The definition says by `memory: user`, `project` or `local` whom the memory is for.
#[derive(Debug, Args)]
#[command(after_help = OTHER_VERBS)]
pub(crate) struct Agent {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    List(list::List),
    Path(path::Path),
    Prompt(prompt::Prompt),
    Snapshot(snapshot::Snapshot),
}

impl Agent {
    /// `--json` was given.
    pub(crate) fn json(&self) -> bool {
        match &self.part {
            Part::List(args) => args.json,
            Part::Path(args) => args.json,
            Part::Prompt(args) => args.json,
            Part::Snapshot(args) => args.json(),
        }
    }
}

pub(crate) fn run(args: &Agent, session: &mut Session) -> Result<Exit, CliError> {
    match &args.part {
        Part::List(args) => list::run(args, session),
        Part::Path(args) => path::run(args, session),
        Part::Prompt(args) => prompt::run(args, session),
        Part::Snapshot(args) => snapshot::run(args, session),
    }
}
