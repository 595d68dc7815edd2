//! The instructions for keeping a memory.

use super::shown_directory;

/// What differs in the instructions from host to host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instructions<'a> {
    /// The memory directory, absolute, as the agent shall write it.
    pub directory: &'a str,
}

impl<'a> Instructions<'a> {
    /// Instructions for the memory in `directory`.
    pub fn new(directory: &'a str) -> Self {
        Self { directory }
    }
}

/// Renders how an agent keeps and uses memories, as Markdown that ends with a line break.
///
/// At most [`limits::INSTRUCTIONS_BYTES`](crate::limits::INSTRUCTIONS_BYTES) long.
pub fn memory_instructions(instructions: &Instructions<'_>) -> String {
    let directory = shown_directory(instructions.directory);
    include_str!("instructions.md").replacen("{directory}", &directory, 1)
}
