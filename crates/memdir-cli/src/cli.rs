//! The command line: options for all verbs, the verbs, and what the help says.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand};
use memdir::store::location::Layout;

use crate::env::VARIABLES;
use crate::error::{CliError, Exit};
use crate::output::Form;
use crate::place::Session;
use crate::verbs::{
    agent, check, completions, config, context, edit, forget, hook, inbox, init, list, log, man,
    path, prompt, recall, rules, save, scan_text, show, status, transcript, undo, verify, why,
};

const ABOUT: &str =
    "Long-term memory for coding agents: plain Markdown files that you can read, edit and delete";

const EXAMPLES: &str = "\
Examples:
  memdir save --type feedback --name \"Real database in tests\" \\
      --description \"Tests run against Postgres, not mocks\" --body \"Mocks hid a broken migration.\"
  memdir recall \"how do we test against the database?\"
  memdir context \"how do we test against the database?\"    what an agent should be told
  memdir list
  memdir check --fix";

const EXIT_CODES: &str = "\
Exit codes:
  0  done; an empty list is done too
  1  found nothing (recall, show, edit, forget, inbox, rules match), nothing to undo (undo), or findings (check, rules check, verify, scan-text)
  2  wrong usage
  3  refused: a conflict, a pinned memory, something only a person may do
  4  a file, folder or disk failed
  5  another process holds the lock";

/// Long-term memory for coding agents.
#[derive(Debug, Parser)]
#[command(name = "memdir", version, about = ABOUT, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Where the memory is; for every verb.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Which memory")]
pub(crate) struct Globals {
    /// Project whose memory is meant [default: the one around the current folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Memory directory itself, absolute, starting with ~/, or relative to the current folder
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) memory_dir: Option<PathBuf>,
    /// Where memory directories lie by default [default: claude-code]
    #[arg(long, global = true, value_name = "claude-code|memdir", value_parser = layout(), hide_possible_values = true)]
    pub(crate) layout: Option<Layout>,
}

fn layout() -> impl TypedValueParser<Value = Layout> {
    PossibleValuesParser::new([Layout::ClaudeCode, Layout::Memdir].map(Layout::as_str))
        .try_map(|name| Layout::parse(&name).ok_or("no such layout"))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Init(init::Init),
    Path(path::Path),
    List(list::List),
    Show(show::Show),
    Save(save::Save),
    Edit(edit::Edit),
    Forget(forget::Forget),
    Inbox(inbox::Inbox),
    Recall(recall::Recall),
    Prompt(prompt::Prompt),
    Context(context::Context),
    Check(check::Check),
    Verify(verify::Verify),
    ScanText(scan_text::ScanText),
    Status(status::Status),
    Transcript(transcript::Transcript),
    Rules(rules::Rules),
    Agent(agent::Agent),
    Log(log::Log),
    Undo(undo::Undo),
    Why(why::Why),
    Config(config::Config),
    Hook(hook::Hook),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Verb {
    /// `--json` was given.
    pub(crate) fn form(&self) -> Form {
        let json = match self {
            Self::Path(args) => args.json,
            Self::List(args) => args.json,
            Self::Show(args) => args.json,
            Self::Save(args) => args.json,
            Self::Edit(args) => args.json,
            Self::Forget(args) => args.json,
            Self::Inbox(args) => args.json(),
            Self::Recall(args) => args.json,
            Self::Check(args) => args.json,
            Self::Verify(args) => args.json,
            Self::ScanText(args) => args.json,
            Self::Status(args) => args.json,
            Self::Transcript(args) => args.json(),
            Self::Rules(args) => args.json(),
            Self::Agent(args) => args.json(),
            Self::Log(args) => args.json,
            Self::Undo(args) => args.json,
            Self::Why(args) => args.json,
            Self::Config(args) => args.json,
            Self::Prompt(args) => args.json,
            Self::Context(args) => args.json,
            Self::Hook(_) => return Form::Hook,
            Self::Init(_) | Self::Completions(_) | Self::Man(_) => false,
        };
        if json { Form::Json } else { Form::Text }
    }

    pub(crate) fn run(&self, session: &mut Session) -> Result<Exit, CliError> {
        match self {
            Self::Init(args) => init::run(args, session),
            Self::Path(args) => path::run(args, session),
            Self::List(args) => list::run(args, session),
            Self::Show(args) => show::run(args, session),
            Self::Save(args) => save::run(args, session),
            Self::Edit(args) => edit::run(args, session),
            Self::Forget(args) => forget::run(args, session),
            Self::Inbox(args) => inbox::run(args, session),
            Self::Recall(args) => recall::run(args, session),
            Self::Prompt(args) => prompt::run(args, session),
            Self::Context(args) => context::run(args, session),
            Self::Check(args) => check::run(args, session),
            Self::Verify(args) => verify::run(args, session),
            Self::ScanText(args) => scan_text::run(args, session),
            Self::Status(args) => status::run(args, session),
            Self::Transcript(args) => transcript::run(args, session),
            Self::Rules(args) => rules::run(args, session),
            Self::Agent(args) => agent::run(args, session),
            Self::Log(args) => log::run(args, session),
            Self::Undo(args) => undo::run(args, session),
            Self::Why(args) => why::run(args, session),
            Self::Config(args) => config::run(args, session),
            Self::Hook(args) => hook::run(args, session),
            Self::Completions(args) => completions::run(args, session),
            Self::Man(args) => man::run(args, session),
        }
    }
}

/// The command with its long help, as parsed, completed and put into the manual.
pub(crate) fn command() -> clap::Command {
    let mut environment = String::from("Environment:");
    for (name, meaning) in VARIABLES {
        environment.push_str("\n  ");
        environment.push_str(name);
        environment.push_str("\n          ");
        environment.push_str(meaning);
    }
    Cli::command()
        .after_help(format!("{EXAMPLES}\n\n{EXIT_CODES}"))
        .after_long_help(format!("{EXAMPLES}\n\n{EXIT_CODES}\n\n{environment}"))
}
