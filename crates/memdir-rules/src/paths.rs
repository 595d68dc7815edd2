//! Paths as text: made plain, and seen from a folder.

use std::path::{Component, Path, PathBuf};

/// The path from `folder` on, without `.` and `..`; links are not looked at.
pub(crate) fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let mut absolute = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                absolute.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => absolute.push(part),
        }
    }
    absolute
}

/// A folder by the path that it was reached by and by the one without links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Base {
    pub(crate) path: PathBuf,
    pub(crate) real: PathBuf,
}

impl Base {
    /// A path within the folder as patterns see it, `/` between names; `None` for what is not in it.
    pub(crate) fn relative(&self, path: &Path) -> Option<String> {
        let within =
            path.strip_prefix(&self.path).or_else(|_| path.strip_prefix(&self.real)).ok()?;
        let names: Vec<_> = within.iter().map(|name| name.to_string_lossy()).collect();
        (!names.is_empty()).then(|| names.join("/"))
    }

    /// Whether a path is the folder or within it.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.path) || path.starts_with(&self.real)
    }
}
