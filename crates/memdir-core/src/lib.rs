#![doc = include_str!("../README.md")]

mod clock;
mod event;
mod mem_path;
mod memory_type;

pub mod age;
pub mod frontmatter;
pub mod limits;
pub mod text;

pub use clock::{Clock, FixedClock};
pub use event::{Discard, EventSink};
pub use mem_path::{MemPath, PathFault};
pub use memory_type::{MemoryType, UnknownType};
