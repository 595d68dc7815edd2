//! Entering memdir into a client.

use clap::{Args, Subcommand, ValueEnum};
use diffy::DiffOptions;
use memdir::guard::{redact, secrets};

use crate::config::HOOKS_OFF;
use crate::env::own_command;
use crate::error::{CliError, Exit};
use crate::hook::Moment;
use crate::install::{Call, EMPTY, Entered, Fault, with_hooks, without_hooks};
use crate::place::{Session, typed_path};
use crate::settings_file::{Backup, SettingsFile};

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
/// before lies beside it in `settings.json.before-memdir`, or with a number behind where that name is taken. A second time
/// nothing changes, unless the program has moved. Only a person may do this, since hooks run with each prompt. With --memory-dir or --layout the hooks use that directory or layout.
#[derive(Debug, Args)]
#[command(name = "claude-code")]
struct ClaudeCode {
    /// Print what would be changed, without what looks like a secret, and change nothing
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
    if !args.dry_run {
        session.person_only("change what a client runs with each prompt")?;
        if let Err(error) = file.sweep() {
            session.out.warn(&error);
        }
    }
    if args.remove { remove(&file, args, session) } else { add(&file, args, session) }
}

fn settings_file(scope: Scope, session: &Session) -> Result<SettingsFile, CliError> {
    if scope == Scope::User {
        let dir = session.world.client_folder().ok_or_else(CliError::no_client_folder)?;
        return SettingsFile::find(&dir, "settings.json", None);
    }
    let (_, project) = session.project()?;
    let project = project.folder;
    let name = if scope == Scope::Local { "settings.local.json" } else { "settings.json" };
    SettingsFile::find(&project.join(".claude"), name, Some(&project))
}

fn add(file: &SettingsFile, args: &ClaudeCode, session: &mut Session) -> Result<Exit, CliError> {
    let call = Call { program: own_command()?, options: options(session)? };
    let before = file.read()?;
    let text = before.as_deref().unwrap_or(EMPTY);
    let entered = with_hooks(text, &call).map_err(|fault| told(fault, file))?;
    let after = &entered.text;
    if entered.are_off {
        let warning = CliError::warning("the client runs no hooks, and these neither")
            .at(file.shown())
            .because(format!("`{HOOKS_OFF}` is on"));
        session.out.warn(&warning);
    }
    if before.as_ref() == Some(after) {
        return Ok(say(session, &format!("nothing to do: the hooks are in {}", file.shown())));
    }
    if args.dry_run {
        return Ok(show(session, file, before.as_deref(), after));
    }
    let is_first = entered.added == Moment::ALL;
    let kept = match before.as_deref().filter(|_| is_first) {
        Some(before) => format!("; before them it was as in {}", file.back_up(before)?),
        None => String::new(),
    };
    file.replace(before.as_deref(), after)?;
    Ok(say(session, &format!("{} in {}{kept}", done(&entered), file.shown())))
}

/// The options of this call that hooks need too: their client stands elsewhere.
fn options(session: &Session) -> Result<Vec<String>, CliError> {
    let mut options = Vec::new();
    if let Some(dir) = &session.globals.memory_dir {
        options.extend(["--memory-dir".to_owned(), typed_path(dir)?]);
    }
    if let Some(layout) = session.globals.layout {
        options.extend(["--layout".to_owned(), layout.as_str().to_owned()]);
    }
    Ok(options)
}

fn done(entered: &Entered) -> String {
    let hooks = |moments: &[Moment]| match moments {
        [moment] => format!("the hook {}", moment.event_name()),
        _ => "the hooks".to_owned(),
    };
    let added = (!entered.added.is_empty()).then(|| format!("entered {}", hooks(&entered.added)));
    let changed = (!entered.changed.is_empty())
        .then(|| format!("changed the command of {}", hooks(&entered.changed)));
    added.into_iter().chain(changed).collect::<Vec<_>>().join(" and ")
}

fn remove(file: &SettingsFile, args: &ClaudeCode, session: &mut Session) -> Result<Exit, CliError> {
    let own = own_command()?;
    let nothing = format!("nothing to do: no hook of memdir is in {}", file.shown());
    let Some(before) = file.read()? else { return Ok(say(session, &nothing)) };
    let without = |original: Option<&str>| {
        without_hooks(&before, original, &own).map_err(|fault| told(fault, file))
    };
    if without(None)? == before {
        return Ok(say(session, &nothing));
    }
    let backups = file.backups();
    // Anybody may have made a file of that name; ours is known by what is left being its text.
    let mut ours = None;
    for backup in backups.iter().rev() {
        if without(Some(&backup.text))? == backup.text {
            ours = Some(backup);
            break;
        }
    }
    // Without a backup there was no file, or somebody else made the entries.
    let is_gone = ours.is_none() && without(Some(EMPTY))? == EMPTY;
    let after = match ours.or(backups.last()) {
        _ if is_gone => String::new(),
        original => without(original.map(|backup| &*backup.text))?,
    };
    if args.dry_run {
        return Ok(show(session, file, Some(&before), &after));
    }
    let left = |backup: &Backup| format!("; {} is left as it is", backup.shown());
    if is_gone {
        file.remove(&before)?;
        let left = backups.last().map(left).unwrap_or_default();
        let gone = format!("removed {}, which held nothing else{left}", file.shown());
        return Ok(say(session, &gone));
    }
    file.replace(Some(&before), &after)?;
    let kept = match (ours, backups.last()) {
        (Some(backup), _) => {
            backup.remove()?;
            ", which is as it was before".to_owned()
        }
        (None, last) => last.map(left).unwrap_or_default(),
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
    let patch = options.create_patch(before.unwrap_or_default(), after).to_string();
    // Settings hold keys, and lines beside a change are shown with it.
    session.out.text(&redact(&patch, &secrets(&patch)));
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
