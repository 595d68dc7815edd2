//! What is in a folder of a project.

use memdir_core::text::escape_control;

use super::{Error, ProjectPath, search::Tree};
use crate::FileKind;

/// A folder of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a folder is the project or within it")]
pub enum Folder {
    /// The project itself.
    Root,
    /// A folder within.
    Within(ProjectPath),
}

impl Folder {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Root => "",
            Self::Within(path) => path.as_str(),
        }
    }
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listing {
    /// What was found, ordered by name.
    pub names: Vec<Listed>,
    /// Whether that is everything; names that are not UTF-8 and those over the limit are left out.
    pub complete: bool,
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The name, fit to print: control characters are escaped.
    pub name: String,
    /// What it stands for.
    pub kind: FileKind,
}

pub(super) fn list(tree: &impl Tree, folder: &Folder, max_names: usize) -> Result<Listing, Error> {
    let mut found = tree.list(folder.as_str(), max_names.saturating_add(1))?;
    let mut complete = found.len() <= max_names;
    found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut names = Vec::new();
    for (name, kind) in found.into_iter().take(max_names) {
        match name {
            Some(name) => {
                names.push(Listed { name: escape_control(&name).into_owned(), kind });
            }
            None => complete = false,
        }
    }
    Ok(Listing { names, complete })
}
