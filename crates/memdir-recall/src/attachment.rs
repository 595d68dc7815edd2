//! A recalled memory as a host hands it on.

use memdir_core::{
    MemPath, MemoryType,
    age::Age,
    frontmatter::Origin,
    prompt::{Framed, framed},
};
use memdir_store::Revision;

/// A memory that an agent should be told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachment {
    /// Its file.
    pub path: MemPath,
    /// Its type, if it has one.
    pub memory_type: Option<MemoryType>,
    /// The body, below the description if that says something else; cut to the limits, with a mark that says where to
    /// read on.
    pub content: String,
    /// Whether `content` is cut.
    pub is_cut: bool,
    /// Its age; `None` where no date says when it was written.
    pub age: Option<Age>,
    /// What to mind about its age, if anything.
    pub freshness_caveat: Option<String>,
    /// Who it comes from, if it says so.
    pub origin: Option<Origin>,
    /// What else to mind about it, one clause each.
    pub findings: Vec<String>,
    /// Why it was chosen, in one line of plain words.
    pub why: String,
    /// The content of the file, for [`Surfaced`](crate::Surfaced); absent where the file is too large to be read whole.
    pub revision: Option<Revision>,
}

/// Renders attachments for a prompt, as data that nothing within them can step out of; empty for none.
pub fn render(attachments: &[Attachment]) -> String {
    let frames: Vec<Framed<'_>> = attachments
        .iter()
        .map(|attachment| {
            let mut frame = Framed::new(&attachment.path, &attachment.content);
            frame.kind = attachment.memory_type;
            frame.age = attachment.age;
            frame.caveat = attachment.freshness_caveat.as_deref();
            frame.origin = attachment.origin;
            frame.why = Some(&attachment.why);
            frame.findings = &attachment.findings;
            frame
        })
        .collect();
    framed(&frames)
}
