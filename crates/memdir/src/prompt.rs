//! What an agent is told before it asks anything.

use std::sync::Arc;

use memdir_core::prompt::{Index, Instructions, memory_index, memory_instructions, unread_index};
use memdir_store::ReadStore;

use crate::Memory;
use crate::error::chain;

/// A text for an agent that shows the index.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PromptText {
    /// The text. Where the index cannot be read it says so in its place.
    pub text: String,
    /// Why the index cannot be read.
    pub index_fault: Option<Arc<memdir_store::Error>>,
}

impl<S> Memory<S> {
    /// Returns how an agent keeps and uses memories, as Markdown.
    pub fn instructions(&self) -> String {
        memory_instructions(&Instructions::new(self.directory()))
    }
}

impl<S: ReadStore> Memory<S> {
    /// Returns the index as an agent is shown it: cut to its limits, or a line that it is empty or cannot be read.
    pub fn index(&self) -> PromptText {
        match self.read_text(&memdir_core::MemPath::index()) {
            Ok(text) => {
                let text = text.unwrap_or_default();
                let text = memory_index(&Index::new(self.directory(), &text));
                PromptText { text, index_fault: None }
            }
            Err(error) => PromptText {
                text: unread_index(self.directory(), &chain(&error)),
                index_fault: Some(Arc::new(error)),
            },
        }
    }

    /// Returns instructions and index as one text.
    pub fn prompt(&self) -> PromptText {
        let index = self.index();
        PromptText { text: join([self.instructions(), index.text]), ..index }
    }
}

/// Sections with an empty line between; empty ones are left out.
pub(crate) fn join(sections: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    for section in sections.into_iter().filter(|section| !section.trim().is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(section.trim_end());
        text.push('\n');
    }
    text
}
