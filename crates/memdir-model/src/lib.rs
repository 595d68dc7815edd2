#![doc = include_str!("../README.md")]

mod answer;
pub mod budget;
mod deadline;
mod error;
pub mod limits;
mod metered;
mod port;
mod prefix;
mod redacted;
mod request;
mod response;
mod retry;
mod scripted;
mod timer;

pub use answer::find_json;
pub use deadline::Deadline;
pub use error::{Error, Source};
pub use metered::Metered;
pub use port::Model;
pub use prefix::{Prefix, PrefixFault};
pub use redacted::Redacted;
pub use request::{Cache, Content, Message, Output, Passage, Request, Role, Schema, Tool};
pub use response::{Response, Stop, Usage};
pub use retry::{Patience, Retry};
pub use scripted::{Scripted, Turn};
pub use timer::Timer;
