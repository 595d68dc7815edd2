//! Which backup of which file a session can be taken back to.

use std::collections::{BTreeMap, HashMap};

use crate::entry::{Backup, Snapshot};
use crate::line::Place;

/// The backups of the files that a branch changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileHistory {
    /// One snapshot a message, in the order in which the messages were first backed up, each with the line that it is from.
    pub snapshots: Vec<(Place, Snapshot)>,
}

impl FileHistory {
    /// Takes snapshots in the order of the file. The latest of a message counts, whether or not it calls itself an update.
    pub(crate) fn of(all: Vec<(Place, Snapshot)>) -> Self {
        let mut places = HashMap::new();
        let mut snapshots: Vec<(Place, Snapshot)> = Vec::new();
        for (place, snapshot) in all {
            let at = *places.entry(snapshot.message_id.clone()).or_insert(snapshots.len());
            match snapshots.get_mut(at) {
                Some(known) => *known = (place, snapshot),
                None => snapshots.push((place, snapshot)),
            }
        }
        Self { snapshots }
    }

    /// Returns the latest backup of each file, sorted by path.
    pub fn files(&self) -> Vec<&Backup> {
        let mut files = BTreeMap::new();
        for backup in self.snapshots.iter().flat_map(|(_, snapshot)| &snapshot.files) {
            files.insert(backup.path.as_str(), backup);
        }
        files.into_values().collect()
    }

    /// Returns the names of backups, each once, that `is_there` does not know.
    pub fn missing(&self, is_there: impl Fn(&str) -> bool) -> Vec<&str> {
        let backups = self.snapshots.iter().flat_map(|(_, snapshot)| &snapshot.files);
        let mut names: Vec<_> = backups.filter_map(|backup| backup.name.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !is_there(name));
        names
    }

    /// Returns the folder of a session's backups, below the client's own.
    pub fn folder(session_id: &str) -> String {
        format!("file-history/{session_id}")
    }
}
