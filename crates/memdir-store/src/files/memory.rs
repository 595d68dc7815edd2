//! Files in memory.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use super::{Error, Files, Found, Identity, Name, Same};
use crate::FileKind;

/// Links that are followed on the way to one file, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// Files in memory: for tests, and for hosts that have files from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct InMemoryFiles {
    nodes: BTreeMap<PathBuf, Node>,
    contents: Vec<Vec<u8>>,
}

#[derive(Debug, Clone)]
enum Node {
    /// Place in `contents`, which names of one file have in common.
    File(usize),
    Link(PathBuf),
    Special(FileKind),
}

impl InMemoryFiles {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file by its absolute path; the folders above it come with it.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        self.nodes.insert(path.into(), Node::File(self.contents.len()));
        self.contents.push(bytes.into());
        self
    }

    /// Adds a link; the target is absolute, or relative to the folder of the link.
    #[must_use]
    pub fn link(mut self, path: impl Into<PathBuf>, target: impl Into<PathBuf>) -> Self {
        self.nodes.insert(path.into(), Node::Link(target.into()));
        self
    }

    /// Adds another name for a file that is there; for anything else nothing is added.
    #[must_use]
    pub fn hard_link(mut self, path: impl Into<PathBuf>, file: &Path) -> Self {
        if let Some(Node::File(content)) = self.nodes.get(file) {
            let node = Node::File(*content);
            self.nodes.insert(path.into(), node);
        }
        self
    }

    /// Adds something that is no file, such as a named pipe.
    #[must_use]
    pub fn special(mut self, path: impl Into<PathBuf>, kind: FileKind) -> Self {
        self.nodes.insert(path.into(), Node::Special(kind));
        self
    }

    /// The path without links; `None` if they go in a circle.
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let mut links = 0;
        let mut real = PathBuf::new();
        let mut ahead: Vec<OsString> = parts(path);
        while let Some(part) = ahead.pop() {
            if part == OsStr::new("..") {
                real.pop();
                continue;
            }
            let next = real.join(&part);
            match self.nodes.get(&next) {
                Some(Node::Link(_)) if links == MAX_LINKS => return None,
                Some(Node::Link(target)) => {
                    links += 1;
                    ahead.extend(parts(target));
                }
                Some(Node::File(_) | Node::Special(_)) | None => real = next,
            }
        }
        Some(real)
    }

    fn below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = (&'a Path, &'a Node)> {
        let all = self.nodes.range(folder.to_owned()..);
        all.map(|(path, node)| (path.as_path(), node))
            .take_while(move |(path, _)| path.starts_with(folder))
            .filter(move |(path, _)| *path != folder)
    }
}

/// The parts of a path, the last one first; joining the root begins anew.
fn parts(path: &Path) -> Vec<OsString> {
    let part =
        |part: Component<'_>| (part != Component::CurDir).then(|| part.as_os_str().to_owned());
    path.components().rev().filter_map(part).collect()
}

impl Files for InMemoryFiles {
    fn look(&self, path: &Path) -> Result<Option<Found>, Error> {
        let Some(path) = self.resolve(path) else { return Ok(None) };
        let by_path = |path: &Path| Identity(Same::Path(path.to_owned()));
        let (kind, bytes, identity) = match self.nodes.get(&path) {
            Some(Node::File(content)) => {
                let bytes = self.contents.get(*content).map_or(0, |bytes| bytes.len() as u64);
                let node = Same::Node { device: 0, number: *content as u64 };
                (FileKind::File, bytes, Identity(node))
            }
            Some(Node::Special(kind)) => (*kind, 0, by_path(&path)),
            Some(Node::Link(_)) | None => match self.below(&path).next() {
                Some(_) => (FileKind::Folder, 0, by_path(&path)),
                None => return Ok(None),
            },
        };
        Ok(Some(Found { path, kind, bytes, identity }))
    }

    fn list(&self, folder: &Found, max: usize) -> Result<Vec<Name>, Error> {
        let mut names = BTreeMap::new();
        for (path, node) in self.below(&folder.path) {
            let below = path.strip_prefix(&folder.path).unwrap_or(path);
            let mut parts = below.iter();
            let Some(name) = parts.next() else { continue };
            let kind = match (parts.next(), node) {
                (Some(_), _) => FileKind::Folder,
                (None, Node::File(_)) => FileKind::File,
                (None, Node::Link(_)) => FileKind::Link,
                (None, Node::Special(kind)) => *kind,
            };
            names.insert(name.to_owned(), kind);
        }
        Ok(names.into_iter().map(|(name, kind)| Name { name, kind }).take(max).collect())
    }

    fn read(&self, file: &Found, max_bytes: u64) -> Result<Vec<u8>, Error> {
        let path = file.path.clone();
        if file.kind != FileKind::File {
            return Err(Error::NotAFile { path, kind: file.kind });
        }
        let Some(Node::File(content)) = self.nodes.get(&path) else {
            return Err(Error::Changed { path });
        };
        let max = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        let bytes = self.contents.get(*content).into_iter().flatten();
        Ok(bytes.copied().take(max).collect())
    }
}
