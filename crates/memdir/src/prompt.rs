//! What an agent is told before it asks anything.

use memdir_core::prompt::{Index, Instructions, memory_index, memory_instructions};
use memdir_store::ReadStore;

use crate::{Error, Memory};

impl<S> Memory<S> {
    /// Returns how an agent keeps and uses memories, as Markdown.
    pub fn instructions(&self) -> String {
        memory_instructions(&Instructions::new(self.directory()))
    }
}

impl<S: ReadStore> Memory<S> {
    /// Returns the index as an agent is shown it: cut to its limits, or a line that it is empty.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when it cannot be read.
    pub fn index(&self) -> Result<String, Error> {
        Ok(memory_index(&Index::new(self.directory(), &self.index_text()?)))
    }

    /// Returns instructions and index as one text.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the index cannot be read.
    pub fn prompt(&self) -> Result<String, Error> {
        Ok(join([self.instructions(), self.index()?]))
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
