//! The instructions for keeping a memory.

use super::shown_directory;

/// What differs in the instructions from host to host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instructions<'a> {
    /// The memory directory, absolute, as the agent shall write it.
    pub directory: &'a str,
    /// Whether it is there.
    pub presence: Presence,
}

/// Whether a memory directory is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Presence {
    /// It is.
    #[default]
    Exists,
    /// It may not be; the first file makes it.
    WithFirstFile,
}

impl Presence {
    fn sentence(self) -> &'static str {
        match self {
            Self::Exists => {
                "It exists, so write there without creating it or testing for it first."
            }
            Self::WithFirstFile => {
                "It comes into being with the first file, so write there without creating it or testing for it first."
            }
        }
    }
}

impl<'a> Instructions<'a> {
    /// Instructions for the memory in `directory`.
    pub fn new(directory: &'a str) -> Self {
        Self { directory, presence: Presence::Exists }
    }

    /// Says whether the directory is there.
    #[must_use]
    pub fn presence(self, presence: Presence) -> Self {
        Self { presence, ..self }
    }
}

/// Renders how an agent keeps and uses memories, as Markdown that ends with a line break.
///
/// At most [`limits::INSTRUCTIONS_BYTES`](crate::limits::INSTRUCTIONS_BYTES) long.
pub fn memory_instructions(instructions: &Instructions<'_>) -> String {
    let directory = shown_directory(instructions.directory);
    let text = include_str!("instructions.md");
    // The directory last: what stands in it is replaced by nothing.
    text.replacen("{presence}", instructions.presence.sentence(), 1).replacen(
        "{directory}",
        &directory,
        1,
    )
}
