//! What an agent is told about its own memory.

use memdir_core::{
    prompt::{Index, Instructions, Presence, memory_index, memory_instructions, unread_index},
    truncate::Limits,
};

use crate::Scope;

/// What an agent's prompt is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "hosts build it, and each part stands in the text")]
pub struct Prompt<'a> {
    /// The memory directory, absolute, as the agent shall write it. It need not exist.
    pub directory: &'a str,
    /// Whom the memory is for.
    pub scope: Scope,
    /// The text of `MEMORY.md`, empty where there is none; or why it cannot be read, a clause.
    pub index: Result<&'a str, &'a str>,
}

/// Renders instructions, a paragraph about the scope, and the index, as Markdown that ends with a line break.
///
/// The text is that of a main memory, with the index cut as Claude Code cuts it: 200 lines, 25,000 UTF-16 units.
pub fn prompt(prompt: &Prompt<'_>) -> String {
    let instructions = Instructions::new(prompt.directory).presence(Presence::WithFirstFile);
    let index = match prompt.index {
        Ok(text) => {
            let mut index = Index::new(prompt.directory, text);
            index.limits = Limits::claude_code();
            memory_index(&index)
        }
        Err(reason) => unread_index(prompt.directory, reason),
    };
    let instructions = memory_instructions(&instructions);
    format!("{instructions}\n## Whom it is for\n\n{}\n\n{index}", prompt.scope.line())
}
