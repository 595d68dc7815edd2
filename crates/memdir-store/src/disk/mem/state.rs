//! What a directory in memory holds, and what of it is safe.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    time::SystemTime,
};

use super::Counts;
use crate::{
    FileKind,
    disk::{Persist, Stat},
};

#[derive(Clone)]
pub(super) struct State {
    /// What every name but the directory's own stands for now.
    pub(super) names: BTreeMap<String, u64>,
    pub(super) nodes: BTreeMap<u64, Node>,
    /// What every name stands for after a power cut that keeps nothing it need not keep.
    pub(super) durable: BTreeMap<String, u64>,
    /// Changes of names since their folder was last made durable, in order.
    pub(super) pending: Vec<NameChange>,
    pub(super) locks: BTreeSet<String>,
    pub(super) counts: Counts,
    pub(super) randoms: u64,
    pub(super) can_exchange: bool,
}

#[derive(Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) modified: SystemTime,
}

#[derive(Clone)]
pub(super) enum Kind {
    File { bytes: Vec<u8>, durable: Vec<u8> },
    Folder,
    Link(String),
    Special(FileKind),
}

/// One step of a folder: after a power cut it has happened in full or not at all.
#[derive(Clone)]
pub(super) struct NameChange {
    pub(super) folder: String,
    pub(super) sets: Vec<(String, Option<u64>)>,
}

impl State {
    pub(super) fn add(&mut self, node: Node) -> u64 {
        let number = self.nodes.last_key_value().map_or(1, |(last, _)| last + 1);
        self.nodes.insert(number, node);
        number
    }

    pub(super) fn node(&self, path: &str) -> Option<&Node> {
        self.nodes.get(self.names.get(path)?)
    }

    pub(super) fn node_mut(&mut self, path: &str) -> Option<&mut Node> {
        self.nodes.get_mut(self.names.get(path)?)
    }

    pub(super) fn kind(&self, path: &str) -> Option<FileKind> {
        if path.is_empty() {
            return Some(FileKind::Folder);
        }
        Some(match &self.node(path)?.kind {
            Kind::File { .. } => FileKind::File,
            Kind::Folder => FileKind::Folder,
            Kind::Link(_) => FileKind::Link,
            Kind::Special(kind) => *kind,
        })
    }

    pub(super) fn stat(&self, path: &str) -> Option<Stat> {
        let kind = self.kind(path)?;
        let Some((number, node)) = self.names.get(path).zip(self.node(path)) else {
            let modified = SystemTime::UNIX_EPOCH;
            return Some(Stat { kind, len: 0, modified, links: 1, id: (0, 0) });
        };
        let len = match &node.kind {
            Kind::File { bytes, .. } => bytes.len() as u64,
            Kind::Folder | Kind::Link(_) | Kind::Special(_) => 0,
        };
        let links = self.names.values().filter(|other| *other == number).count() as u64;
        Some(Stat { kind, len, modified: node.modified, links, id: (0, *number) })
    }

    /// Fails as the system would if the folder of `path` is missing or something else.
    pub(super) fn check_parent(&self, path: &str) -> io::Result<()> {
        for (end, _) in path.match_indices('/') {
            match self.kind(path.get(..end).unwrap_or_default()) {
                Some(FileKind::Folder) => {}
                Some(_) => return Err(io::ErrorKind::NotADirectory.into()),
                None => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        Ok(())
    }

    pub(super) fn set(&mut self, sets: Vec<(String, Option<u64>)>) {
        for (path, node) in &sets {
            apply(&mut self.names, path, *node);
        }
        let folder = sets.first().map(|(path, _)| parent(path).to_owned()).unwrap_or_default();
        self.pending.push(NameChange { folder, sets });
    }

    pub(super) fn set_durably(&mut self, path: &str, node: Option<u64>) {
        apply(&mut self.names, path, node);
        apply(&mut self.durable, path, node);
    }

    pub(super) fn write(&mut self, path: &str, bytes: &[u8], persist: Persist, now: SystemTime) {
        self.counts.writes += 1;
        self.counts.file_syncs += u64::from(persist == Persist::Now);
        let Some(node) = self.node_mut(path) else { return };
        node.modified = now;
        if let Kind::File { bytes: all, durable } = &mut node.kind {
            all.extend_from_slice(bytes);
            if persist == Persist::Now {
                durable.clone_from(all);
            }
        }
    }
}

pub(super) fn apply(names: &mut BTreeMap<String, u64>, path: &str, node: Option<u64>) {
    match node {
        Some(node) => names.insert(path.to_owned(), node),
        None => names.remove(path),
    };
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
