//! What a model answers.

use serde_json::Value;

use crate::{Content, find_json};

/// An answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Response {
    /// Its parts, in order.
    pub content: Vec<Content>,
    /// Why it ended.
    pub stop: Stop,
    /// What it cost.
    pub usage: Usage,
    /// The JSON value, where the provider hands it over apart from the words.
    pub structured: Option<Value>,
    /// The model that answered, as the provider names it.
    pub model: Option<String>,
}

impl Response {
    /// Makes an answer that ended by itself.
    pub fn new(content: Vec<Content>) -> Self {
        let calls = content.iter().any(|part| matches!(part, Content::Call { .. }));
        let stop = if calls { Stop::Calls } else { Stop::End };
        Self { content, stop, usage: Usage::default(), structured: None, model: None }
    }

    /// Makes an answer in words.
    pub fn words(text: impl Into<String>) -> Self {
        Self::new(vec![Content::Text(text.into())])
    }

    /// Says why it ended.
    #[must_use]
    pub fn stop(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Says what it cost.
    #[must_use]
    pub fn usage(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }

    /// Returns its words, without what lies between.
    pub fn text(&self) -> String {
        let words = self.content.iter().filter_map(|part| match part {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        words.collect()
    }

    /// Bytes of all its parts.
    pub fn bytes(&self) -> u64 {
        let parts: usize = self.content.iter().map(Content::bytes).sum();
        let structured = self.structured.as_ref().map_or(0, |value| value.to_string().len());
        (parts + structured) as u64
    }

    /// Returns the JSON value that it consists of or contains; `None` if there is none, or only the beginning of one.
    pub fn json(&self) -> Option<Value> {
        self.structured.clone().or_else(|| find_json(&self.text()))
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// It is complete.
    End,
    /// The model waits for the results of its calls.
    Calls,
    /// It was cut at the tokens that were allowed.
    MaxTokens,
    /// The conversation is longer than the model can read.
    ContextFull,
    /// The model, or who runs it, will not answer this.
    Refusal,
    /// For a reason that this crate does not know, as the provider names it.
    Other(String),
}

/// What an answer cost. Without any token or price the provider did not tell, and the whole reservation counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens that were read anew.
    pub input: u64,
    /// Tokens that were written.
    pub output: u64,
    /// Tokens that were read from what the provider had kept.
    pub cache_read: u64,
    /// Tokens that were read anew and kept.
    pub cache_write: u64,
    /// Millionths of a dollar, where the provider tells it.
    pub micros: Option<u64>,
}

impl Usage {
    /// Counts tokens in and out, without a cache.
    pub fn new(input: u64, output: u64) -> Self {
        Self { input, output, ..Self::default() }
    }

    /// Tells whether the provider says what it cost: no answer costs nothing at all.
    pub(crate) fn is_told(&self) -> bool {
        self.tokens() > 0 || self.micros.is_some()
    }

    /// Returns all tokens.
    pub fn tokens(&self) -> u64 {
        [self.output, self.cache_read, self.cache_write]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }
}
