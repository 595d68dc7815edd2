//! The texts that a host puts into a prompt, as Markdown.
//!
//! Each has a cap in bytes, is the same from run to run, and shows what comes from memory as data.

mod defang;
mod frame;
mod index;
mod instructions;
mod quote;
mod selector;

use crate::{limits, text};

pub use frame::{Frame, Framed, framed, parse_frames};
pub use index::{Index, memory_index, unread_index};
pub use instructions::{Instructions, Presence, memory_instructions};
pub use quote::{Quoted, quoted};
pub use selector::selector_instructions;

/// A directory between backticks: on one line, without a backtick of its own, bounded.
fn shown_directory(directory: &str) -> String {
    let shown = text::escape_control(text::prefix(directory, limits::DIRECTORY_BYTES));
    shown.replace('`', "'")
}
