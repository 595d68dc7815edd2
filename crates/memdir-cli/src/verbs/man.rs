//! Manual pages from the same definitions as the help.

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man as Page;

use crate::cli;
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Print the manual page, or write one page for each verb into a folder
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write memdir.1, memdir-save.1 and so on into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Man, session: &mut Session) -> Result<Exit, CliError> {
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        Page::new(cli::command())
            .render(&mut page)
            .map_err(|error| CliError::io("the page cannot be made", &error))?;
        session.out.raw(&page);
        return Ok(Exit::Done);
    };
    clap_mangen::generate_to(cli::command(), dir).map_err(|error| {
        CliError::io("the pages cannot be written", &error)
            .at(dir.display().to_string())
            .hint("create the folder first")
    })?;
    Ok(Exit::Done)
}
