/// What the instructions say that differs from host to host.
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

/// Renders how an agent keeps and uses memories, as Markdown.
pub fn memory_instructions(instructions: &Instructions<'_>) -> String {
    format!("# Memory\n\n{}\n", instructions.directory)
}
