#![doc = include_str!("../README.md")]

mod clock;
mod digest;
mod event;
mod mem_path;
mod memory_type;
mod percent;

pub mod age;
pub mod frontmatter;
pub mod index;
pub mod limits;
pub mod name;
pub mod project_key;
pub mod prompt;
pub mod text;
pub mod truncate;

pub use clock::{Clock, FixedClock};
pub use event::{Discard, EventSink};
pub use mem_path::{MemPath, PathFault};
pub use memory_type::{MemoryType, UnknownType};
