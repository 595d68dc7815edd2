//! Which model is asked and within what, each value with its origin.

use std::path::Path;
use std::time::Duration;

use memdir_model::budget::{Budget, Price};

use super::model_tables::{BudgetTable, ModelTable, Provider};
use super::{ConfigFile, Known, Origin};
use crate::env::{ANTHROPIC_API_KEY, MODEL_NAME, OPENAI_API_KEY, SELECTOR, World};
use crate::error::CliError;

/// From the design: a prompt waits no longer than a person does.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Ours: one a minute is more than a person asks, and stops a loop.
const CALLS_PER_HOUR: u64 = 60;
/// Ours: some hundred questions about two hundred memories.
const TOKENS_PER_DAY: u64 = 2_000_000;

/// What chooses among memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selector {
    /// Words alone.
    Lexical,
    /// A model, with every question that has words.
    Model,
    /// Words, and a model where they leave a doubt.
    Auto,
}

impl Selector {
    pub(crate) const ALL: [Self; 3] = [Self::Lexical, Self::Model, Self::Auto];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Model => "model",
            Self::Auto => "auto",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }
}

/// Where a key is had from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// An environment variable.
    Variable(String),
    /// A program and its arguments; what it prints is the key.
    Helper(Vec<String>),
}

/// The model that a provider serves, and what asking it may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelSettings {
    pub(crate) provider: Known<Provider>,
    pub(crate) name: Option<Known<String>>,
    /// How it is reached.
    pub(crate) reach: Reach,
    pub(crate) timeout: Known<Duration>,
    pub(crate) price: Option<Known<Price>>,
    pub(crate) calls_per_hour: Known<u64>,
    pub(crate) tokens_per_day: Known<u64>,
    /// Absent: no limit.
    pub(crate) micros_per_day: Option<Known<u64>>,
}

/// How a provider is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reach {
    Server { address: Known<String>, key: Known<KeySource> },
    Program(Known<String>),
}

impl ModelSettings {
    /// What the file says, with defaults; `None` where it names no provider.
    pub(super) fn of(world: &World, config: Option<(&Path, &ConfigFile)>) -> Option<Self> {
        let (path, file) = config?;
        let ModelTable { provider, name, address, key_env, key_command, program, timeout, price } =
            file.model.clone();
        let BudgetTable { calls_per_hour, tokens_per_day, micros_per_day } = file.budget;
        let from = Source(path);
        let provider = provider?;
        let server = |address_there: &str, variable: &str| Reach::Server {
            address: from.or(address.clone(), address_there.to_owned()),
            key: from.or(
                key_command
                    .clone()
                    .map(KeySource::Helper)
                    .or(key_env.clone().map(KeySource::Variable)),
                KeySource::Variable(variable.to_owned()),
            ),
        };
        let reach = match provider {
            Provider::Anthropic => server("https://api.anthropic.com", ANTHROPIC_API_KEY),
            Provider::OpenAi => server("https://api.openai.com", OPENAI_API_KEY),
            Provider::Command => Reach::Program(from.or(program, "claude".to_owned())),
        };
        let named = world.text(MODEL_NAME);
        let named = named.map(|name| Known::new(name, Origin::Environment(MODEL_NAME)));
        Some(Self {
            provider: from.file(provider),
            name: named.or_else(|| name.map(|name| from.file(name))),
            reach,
            timeout: from.or(timeout, TIMEOUT),
            price: price.map(|price| from.file(price)),
            calls_per_hour: from.or(calls_per_hour, CALLS_PER_HOUR),
            tokens_per_day: from.or(tokens_per_day, TOKENS_PER_DAY),
            micros_per_day: micros_per_day.map(|micros| from.file(micros)),
        })
    }

    pub(crate) fn budget(&self) -> Budget {
        let mut budget = Budget::none()
            .calls_per_hour(self.calls_per_hour.value)
            .tokens_per_day(self.tokens_per_day.value);
        budget.micros_per_day = self.micros_per_day.as_ref().map(|known| known.value);
        budget.price = self.price.as_ref().map(|known| known.value);
        budget
    }
}

/// The file that values come from.
struct Source<'a>(&'a Path);

impl Source<'_> {
    fn file<T>(&self, value: T) -> Known<T> {
        Known::new(value, Origin::Config(self.0.to_owned()))
    }

    fn or<T>(&self, value: Option<T>, default: T) -> Known<T> {
        value.map_or(Known::new(default, Origin::Default), |value| self.file(value))
    }
}

/// The environment goes before the file.
pub(super) fn selector(
    world: &World,
    config: Option<(&Path, &ConfigFile)>,
    warnings: &mut Vec<CliError>,
) -> Known<Selector> {
    if let Some(text) = world.text(SELECTOR) {
        match Selector::parse(&text) {
            Some(selector) => return Known::new(selector, Origin::Environment(SELECTOR)),
            None => warnings.push(
                CliError::warning(format!("`{text}` is no selector and was ignored"))
                    .at(format!("the environment variable {SELECTOR}"))
                    .hint("lexical, model or auto"),
            ),
        }
    }
    let has_provider = config.is_some_and(|(_, file)| file.model.provider.is_some());
    let default = if has_provider { Selector::Auto } else { Selector::Lexical };
    let set = config.and_then(|(path, file)| Some((path, file.selector?)));
    set.map_or(Known::new(default, Origin::Default), |(path, selector)| Source(path).file(selector))
}
