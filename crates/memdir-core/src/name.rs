//! Names for new memories: a slug of what the memory is called, in any script.

use crate::{MemPath, MemoryType};

/// Returns the words of a name in lower case with `-` between them; any script stays as it is.
pub fn slug(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}

/// Returns `<type>_<slug>.md`, or `<slug>.md` for a memory without a type; always a valid path.
pub fn file_name(kind: Option<MemoryType>, name: &str) -> MemPath {
    let kind = kind.map_or("", |kind| kind.as_str());
    MemPath::parse(&format!("{kind}_{}.md", slug(name))).unwrap_or_else(|_| MemPath::index())
}
