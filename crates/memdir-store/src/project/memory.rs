//! A project in memory.

use std::collections::BTreeMap;

use super::{
    Error, Folder, Found, Limits, Listing, Needle, ProjectFiles, ProjectPath, listing, search,
};
use crate::FileKind;

/// A project in memory: for tests, and for hosts that have files from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct InMemoryProject {
    nodes: BTreeMap<String, Node>,
}

#[derive(Debug, Clone)]
enum Node {
    File(Vec<u8>),
    LinkOut,
    Special(FileKind),
}

impl Node {
    fn kind(&self) -> FileKind {
        match self {
            Self::File(_) => FileKind::File,
            Self::LinkOut => FileKind::Link,
            Self::Special(kind) => *kind,
        }
    }
}

impl InMemoryProject {
    /// An empty project.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; the folders above it come with it.
    #[must_use]
    pub fn file(self, path: &ProjectPath, bytes: impl Into<Vec<u8>>) -> Self {
        self.node(path, Node::File(bytes.into()))
    }

    /// Adds a link that leads out of the project.
    #[must_use]
    pub fn link_out(self, path: &ProjectPath) -> Self {
        self.node(path, Node::LinkOut)
    }

    /// Adds something that is no file, such as a named pipe.
    #[must_use]
    pub fn special(self, path: &ProjectPath, kind: FileKind) -> Self {
        self.node(path, Node::Special(kind))
    }

    fn node(mut self, path: &ProjectPath, node: Node) -> Self {
        self.nodes.insert(path.as_str().to_owned(), node);
        self
    }

    /// The node, once no link above it leads out.
    fn find(&self, path: &ProjectPath) -> Result<Option<&Node>, Error> {
        let leads_out = |path: &str| matches!(self.nodes.get(path), Some(Node::LinkOut));
        let mut above =
            path.as_str().match_indices('/').filter_map(|(at, _)| path.as_str().get(..at));
        if leads_out(path.as_str()) || above.any(leads_out) {
            return Err(Error::LeadsOut { path: path.to_string() });
        }
        Ok(self.nodes.get(path.as_str()))
    }

    fn is_folder(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.nodes.range(below.clone()..).next().is_some_and(|(path, _)| path.starts_with(&below))
    }
}

impl ProjectFiles for InMemoryProject {
    fn kind(&self, path: &ProjectPath) -> Result<Option<FileKind>, Error> {
        let node = self.find(path)?.map(Node::kind);
        Ok(node.or_else(|| self.is_folder(path.as_str()).then_some(FileKind::Folder)))
    }

    fn read_head(&self, path: &ProjectPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let kind = self.kind(path)?;
        match self.find(path)? {
            Some(Node::File(bytes)) => {
                let max = usize::try_from(max_bytes).unwrap_or(usize::MAX);
                Ok(Some(bytes.iter().copied().take(max).collect()))
            }
            Some(Node::LinkOut | Node::Special(_)) | None => match kind {
                Some(kind) => Err(Error::NotAFile { path: path.to_string(), kind }),
                None => Ok(None),
            },
        }
    }

    fn list(&self, folder: &Folder, max_names: usize) -> Result<Option<Listing>, Error> {
        if let Folder::Within(path) = folder
            && self.kind(path)? != Some(FileKind::Folder)
        {
            return Ok(None);
        }
        listing::list(self, folder, max_names).map(Some)
    }

    fn search(&self, needle: &Needle, limits: &Limits) -> Result<Found, Error> {
        search::search(self, needle, limits)
    }
}

impl search::Tree for InMemoryProject {
    fn list(&self, folder: &str, max: usize) -> Result<Vec<(Option<String>, FileKind)>, Error> {
        let mut names = BTreeMap::new();
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        for (path, node) in &self.nodes {
            let Some(rest) = path.strip_prefix(&prefix) else { continue };
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (Some(name.to_owned()), FileKind::Folder),
                None => (Some(rest.to_owned()), node.kind()),
            };
            if names.len() < max {
                names.insert(name, kind);
            }
        }
        Ok(names.into_iter().collect())
    }

    fn head(&self, path: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let max = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        Ok(match self.nodes.get(path) {
            Some(Node::File(bytes)) => Some(bytes.iter().copied().take(max).collect()),
            Some(Node::LinkOut | Node::Special(_)) | None => None,
        })
    }
}
