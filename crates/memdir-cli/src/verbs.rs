//! One module a verb: its options, what it does, and the JSON it prints.

pub(crate) mod agent;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod edit;
pub(crate) mod forget;
pub(crate) mod hook;
pub(crate) mod inbox;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod man;
pub(crate) mod path;
pub(crate) mod prompt;
pub(crate) mod recall;
pub(crate) mod rules;
pub(crate) mod save;
pub(crate) mod scan_text;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod transcript;
pub(crate) mod undo;
pub(crate) mod verify;
pub(crate) mod why;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir::core::MemoryType;

/// The four types and no others.
fn memory_type() -> impl TypedValueParser<Value = MemoryType> {
    PossibleValuesParser::new(MemoryType::ALL.map(MemoryType::as_str))
        .try_map(|text| text.parse::<MemoryType>())
}
