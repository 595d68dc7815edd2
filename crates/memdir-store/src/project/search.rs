//! Bounded search through a project.

use std::collections::VecDeque;

use memdir_core::text::escape_control;

use super::{Error, Needle};
use crate::FileKind;

/// Bounds of a search. What ends it shows in [`Found::complete`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Names listed, files and folders together.
    pub max_names: usize,
    /// Bytes read in all.
    pub max_bytes: u64,
    /// Bytes read of one file; what follows is not looked at.
    pub max_file_bytes: u64,
    /// Files reported; the search ends with the last.
    pub max_hits: usize,
    /// Deepest folder that is listed; the project itself has depth 0.
    pub max_depth: usize,
    /// Names of folders that are not entered, at any depth: what tools download and build.
    pub skip: Vec<String>,
    /// Paths of folders that are not entered, such as a memory directory within the project, which names whatever it claims.
    pub exclude: Vec<super::ProjectPath>,
}

impl Default for Limits {
    /// Bounds of our own for a look-up before an answer: a project of the size of a compiler is searched whole,
    /// a home folder is not.
    fn default() -> Self {
        Self {
            max_names: 100_000,
            max_bytes: 128 * 1024 * 1024,
            max_file_bytes: 1024 * 1024,
            max_hits: 1,
            max_depth: 32,
            skip: ["node_modules", "target", "build", "dist", "vendor", "__pycache__"]
                .map(str::to_owned)
                .into(),
            exclude: Vec::new(),
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Found {
    /// The files that have it, each once, nearest to the root first, then by name.
    pub hits: Vec<Hit>,
    /// Whether no limit ended the search. Only then, and with nothing [`cut`](Self::cut) or
    /// [`unreadable`](Self::unreadable), does no hit mean that the text is in none of the files that a search enters.
    pub complete: bool,
    /// Files looked into.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Files of which only the first [`Limits::max_file_bytes`] were looked at.
    pub cut: u64,
    /// Files and folders that could not be read.
    pub unreadable: u64,
}

/// A file that has the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// Its path within the project, fit to print: control characters are escaped.
    pub path: String,
    /// The first line that has it, from 1.
    pub line: u64,
}

/// What a search needs of a project; paths are `/`-separated, the project itself is empty.
pub(super) trait Tree {
    /// At most `max` names in a folder with what they stand for, links not followed. A name that is not UTF-8 is `None`.
    fn list(&self, folder: &str, max: usize) -> Result<Vec<(Option<String>, FileKind)>, Error>;

    /// The first bytes of a regular file that was listed.
    fn head(&self, path: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, Error>;
}

pub(super) fn search(tree: &impl Tree, needle: &Needle, limits: &Limits) -> Result<Found, Error> {
    let mut found = Found { complete: true, ..Found::default() };
    let mut names_left = limits.max_names;
    let mut folders = VecDeque::from([(String::new(), 0_usize)]);
    while let Some((folder, depth)) = folders.pop_front() {
        let mut names = match tree.list(&folder, names_left.saturating_add(1)) {
            Ok(names) => names,
            Err(error) if folder.is_empty() => return Err(error),
            Err(_) => {
                found.unreadable += 1;
                continue;
            }
        };
        names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        found.complete &= names.len() <= names_left;
        names.truncate(names_left);
        names_left -= names.len();
        for (name, kind) in names {
            let Some(name) = name else {
                found.unreadable += 1;
                continue;
            };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            match kind {
                FileKind::Folder if is_skipped(&name, &path, limits) => {}
                FileKind::Folder if depth >= limits.max_depth => found.complete = false,
                FileKind::Folder => folders.push_back((path, depth + 1)),
                FileKind::File => look_into(tree, &path, needle, limits, &mut found),
                FileKind::Link
                | FileKind::Fifo
                | FileKind::Socket
                | FileKind::Device
                | FileKind::Other => {}
            }
            if found.hits.len() >= limits.max_hits || found.bytes >= limits.max_bytes {
                found.complete = false;
                return Ok(found);
            }
        }
    }
    Ok(found)
}

fn is_skipped(name: &str, path: &str, limits: &Limits) -> bool {
    name.starts_with('.')
        || limits.skip.iter().any(|skipped| skipped == name)
        || limits.exclude.iter().any(|excluded| excluded.as_str() == path)
}

fn look_into(tree: &impl Tree, path: &str, needle: &Needle, limits: &Limits, found: &mut Found) {
    let max = limits.max_file_bytes.min(limits.max_bytes - found.bytes);
    // One byte more tells a file that ends here from one that goes on.
    let Ok(Some(mut bytes)) = tree.head(path, max.saturating_add(1)) else {
        found.unreadable += 1;
        return;
    };
    if bytes.len() as u64 > max {
        bytes.pop();
        found.cut += 1;
    }
    found.files += 1;
    found.bytes += bytes.len() as u64;
    if let Some(line) = needle.first_line(&bytes) {
        found.hits.push(Hit { path: escape_control(path).into_owned(), line });
    }
}
