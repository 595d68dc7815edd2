#![doc = include_str!("../README.md")]

mod backward;
mod envelope;
mod id;
mod json;
mod kind;
mod line;
mod note;
mod piece;
mod reader;
mod text;
mod tree;

pub mod limits;

pub use backward::Backward;
pub use envelope::Envelope;
pub use id::Id;
pub use kind::Kind;
pub use line::{Line, Place};
pub use note::{Note, Notes, Reason};
pub use reader::{Counts, Options, Reader};
pub use tree::{Bridge, Gap, Node, Reach, Standing, Step, Tree};
