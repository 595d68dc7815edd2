//! The `memdir` command.

mod cli;
mod config;
mod env;
mod error;
mod explain;
mod output;
mod place;
mod verbs;

use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

use clap::FromArgMatches;

use crate::cli::Cli;
use crate::env::{Terminal, World};
use crate::error::{CliError, Exit};
use crate::output::Out;
use crate::place::Session;

fn main() -> ExitCode {
    // Without a handler the system kills the command at a file size limit, and its temporary files stay. With one the
    // write is an error like any other. Where it cannot be registered all is as without it.
    #[cfg(unix)]
    drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()));
    let cli = match cli::command()
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches))
    {
        Ok(cli) => cli,
        Err(usage) => {
            if usage.use_stderr() {
                output::usage(&usage.render().to_string());
                return ExitCode::from(Exit::Usage as u8);
            }
            // A help text that nobody reads to its end is no failure.
            drop(usage.print());
            return ExitCode::from(Exit::Done as u8);
        }
    };
    let form = cli.verb.form();
    let world = match World::read() {
        Ok(world) => world,
        Err(error) => return end(&Out::new(form, Terminal::default()), Err(error)),
    };
    let out = Out::new(form, world.terminal);
    let mut session = Session::new(world, cli.globals, out);
    let result = cli.verb.run(&mut session);
    let written = session.out.finish();
    let result = written.and(result).map_err(|error| {
        if !error.by_person {
            return error;
        }
        let command = &session.world.command_line;
        error.hint(format!("ask the person to type this in a terminal of their own: {command}"))
    });
    end(&session.out, result)
}

fn end(out: &Out, result: Result<Exit, CliError>) -> ExitCode {
    match result {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            out.error(&error);
            ExitCode::from(error.exit as u8)
        }
    }
}
