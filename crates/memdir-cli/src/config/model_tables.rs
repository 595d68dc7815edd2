//! The tables `[model]` and `[budget]` of `config.toml`.

use std::path::Path;
use std::time::Duration;

use memdir_model::budget::Price;
use toml::Table;

use super::item::Item;
use crate::error::CliError;

/// The longest that a request may be waited for. Ours: a slow model on a small machine answers in a few minutes.
const MAX_TIMEOUT_SECONDS: u64 = 600;

/// Keys of `[model]`, with what they mean.
pub(crate) const MODEL_KEYS: [(&str, &str); 8] = [
    ("provider", "\"anthropic\", \"openai\" (and servers that speak like it) or \"command\""),
    ("name", "the model, by its provider's name for it"),
    ("address", "where the provider's API is, if not where the provider itself has it"),
    ("key_env", "the variable that holds the key [default: ANTHROPIC_API_KEY, OPENAI_API_KEY]"),
    ("key_command", "program and arguments that print the key instead"),
    ("program", "for \"command\": the program that answers [default: \"claude\"]"),
    ("timeout_seconds", "how long an answer is waited for, all tries together [default: 10]"),
    (
        "price",
        "dollars for a million tokens: { input, output, cache_read, cache_write }; the last two cost what input does if absent",
    ),
];

/// Keys of `[budget]`, with what they mean.
pub(crate) const BUDGET_KEYS: [(&str, &str); 3] = [
    ("calls_per_hour", "requests in any 60 minutes, repeated ones too [default: 60]"),
    ("tokens_per_day", "tokens read and written in any 24 hours [default: 2000000]"),
    ("dollars_per_day", "dollars in any 24 hours; needs `price` [default: no limit]"),
];

/// Keys of `price`.
const PRICE_KEYS: [&str; 4] = ["input", "output", "cache_read", "cache_write"];

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    Anthropic,
    OpenAi,
    Command,
}

impl Provider {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Command => "command",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenAi, Self::Command].into_iter().find(|one| one.as_str() == name)
    }
}

/// What `[model]` says; absent keys are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ModelTable {
    pub(crate) provider: Option<Provider>,
    pub(crate) name: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) key_env: Option<String>,
    /// Not empty.
    pub(crate) key_command: Option<Vec<String>>,
    pub(crate) program: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) price: Option<Price>,
}

/// What `[budget]` says; absent keys are `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BudgetTable {
    pub(crate) calls_per_hour: Option<u64>,
    pub(crate) tokens_per_day: Option<u64>,
    /// Millionths of a dollar.
    pub(crate) micros_per_day: Option<u64>,
}

impl ModelTable {
    /// Reads the table; keys that are unknown become warnings.
    pub(super) fn parse(
        table: &Table,
        path: &Path,
        warnings: &mut Vec<CliError>,
    ) -> Result<Self, CliError> {
        let mut model = Self::default();
        for (name, value) in table {
            let key = format!("model.{name}");
            let item = Item { key: &key, value, path };
            match name.as_str() {
                "provider" => {
                    let expected = "\"anthropic\", \"openai\" or \"command\"";
                    model.provider = Some(item.word(Provider::parse, expected)?);
                }
                "name" => model.name = Some(item.name()?),
                "address" => model.address = Some(address(item)?),
                "key_env" => model.key_env = Some(variable(item)?),
                "key_command" => model.key_command = Some(command(item)?),
                "program" => model.program = Some(item.name()?),
                "timeout_seconds" => model.timeout = Some(timeout(item)?),
                "price" => model.price = Some(price(item, warnings)?),
                _ => warnings.push(item.unknown(MODEL_KEYS.map(|(name, _)| name))),
            }
        }
        if model.key_env.is_some() && model.key_command.is_some() {
            return Err(CliError::usage(
                "`model.key_env` and `model.key_command` both say where the key is",
            )
            .at(path.display().to_string())
            .hint("keep one of them"));
        }
        Ok(model)
    }
}

impl BudgetTable {
    /// Reads the table; keys that are unknown become warnings.
    pub(super) fn parse(
        table: &Table,
        path: &Path,
        warnings: &mut Vec<CliError>,
    ) -> Result<Self, CliError> {
        let mut budget = Self::default();
        for (name, value) in table {
            let key = format!("budget.{name}");
            let item = Item { key: &key, value, path };
            match name.as_str() {
                "calls_per_hour" => budget.calls_per_hour = Some(item.count()?),
                "tokens_per_day" => budget.tokens_per_day = Some(item.count()?),
                "dollars_per_day" => budget.micros_per_day = Some(item.dollars()?),
                _ => warnings.push(item.unknown(BUDGET_KEYS.map(|(name, _)| name))),
            }
        }
        Ok(budget)
    }
}

/// An address that can be shown to anybody: where it holds a password it is refused without being repeated.
fn address(item: Item<'_>) -> Result<String, CliError> {
    let address = item.name()?;
    if !address.starts_with("https://") && !address.starts_with("http://") {
        return Err(item.fault("must begin with https:// or http://"));
    }
    if address.contains(['@', '?', '#']) || address.chars().any(char::is_control) {
        return Err(item
            .fault("must be an address alone, without name, password, query or fragment")
            .hint("the key is named apart, by key_env or key_command"));
    }
    Ok(address)
}

fn variable(item: Item<'_>) -> Result<String, CliError> {
    let name = item.name()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.chars().all(is_name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        // Who writes the key itself here shall not see it again.
        return Err(item.fault("must be the name of an environment variable").hint(
            "the key itself does not belong into this file: put it into a variable, or let key_command print it",
        ));
    }
    Ok(name)
}

fn command(item: Item<'_>) -> Result<Vec<String>, CliError> {
    let command = item.list()?;
    if command.first().is_none_or(|program| program.trim().is_empty()) {
        return Err(item.fault("must begin with a program"));
    }
    Ok(command)
}

fn timeout(item: Item<'_>) -> Result<Duration, CliError> {
    let seconds = item.count()?;
    if !(1..=MAX_TIMEOUT_SECONDS).contains(&seconds) {
        return Err(item.fault(format!("must be between 1 and {MAX_TIMEOUT_SECONDS}")));
    }
    Ok(Duration::from_secs(seconds))
}

fn price(item: Item<'_>, warnings: &mut Vec<CliError>) -> Result<Price, CliError> {
    let mut parts = [None; PRICE_KEYS.len()];
    for (name, value) in item.table()? {
        let key = format!("{}.{name}", item.key);
        let one = Item { key: &key, value, path: item.path };
        match parts.iter_mut().zip(PRICE_KEYS).find(|(_, key)| key == name) {
            Some((part, _)) => *part = Some(one.dollars()?),
            None => warnings.push(one.unknown(PRICE_KEYS)),
        }
    }
    let [Some(input), Some(output), cache_read, cache_write] = parts else {
        return Err(item.fault("must name `input` and `output`"));
    };
    let [cache_read, cache_write] = [cache_read, cache_write].map(|part| part.unwrap_or(input));
    Ok(Price { input, output, cache_read, cache_write })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What came of a text: the tables, or the error; warnings below.
    fn read(text: &str) -> String {
        let table: Table = text.parse().unwrap();
        let mut warnings = Vec::new();
        let path = Path::new("/c");
        let model = ModelTable::parse(&table, path, &mut warnings);
        let mut told = match model {
            Ok(model) => format!("{model:?}\n"),
            Err(error) => error.to_text("error:"),
        };
        told.extend(warnings.iter().map(|warning| warning.to_text("warning:")));
        told
    }

    #[test]
    fn values_that_cannot_be_meant_are_refused_and_a_key_in_the_wrong_place_is_not_repeated() {
        for (text, expect) in [
            (
                "provider = \"gemini\"",
                "`model.provider` must be \"anthropic\", \"openai\" or \"command\", not string",
            ),
            ("name = \" \"", "`model.name` is empty"),
            ("name = 3", "`model.name` must be a string, not integer"),
            ("address = \"localhost:8080\"", "`model.address` must begin with https:// or http://"),
            (
                concat!("address = \"https://me:", "planted@host\""),
                "`model.address` must be an address alone, without name, password, query or fragment",
            ),
            (
                "key_env = \"planted-4f9a1c7d\"",
                "`model.key_env` must be the name of an environment variable",
            ),
            ("key_command = []", "`model.key_command` must begin with a program"),
            (
                "key_command = \"planted\"",
                "`model.key_command` must be a list of strings, not string",
            ),
            (
                "key_env = \"A\"\nkey_command = [\"b\"]",
                "`model.key_env` and `model.key_command` both say where the key is",
            ),
            ("timeout_seconds = 0", "`model.timeout_seconds` must be between 1 and 600"),
            ("timeout_seconds = 1.5", "`model.timeout_seconds` must be a whole number, not float"),
            ("price = 3", "`model.price` must be a table, not integer"),
            ("price = { input = 1 }", "`model.price` must name `input` and `output`"),
            (
                "price = { input = -1, output = 1 }",
                "`model.price.input` must be between 0 and 1000000",
            ),
            (
                "price = { input = nan, output = 1 }",
                "`model.price.input` must be between 0 and 1000000",
            ),
        ] {
            let told = read(text);
            assert!(told.starts_with(&format!("error: {expect}\n")), "{text}: {told}");
            assert!(!told.contains("planted"), "{told}");
        }
    }

    #[test]
    fn prices_are_read_exactly_and_what_is_kept_costs_what_is_read_unless_it_is_said() {
        let table: Table = "price = { input = 0.25, output = 3 }".parse().unwrap();
        let model = ModelTable::parse(&table, Path::new("/c"), &mut Vec::new()).unwrap();
        let expect =
            Price { input: 250_000, output: 3_000_000, cache_read: 250_000, cache_write: 250_000 };
        assert_eq!(model.price, Some(expect));
        assert!(
            read("prise = 1").contains("warning: the key `model.prise` is unknown and was ignored")
        );
    }
}
