#![doc = include_str!("../README.md")]

mod attachment;
mod candidate;
mod document;
mod draft;
mod lexical;
mod model;
mod pattern;
mod phrase;
mod query;
mod ranking;
mod recall;
mod select;
mod summons;
mod tools;
mod usage;
mod verify;
mod why;

pub mod limits;

pub use attachment::{Attachment, render};
pub use candidate::{Candidate, Cause, Omission};
pub use document::Document;
pub use draft::Draft;
pub use lexical::{Index, Lexical, Part};
pub use model::{Basis, Failure, Skip, When};
pub use pattern::{BadPattern, PatternFault};
pub use query::{Query, Surfaced};
pub use ranking::{Hit, Ranking, Silence};
pub use recall::{Options, Recall, recall};
pub use summons::Summons;
pub use usage::{Usage, Uses};
pub use verify::{Claim, Finding, Runner, Verifier};
pub use why::{Field, Reason, Taken, Why};
