//! Whether the model answers.

use memdir_model::{Error, Message, Output, Request, Response, Schema, Stop, Usage};
use serde::Serialize;
use serde_json::json;

use crate::config::{KeySource, ModelSettings, Reach, Settings};
use crate::env::Stopwatch;
use crate::error::{CliError, Exit, chain};
use crate::model;
use crate::output::Out;
use crate::place::Session;

/// The purpose of the question, for the ledger.
const PURPOSE: &str = "check";
/// Tokens of the answer. Ours: ten are enough for a word, the rest is for models that think first.
const ANSWER_TOKENS: u32 = 1_024;
const FIELD: &str = "answer";

#[derive(Serialize)]
struct Wire<'a> {
    provider: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    /// Where the key comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// There was an answer in words that can be used.
    works: bool,
    /// How JSON was asked for: `schema`, `tool`, `object` or `words`; absent where none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<WireTokens>,
}

#[derive(Serialize)]
struct WireTokens {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
}

pub(super) fn run(settings: &Settings, session: &mut Session) -> Result<Exit, CliError> {
    let model = settings.model.as_ref().ok_or_else(|| settings.no_model())?;
    let stopwatch = Stopwatch::start();
    let asked = model::ask(session, model, &question());
    let milliseconds = stopwatch.elapsed().as_millis();
    let mut wire = about(model);
    let failed = match asked.answer {
        Ok(answer) => {
            wire.milliseconds = Some(milliseconds);
            wire.tokens = Some(tokens(answer.usage));
            wire.json = asked.form.filter(|_| answers_in_json(&answer));
            wire.works = answer.stop == Stop::End || wire.json.is_some();
            (!wire.works).then(|| stopped(&answer.stop))
        }
        Err(error) => Some(failed(&error, settings)),
    };
    say(&wire, &mut session.out)?;
    failed.map_or(Ok(Exit::Done), Err)
}

/// A question that costs next to nothing.
fn question() -> Request {
    let schema = json!({
        "type": "object",
        "properties": {FIELD: {"type": "string", "enum": ["yes"]}},
        "required": [FIELD],
        "additionalProperties": false,
    });
    Request::new(PURPOSE, ANSWER_TOKENS)
        .system("Somebody sets up a program and wants to know whether you can be reached.")
        .message(Message::user("Are you there? Say yes."))
        .output(Output::Json(Schema::new(FIELD, schema)))
}

fn answers_in_json(answer: &Response) -> bool {
    answer.json().is_some_and(|json| json.get(FIELD).is_some_and(serde_json::Value::is_string))
}

fn about(model: &ModelSettings) -> Wire<'_> {
    let (address, program, key) = match &model.reach {
        Reach::Server { address, key } => {
            let key = match &key.value {
                KeySource::Variable(name) => format!("environment variable {name}"),
                KeySource::Helper(command) => {
                    format!("printed by {}", command.first().map_or("", String::as_str))
                }
            };
            (Some(address.value.as_str()), None, Some(key))
        }
        Reach::Program(program) => (None, Some(program.value.as_str()), None),
    };
    Wire {
        provider: model.provider.value.as_str(),
        address,
        program,
        model: model.name.as_ref().map(|name| name.value.as_str()),
        key,
        works: false,
        json: None,
        milliseconds: None,
        tokens: None,
    }
}

fn tokens(usage: Usage) -> WireTokens {
    let Usage { input, output, cache_read, cache_write, .. } = usage;
    WireTokens { input, output, cache_read, cache_write }
}

fn say(wire: &Wire<'_>, out: &mut Out) -> Result<(), CliError> {
    if out.form == crate::output::Form::Json {
        return out.json(wire);
    }
    let parts = [
        ("provider", Some(wire.provider)),
        ("address", wire.address),
        ("program", wire.program),
        ("model", wire.model),
        ("key", wire.key.as_deref()),
        ("answers", wire.works.then_some("yes")),
        ("JSON", wire.works.then(|| wire.json.map_or("none came", in_words))),
    ];
    for (name, value) in parts.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        let value = out.escaped(value);
        out.line(&format!("{name}: {value}"));
    }
    if let (Some(milliseconds), Some(tokens)) = (wire.milliseconds, &wire.tokens) {
        let read =
            tokens.input.saturating_add(tokens.cache_read).saturating_add(tokens.cache_write);
        out.line(&format!("time: {milliseconds} ms"));
        out.line(&format!("tokens: {read} read, {} written", tokens.output));
    }
    Ok(())
}

fn in_words(form: &'static str) -> &'static str {
    match form {
        "schema" => "by a schema",
        "tool" => "by a tool that must be called",
        "object" => "by a wish for JSON",
        _ => "by instructions in words",
    }
}

fn stopped(stop: &Stop) -> CliError {
    match stop {
        Stop::Refusal => CliError::refused("the model refused to answer"),
        Stop::MaxTokens | Stop::ContextFull => {
            CliError::new(Exit::Io, "the model's answer was cut")
                .because(format!("it may have {ANSWER_TOKENS} tokens here, thinking included"))
        }
        _ => CliError::new(Exit::Io, "the model's answer is none that can be used"),
    }
}

fn failed(error: &Error, settings: &Settings) -> CliError {
    let told = chain(error);
    let file = settings.path.iter().map(|path| path.display().to_string());
    match error {
        Error::Invalid { .. } => file
            .fold(CliError::usage(told), CliError::at)
            .hint("memdir config --help lists the keys"),
        Error::Spent(refusal) => {
            let again = refusal.again.map(memdir::core::age::format_rfc3339);
            let again = again.map(|again| format!("wait until {again}"));
            again
                .into_iter()
                .fold(CliError::refused(told), CliError::hint)
                .hint("or raise the limit under [budget] in config.toml")
        }
        Error::Ledger(_) => CliError::new(Exit::Io, told)
            .hint("where it is damaged, move it away, and count from nothing"),
        Error::Status { status: 401 | 403, .. } => {
            CliError::new(Exit::Io, told).hint("check the key, and which address it is for")
        }
        Error::Timeout { .. } => {
            CliError::new(Exit::Io, told).hint("raise timeout_seconds under [model] in config.toml")
        }
        _ => CliError::new(Exit::Io, told),
    }
}
