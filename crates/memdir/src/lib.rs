#![doc = include_str!("../README.md")]

mod check;
mod context;
mod edit;
mod error;
mod find;
mod finding;
mod fix;
mod forget;
mod memory;
mod prompt;
mod save;
mod suspicious;
mod undo;

pub use memdir_change as change;
pub use memdir_core as core;
pub use memdir_guard as guard;
pub use memdir_recall as recall;
pub use memdir_rules as rules;
pub use memdir_scan as scan;
pub use memdir_store as store;
pub use subagent_memory as subagent;
pub use transcript_jsonl as transcript;

pub use context::Context;
pub use edit::Change;
pub use error::Error;
pub use find::{Found, find};
pub use finding::{Finding, FindingKind, Level};
pub use fix::Fixed;
pub use memdir_change::Unreadable;
pub use memory::Memory;
pub use prompt::PromptText;
pub use save::{Remark, Save, Saved};
