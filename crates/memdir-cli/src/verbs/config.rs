//! The settings in force, each with its origin.

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::config::{KEYS, Known};
use crate::error::{CliError, Exit};
use crate::output::Style;
use crate::place::Session;

/// Show the settings in force and where each comes from
///
/// memdir reads config.toml, its environment, and of the client's settings files `autoMemoryDirectory` and
/// `autoMemoryEnabled`.
#[derive(Debug, Args)]
#[command(after_help = keys())]
pub(crate) struct Config {
    #[command(subcommand)]
    part: Option<Part>,
    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn keys() -> String {
    let keys = KEYS.map(|(key, meaning)| format!("\n  {key:16}  {meaning}"));
    format!("Keys of config.toml:{}", keys.concat())
}

#[derive(Debug, Clone, Copy, Subcommand)]
enum Part {
    /// Print the path of config.toml, whether it exists or not
    Path,
}

#[derive(Serialize)]
struct Wire {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    file_exists: bool,
    settings: Vec<WireSetting>,
}

#[derive(Serialize)]
struct WireSetting {
    key: &'static str,
    value: serde_json::Value,
    origin: String,
}

pub(crate) fn run(args: &Config, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let settings = &place.settings;
    let file = settings.path.as_ref().map(|path| path.display().to_string());
    match args.part {
        Some(Part::Path) if args.json => session.out.json(&file)?,
        Some(Part::Path) => {
            let file = file.ok_or_else(|| {
                CliError::usage("config.toml has no place")
                    .because("HOME is not set")
                    .hint("set HOME or XDG_CONFIG_HOME")
            })?;
            let line = session.out.escaped(&file);
            session.out.line(&line);
        }
        None => {
            let all = [
                setting("memory_dir", place.directory().into(), &place.directory_origin()),
                known("layout", &settings.layout, |layout| layout.as_str().into()),
                known("per_worktree", &settings.per_worktree, Into::into),
                known("trusted_projects", &settings.trusted_projects, Into::into),
                known("auto_memory", &settings.auto_memory, Into::into),
                known("recall", &settings.recall, Into::into),
            ];
            if args.json {
                let file_exists = settings.file.is_some();
                session.out.json(&Wire { file, file_exists, settings: all.into() })?;
            } else {
                for WireSetting { key, value, origin } in &all {
                    let value = session.out.escaped(&value.to_string());
                    let origin = session.out.paint(Style::Dim, &format!("# {origin}"));
                    session.out.line(&format!("{key} = {value}  {origin}"));
                }
            }
        }
    }
    Ok(Exit::Done)
}

fn known<T: Clone>(
    key: &'static str,
    known: &Known<T>,
    value: impl Fn(T) -> serde_json::Value,
) -> WireSetting {
    setting(key, value(known.value.clone()), &known.origin.to_string())
}

fn setting(key: &'static str, value: serde_json::Value, origin: &str) -> WireSetting {
    WireSetting { key, value, origin: origin.to_owned() }
}
