use crate::truncate::Limits;

/// An index to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Index<'a> {
    /// The memory directory, absolute.
    pub directory: &'a str,
    /// The text of MEMORY.md; empty if there is none.
    pub text: &'a str,
    /// How much of it is shown.
    pub limits: Limits,
}

impl<'a> Index<'a> {
    /// The index with the default limits.
    pub fn new(directory: &'a str, text: &'a str) -> Self {
        Self { directory, text, limits: Limits::default() }
    }
}

/// Renders the index, cut to its limits, or a line that it is empty.
pub fn memory_index(index: &Index<'_>) -> String {
    format!("{}\n{}\n", index.directory, index.text)
}
