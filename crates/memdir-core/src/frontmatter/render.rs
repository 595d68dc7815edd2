//! The text of a new memory file.

use std::time::SystemTime;

use super::{Key, Origin, emit};
use crate::MemoryType;

/// What a new memory file is made of; [`render`] writes it.
///
/// ```
/// use memdir_core::MemoryType;
/// use memdir_core::frontmatter::{NewMemory, render};
///
/// let body = "Mocks hid a broken migration.\n";
/// let kind = Some(MemoryType::Feedback);
/// let mut new = NewMemory::new("no-mocks", "tests: use a real database", kind, body);
/// new.pinned = true;
/// assert_eq!(
///     render(&new),
///     "\
/// ---
/// name: no-mocks
/// description: \"tests: use a real database\"
/// metadata:
///   type: feedback
///   pinned: true
/// ---
///
/// Mocks hid a broken migration.
/// "
/// );
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NewMemory<'a> {
    /// `name`.
    pub name: &'a str,
    /// `description`, best one sentence.
    pub description: &'a str,
    /// `metadata.type`; none leaves the key out.
    pub kind: Option<MemoryType>,
    /// The text below the block, kept byte for byte.
    pub body: &'a str,
    /// `metadata.originSessionId`.
    pub origin_session: Option<&'a str>,
    /// `metadata.origin`.
    pub origin: Option<Origin>,
    /// `metadata.modified`, written in whole seconds.
    pub modified: Option<SystemTime>,
    /// `metadata.pinned`, written only where true.
    pub pinned: bool,
    /// `metadata.triggers`, left out where empty.
    pub triggers: &'a [String],
    /// `metadata.paths`, left out where empty.
    pub paths: &'a [String],
    /// `metadata.supersedes`, left out where empty.
    pub supersedes: &'a [String],
}

impl<'a> NewMemory<'a> {
    /// A memory without the optional keys, which are set as fields.
    pub fn new(
        name: &'a str,
        description: &'a str,
        kind: Option<MemoryType>,
        body: &'a str,
    ) -> Self {
        Self {
            name,
            description,
            kind,
            body,
            origin_session: None,
            origin: None,
            modified: None,
            pinned: false,
            triggers: &[],
            paths: &[],
            supersedes: &[],
        }
    }
}

/// Writes a memory file in the nested shape; [`parse`](super::parse) gives back what went in.
///
/// Each value stands on one line, in double quotes unless every YAML reader takes the plain text for itself. An empty
/// name or description is written as `""` and reads as absent. The caller keeps name, description and lists well below
/// [`MAX_BLOCK_BYTES`](crate::limits::MAX_BLOCK_BYTES), or the block cannot be read.
#[must_use]
pub fn render(new: &NewMemory<'_>) -> String {
    let mut text = String::with_capacity(256 + new.description.len() + new.body.len());
    let mut push = |parts: &[&str]| parts.iter().for_each(|part| text.push_str(part));
    push(&["---\nname: ", &emit::scalar(new.name)]);
    push(&["\ndescription: ", &emit::scalar(new.description), "\n"]);
    let list = |items: &[String]| (!items.is_empty()).then(|| emit::list(items));
    let nested = [
        (Key::Type, new.kind.map(|kind| kind.to_string())),
        (Key::OriginSession, new.origin_session.map(|id| emit::scalar(id).into_owned())),
        (Key::Origin, new.origin.map(|origin| origin.to_string())),
        (Key::Modified, new.modified.map(emit::date)),
        (Key::Pinned, new.pinned.then(|| "true".to_owned())),
        (Key::Triggers, list(new.triggers)),
        (Key::Paths, list(new.paths)),
        (Key::Supersedes, list(new.supersedes)),
    ];
    let mut nested = nested.into_iter().filter_map(|(key, value)| Some((key, value?))).peekable();
    if nested.peek().is_some() {
        push(&["metadata:\n"]);
    }
    for (key, value) in nested {
        push(&["  ", key.as_str(), ": ", &value, "\n"]);
    }
    push(&["---\n", if new.body.is_empty() { "" } else { "\n" }, new.body]);
    text
}
