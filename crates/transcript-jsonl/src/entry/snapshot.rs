//! Backups of files that a session changed.

use crate::json::Json;

/// The backups as they were at one message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The uuid of the message before which they were made.
    pub message_id: String,
    /// Whether it replaces an earlier snapshot of the same message.
    pub is_update: bool,
    /// When it was made, as written.
    pub timestamp: Option<String>,
    /// The backups, sorted by path.
    pub files: Vec<Backup>,
}

/// One file and its backup.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Backup {
    /// The file, as written.
    pub path: String,
    /// The name of the backup in the session's folder; `None` where there was no file yet.
    pub name: Option<String>,
    /// Which backup of the file it is.
    pub version: Option<u64>,
    /// When it was made, as written.
    pub time: Option<String>,
}

impl Snapshot {
    pub(super) fn of(line: Json<'_>) -> Option<Self> {
        let snapshot = line.get("snapshot")?;
        let text = |of: Json<'_>, name: &str| Some(of.get(name)?.str()?.into_owned());
        let mut files: Vec<Backup> = snapshot
            .get("trackedFileBackups")
            .map(Json::fields)
            .unwrap_or_default()
            .into_iter()
            .filter(|(_, backup)| backup.is_object())
            .map(|(path, backup)| Backup {
                path,
                name: text(backup, "backupFileName"),
                version: backup.get("version").and_then(Json::u64),
                time: text(backup, "backupTime"),
            })
            .collect();
        files.sort();
        Some(Self {
            message_id: text(snapshot, "messageId").or_else(|| text(line, "messageId"))?,
            is_update: line.get("isSnapshotUpdate").and_then(Json::bool) == Some(true),
            timestamp: text(snapshot, "timestamp"),
            files,
        })
    }
}
