#![doc = include_str!("../README.md")]

mod action;
mod client;
mod denial;
mod desk;
mod drive;
mod event;
mod index_text;
mod input;
pub mod limits;
mod options;
mod own;
mod policy;
mod prompt;
mod report;
mod session;
mod survey;

pub use action::{Action, File, Matches, Scope, Span, Verb};
pub use denial::{Denial, Spent};
pub use desk::{Desk, Ran};
pub use drive::{Halt, Outcome, fork};
pub use event::{DigestReason, Event, What};
pub use limits::Limits;
pub use options::{Calling, ForkOptions, Mode};
pub use policy::{Dialect, Policy, memory_policy};
pub use report::{Account, End, Report};
pub use session::{Job, Session, Step};
