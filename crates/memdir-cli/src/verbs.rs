//! One module a verb: its options, what it does, and the JSON it prints.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod man;
pub(crate) mod path;
