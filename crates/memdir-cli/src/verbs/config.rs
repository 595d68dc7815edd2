//! The settings in force, each with its origin.

mod check;

use clap::{Args, Subcommand};
use memdir_model::budget::Price;
use serde::Serialize;

use crate::config::{BUDGET_KEYS, KEYS, KeySource, Known, MODEL_KEYS, ModelSettings, Reach};
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
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

fn keys() -> String {
    let table = |title: &str, keys: &[(&str, &str)]| {
        let lines = keys.iter().map(|(key, meaning)| format!("\n  {key:16}  {meaning}"));
        lines.fold(title.to_owned(), |table, line| table + &line)
    };
    let tables = [
        table("Keys of config.toml:", &KEYS),
        table("Keys of its table [model]:", &MODEL_KEYS),
        table("Keys of its table [budget]:", &BUDGET_KEYS),
    ];
    tables.join("\n\n")
}

#[derive(Debug, Clone, Copy, Subcommand)]
enum Part {
    /// Print the path of config.toml, whether it exists or not
    Path,
    /// Ask the model one small question and say what works
    ///
    /// Needs a model in config.toml. The question counts in the budget. Exits with 0 when it was answered, 2 when settings
    /// are wrong or missing, 3 when the budget is spent or the model refuses, and 4 when there is no answer.
    Check,
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
        Some(Part::Check) => return check::run(&place.settings, session),
        None => {
            let mut all = vec![
                setting("memory_dir", place.directory().into(), &place.directory_origin()),
                known("layout", &settings.layout, |layout| layout.as_str().into()),
                known("per_worktree", &settings.per_worktree, Into::into),
                known("trusted_projects", &settings.trusted_projects, Into::into),
                known("auto_memory", &settings.auto_memory, Into::into),
                known("recall", &settings.recall, Into::into),
                known("selector", &settings.selector, |selector| selector.as_str().into()),
            ];
            all.extend(settings.model.iter().flat_map(of_model));
            if args.json {
                let file_exists = settings.file.is_some();
                session.out.json(&Wire { file, file_exists, settings: all })?;
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

/// The model and its budget, without any key.
fn of_model(model: &ModelSettings) -> Vec<WireSetting> {
    let mut all = vec![known("model.provider", &model.provider, |one| one.as_str().into())];
    all.extend(model.name.iter().map(|name| known("model.name", name, Into::into)));
    match &model.reach {
        Reach::Server { address, key } => {
            all.push(known("model.address", address, Into::into));
            all.push(match &key.value {
                KeySource::Variable(name) => {
                    setting("model.key_env", name.as_str().into(), &key.origin.to_string())
                }
                // Arguments may hold what nobody should see.
                KeySource::Helper(command) => setting(
                    "model.key_command",
                    command.first().map(String::as_str).into(),
                    &key.origin.to_string(),
                ),
            });
        }
        Reach::Program(program) => all.push(known("model.program", program, Into::into)),
    }
    all.push(known("model.timeout_seconds", &model.timeout, |time| time.as_secs().into()));
    all.extend(model.price.iter().map(|price| known("model.price", price, of_price)));
    all.push(known("budget.calls_per_hour", &model.calls_per_hour, Into::into));
    all.push(known("budget.tokens_per_day", &model.tokens_per_day, Into::into));
    let money = model.micros_per_day.iter();
    all.extend(money.map(|money| known("budget.dollars_per_day", money, dollars)));
    all
}

fn of_price(price: Price) -> serde_json::Value {
    let Price { input, output, cache_read, cache_write } = price;
    serde_json::json!({
        "input": dollars(input),
        "output": dollars(output),
        "cache_read": dollars(cache_read),
        "cache_write": dollars(cache_write),
    })
}

/// Millionths of a dollar as dollars, exactly.
fn dollars(micros: u64) -> serde_json::Value {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.parse::<f64>().map_or(text.into(), Into::into)
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
