#![doc = include_str!("../README.md")]

mod clock;
mod event;
mod mem_path;

pub mod age;
pub mod limits;
pub mod text;

pub use clock::{Clock, FixedClock};
pub use event::{Discard, EventSink};
pub use mem_path::{MemPath, PathFault};
