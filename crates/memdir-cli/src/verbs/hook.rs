//! The entry for clients.

use clap::Args;

use crate::error::{CliError, Exit};
use crate::hook::{self, Moment};
use crate::place::Session;

/// Answer a client that calls a hook; the input is JSON on stdin
///
/// `memdir init claude-code` enters it into the client's settings. It ends with 0 and prints JSON, or nothing where there is
/// nothing to say or something is in the way; `memdir why` tells what that was. Other than `memdir context` it does not look
/// up in the project what memories name, as that reads files with every prompt.
#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// What happened in the client
    #[arg(value_enum)]
    pub(crate) moment: Moment,
}

pub(crate) fn run(args: &Hook, session: &mut Session) -> Result<Exit, CliError> {
    hook::answer(args.moment, session)?;
    Ok(Exit::Done)
}
