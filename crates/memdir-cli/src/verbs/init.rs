//! Entering memdir into a client.

use clap::{Args, Subcommand, ValueEnum};
use diffy::DiffOptions;
use memdir::store::location;

use crate::env::{World, own_command};
use crate::error::{CliError, Exit};
use crate::install::{EMPTY, Fault, has_hooks, with_hooks, without_hooks};
use crate::place::Session;
use crate::settings_file::SettingsFile;

/// Let a client use memdir, or no longer
#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(subcommand)]
    client: Client,
}

#[derive(Debug, Subcommand)]
enum Client {
    ClaudeCode(ClaudeCode),
}

/// Enter memdir's hooks into the settings of Claude Code
///
/// From then on a prompt gets the memories that help with it. Every other byte of the file stays as it is, and what it was
/// before lies beside it in `settings.json.before-memdir`. A second time nothing changes, unless the program has moved.
#[derive(Debug, Args)]
#[command(name = "claude-code")]
struct ClaudeCode {
    /// Print what would be changed, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Take the hooks out again, and with them what was made for them
    #[arg(long)]
    remove: bool,
    /// Which of the client's settings files
    #[arg(long, value_enum, default_value_t = Scope::User)]
    scope: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// All projects of this user: settings.json in ~/.claude
    User,
    /// Everybody who works on this project: .claude/settings.json
    Project,
    /// This user in this project: .claude/settings.local.json
    Local,
}

pub(crate) fn run(args: &Init, session: &mut Session) -> Result<Exit, CliError> {
    let Client::ClaudeCode(args) = &args.client;
    let file = settings_file(args.scope, session)?;
    if args.remove { remove(&file, args, session) } else { add(&file, args, session) }
}

fn settings_file(scope: Scope, session: &Session) -> Result<SettingsFile, CliError> {
    let world = &session.world;
    if scope == Scope::User {
        let dir = world.client_folder().ok_or_else(CliError::no_client_folder)?;
        return SettingsFile::find(&dir, "settings.json", None);
    }
    let cwd = session.globals.project.clone().map_or_else(World::current_dir, Ok)?;
    let project = location::discover(&World::current_dir()?.join(cwd))?.folder;
    let name = if scope == Scope::Local { "settings.local.json" } else { "settings.json" };
    SettingsFile::find(&project.join(".claude"), name, Some(&project))
}

fn add(file: &SettingsFile, args: &ClaudeCode, session: &mut Session) -> Result<Exit, CliError> {
    let command = own_command()?;
    let before = file.read()?;
    let text = before.as_deref().unwrap_or(EMPTY);
    let after = with_hooks(text, &command).map_err(|fault| told(fault, file))?;
    if before.as_deref() == Some(&after) {
        return Ok(say(session, &format!("nothing to do: the hooks are in {}", file.shown())));
    }
    if args.dry_run {
        return Ok(show(session, file, before.as_deref(), &after));
    }
    let had_ours = has_hooks(text).map_err(|fault| told(fault, file))?;
    if let Some(before) = before.as_deref().filter(|_| !had_ours) {
        file.back_up(before)?;
    }
    file.replace(before.as_deref(), &after)?;
    let done = if had_ours { "changed the path of the hooks" } else { "entered the hooks" };
    let kept = match before {
        Some(_) => format!("; before them it was as in {}", file.backup_shown()),
        None => String::new(),
    };
    Ok(say(session, &format!("{done} in {}{kept}", file.shown())))
}

fn remove(file: &SettingsFile, args: &ClaudeCode, session: &mut Session) -> Result<Exit, CliError> {
    let nothing = format!("nothing to do: no hook of memdir is in {}", file.shown());
    let Some(before) = file.read()? else { return Ok(say(session, &nothing)) };
    let backup = file.read_backup()?;
    let original = backup.as_deref().unwrap_or(EMPTY);
    // Without a backup there was no file, or somebody else made the entries.
    let as_created = without_hooks(&before, Some(original)).map_err(|fault| told(fault, file))?;
    let after = if backup.is_none() && as_created != EMPTY {
        without_hooks(&before, None).map_err(|fault| told(fault, file))?
    } else {
        as_created
    };
    if after == before {
        return Ok(say(session, &nothing));
    }
    let is_gone = backup.is_none() && after == EMPTY;
    if args.dry_run {
        return Ok(show(session, file, Some(&before), if is_gone { "" } else { &after }));
    }
    if is_gone {
        file.remove(&before)?;
        return Ok(say(session, &format!("removed {}, which held nothing else", file.shown())));
    }
    file.replace(Some(&before), &after)?;
    let kept = match &backup {
        Some(backup) if *backup == after => {
            file.remove_backup()?;
            ", which is as it was before".to_owned()
        }
        Some(_) => format!("; before them it was as in {}", file.backup_shown()),
        None => String::new(),
    };
    Ok(say(session, &format!("took the hooks out of {}{kept}", file.shown())))
}

fn say(session: &mut Session, text: &str) -> Exit {
    let line = session.out.escaped(text);
    session.out.line(&line);
    Exit::Done
}

fn show(session: &mut Session, file: &SettingsFile, before: Option<&str>, after: &str) -> Exit {
    let mut options = DiffOptions::new();
    options.set_original_filename(file.shown()).set_modified_filename(file.shown());
    let patch = options.create_patch(before.unwrap_or_default(), after);
    session.out.text(&patch.to_string());
    Exit::Done
}

fn told(fault: Fault, file: &SettingsFile) -> CliError {
    let error = match fault {
        Fault::NotJson(error) => {
            CliError::refused("the settings are not JSON, so they are left as they are")
                .because(error.to_string())
        }
        Fault::Shape { place, wanted } if place.is_empty() => CliError::refused(format!(
            "the settings are not {wanted}, so they are left as they are"
        )),
        Fault::Shape { place, wanted } => CliError::refused(format!(
            "`{place}` is not {wanted}, so the settings are left as they are"
        )),
    };
    error.at(file.shown()).hint("mend the file; the client does not understand it either")
}
