//! What a run is given.

use std::sync::Arc;

use memdir_model::Prefix;

use crate::{Limits, Policy};

/// What a run is given.
///
/// Cancelling and progress belong to the driver, [`fork`](crate::fork). A run writes no record of a session, so there is nothing to switch off.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ForkOptions {
    /// What the model shall do.
    pub prompt: String,
    /// What was said so far, for a run that does not share its parent's prefix: stripped and redacted by the caller, shown as data.
    pub input: String,
    /// The request of the parent, to go on from it byte for byte; `None` for a run of its own.
    pub prefix: Option<Arc<Prefix>>,
    /// What the run may do.
    pub policy: Policy,
    /// Who asks, such as `extract_memories`: the purpose of its requests, and part of its events.
    pub query_source: String,
    /// Which run it is, for its events.
    pub fork_label: String,
    /// How the model calls for something.
    pub calling: Calling,
    /// How much it may do.
    pub limits: Limits,
}

impl ForkOptions {
    /// Options for a run of its own without anything that was said so far.
    pub fn new(
        prompt: impl Into<String>,
        policy: Policy,
        query_source: impl Into<String>,
        fork_label: impl Into<String>,
    ) -> Self {
        Self {
            prompt: prompt.into(),
            input: String::new(),
            prefix: None,
            policy,
            query_source: query_source.into(),
            fork_label: fork_label.into(),
            calling: Calling::default(),
            limits: Limits::default(),
        }
    }

    /// Sets what was said so far.
    #[must_use]
    pub fn input(self, input: impl Into<String>) -> Self {
        Self { input: input.into(), ..self }
    }

    /// Goes on from the request of the parent where that can be done.
    #[must_use]
    pub fn prefix(self, prefix: Arc<Prefix>) -> Self {
        Self { prefix: Some(prefix), ..self }
    }

    /// Sets how the model calls for something.
    #[must_use]
    pub fn calling(self, calling: Calling) -> Self {
        Self { calling, ..self }
    }

    /// Sets how much it may do.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

/// How a model calls for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Calling {
    /// By calls of tools; a model that turns out to have none answers in JSON instead.
    #[default]
    Tools,
    /// By actions in an answer that is JSON.
    Json,
}

/// What a run goes on from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The request of its parent, unchanged.
    Prefix,
    /// A prompt and tools of its own.
    Digest,
}
