#![doc = include_str!("../README.md")]

mod attachment;
mod document;
mod lexical;
mod query;
mod ranking;
mod recall;
mod why;

pub mod limits;

pub use attachment::{Attachment, render};
pub use document::Document;
pub use lexical::{Index, Lexical};
pub use query::{Query, Surfaced};
pub use ranking::{Hit, Ranking, Silence};
pub use recall::{Options, Recall, recall};
pub use why::{Field, Reason, Taken, Why};
