//! Completion scripts for shells.

use clap::Args;
use clap_complete::Shell;

use crate::cli;
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

#[expect(clippy::unnecessary_wraps, reason = "the signature that all verbs share")]
pub(crate) fn run(args: &Completions, session: &mut Session) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "memdir", &mut script);
    session.out.raw(&script);
    Ok(Exit::Done)
}
