//! Tests of the confined agent.

mod cancel;
mod hostile;
mod links;
mod parent;
mod policy;
mod prompts;
mod props;
mod runs;
mod stage;
