#![doc = include_str!("../README.md")]

mod check;
mod client;
mod document;
mod fragment;
mod markdown;
mod note;
mod paths;
mod render;
mod session;
mod setup;

pub mod limits;
pub mod pattern;

pub use check::check;
pub use client::Client;
pub use fragment::{Fragment, Kind, Reason, Scope, Waiting};
pub use note::{Note, NoteKind};
pub use render::render;
pub use session::{Loaded, Session};
pub use setup::{AddedRules, AgentsMd, External, Setup};
