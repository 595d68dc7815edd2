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

use clap::FromArgMatches;

use crate::cli::Cli;
use crate::env::{Terminal, World};
use crate::error::{CliError, Exit};
use crate::output::Out;
use crate::place::Session;

fn main() -> ExitCode {
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
