//! The texts that a host puts into a prompt. Each has a cap in bytes and is the same from run to run.

mod frame;
mod index;
mod instructions;

pub use frame::{Frame, Framed, framed, parse_frames};
pub use index::{Index, memory_index};
pub use instructions::{Instructions, memory_instructions};
