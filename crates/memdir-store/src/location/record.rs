//! `.memdir/project.json`: which project a memory folder belongs to.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{decide::Location, disk, error::Error};

/// Longest record that is read, in bytes: two paths of `PATH_MAX` and room for keys of later versions.
const MAX_RECORD_BYTES: u64 = 16 * 1024;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) root: String,
    /// Keys of later versions, kept when the record is written again.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Record {
    pub(super) fn read(location: &Location) -> Result<Option<Self>, Error> {
        let path = record_path(&location.directory);
        let bytes = disk::head(&path, MAX_RECORD_BYTES).map_err(|source| Error::Io {
            op: "read",
            path: path.clone(),
            source,
        })?;
        bytes
            .map(|bytes| serde_json::from_slice(&bytes))
            .transpose()
            .map_err(|source| Error::Record { path, source })
    }
}

pub(super) fn record_path(directory: &Path) -> PathBuf {
    directory.join(".memdir").join("project.json")
}
