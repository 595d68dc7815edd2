//! Snapshots of an agent's memory, which a team keeps under version control.

mod init;
mod merge;
mod save;
mod status;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::place::Session;

/// Share the memory of an agent by a snapshot under version control
///
/// A snapshot lies in `.claude/agent-memory-snapshots` of the project. Whoever has no memory yet begins with it; a newer
/// one becomes an offer to merge. It is never written over a memory.
#[derive(Debug, Args)]
pub(crate) struct Snapshot {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    Status(status::Status),
    Init(init::Init),
    Save(save::Save),
    Merge(merge::Merge),
}

impl Snapshot {
    /// `--json` was given.
    pub(crate) fn json(&self) -> bool {
        match &self.part {
            Part::Status(args) => args.json,
            Part::Init(args) => args.json,
            Part::Save(args) => args.json,
            Part::Merge(args) => args.json,
        }
    }
}

pub(crate) fn run(args: &Snapshot, session: &mut Session) -> Result<Exit, CliError> {
    match &args.part {
        Part::Status(args) => status::run(args, session),
        Part::Init(args) => init::run(args, session),
        Part::Save(args) => save::run(args, session),
        Part::Merge(args) => merge::run(args, session),
    }
}
