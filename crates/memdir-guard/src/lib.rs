#![doc = include_str!("../README.md")]

mod buckets;
mod expression;
mod finding;
mod fold;
mod hidden;
mod instructions;
mod limits;
mod place;
mod redact;
mod secrets;
mod words;

pub use finding::{Finding, Hidden, Instruction, Kind};
pub use hidden::hidden;
pub use instructions::instructions;
pub use redact::redact;
pub use secrets::{secrets, secrets_in_file};

/// Finds everything that this crate knows: [`secrets()`], [`hidden()`] characters and [`instructions()`].
///
/// In order of where a finding begins, the longer one first, then by [`Kind`].
pub fn scan(text: &str) -> Vec<Finding> {
    let mut found = secrets(text);
    found.extend(hidden(text));
    found.extend(instructions(text));
    found.sort_by(Finding::order);
    found
}
