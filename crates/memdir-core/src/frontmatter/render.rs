use std::time::SystemTime;

use super::Origin;
use crate::MemoryType;

/// What a new memory file is made of; [`render`] writes it.
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

/// Writes a memory file in the nested shape.
#[must_use]
pub fn render(new: &NewMemory<'_>) -> String {
    format!("---\nname: {}\ndescription: {}\n---\n\n{}", new.name, new.description, new.body)
}
