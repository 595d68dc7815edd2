//! The `memdir` command.

mod agents;
mod cli;
mod config;
mod env;
mod error;
mod events;
mod explain;
mod hook;
mod install;
mod model;
mod output;
mod place;
mod rules;
mod settings_file;
mod transcripts;
mod verbs;
mod written_beside;

use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

use clap::FromArgMatches;

use crate::cli::Cli;
use crate::env::{Terminal, World};
use crate::error::{CliError, Exit};
use crate::output::{Form, Out};
use crate::place::Session;

fn main() -> ExitCode {
    // Without a handler the system kills the command at a file size limit, and its temporary files stay. With one the
    // write is an error like any other. Where it cannot be registered all is as without it.
    #[cfg(unix)]
    drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()));
    let cli = match hook::asked_for(env::args()).map_or_else(parse, Ok) {
        Ok(cli) => cli,
        Err(exit) => return ExitCode::from(exit as u8),
    };
    let form = cli.verb.form();
    if form == Form::Hook {
        hook::end_quietly_on_panic();
    }
    let world = match World::read(form) {
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

/// Parses the command line; what is wrong with it, or the help that was asked for, is printed.
fn parse() -> Result<Cli, Exit> {
    let parsed = cli::command().try_get_matches().and_then(|found| Cli::from_arg_matches(&found));
    parsed.map_err(|usage| {
        if !usage.use_stderr() {
            // A help text that nobody reads to its end is no failure.
            drop(usage.print());
            return Exit::Done;
        }
        output::usage(&usage.render().to_string());
        // Clients take 2 for an order to stop, and may call hooks that this version does not know.
        let is_hook = env::args().next().is_some_and(|verb| verb == "hook");
        if is_hook { Exit::Done } else { Exit::Usage }
    })
}

fn end(out: &Out, result: Result<Exit, CliError>) -> ExitCode {
    match result {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(error) => {
            out.error(&error);
            let exit = if out.form == Form::Hook { Exit::Done } else { error.exit };
            ExitCode::from(exit as u8)
        }
    }
}
