//! Snapshots of a memory: a folder with the files and `snapshot.json`, which says of when they are.

use std::{collections::BTreeMap, time::SystemTime};

use memdir_core::MemPath;
use memdir_store::{Error, ReadStore, Revision, Skipped};
use serde_json::{Map, Value};

use crate::{Files, FilesError, Stamp, StampFault, files, limits};

/// The file that says of when a snapshot is.
pub const META: &str = "snapshot.json";

/// The key of the date, and what other programs call it.
const DATE_KEYS: [&str; 2] = ["updatedAt", "timestamp"];

/// A snapshot, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Of when it is.
    pub stamp: Stamp,
    /// The files of the memory, by path.
    pub files: BTreeMap<MemPath, Vec<u8>>,
    /// The content of `snapshot.json`.
    pub(crate) meta: Meta,
}

/// `snapshot.json` as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) keys: Map<String, Value>,
    pub(crate) revision: Revision,
}

/// Reads a snapshot from its folder; `None` where there is no `snapshot.json`, or no file beside it.
///
/// # Errors
///
/// [`SnapshotError`] for whatever a snapshot does not hold; nothing of it should be used then.
pub fn snapshot(
    store: &impl ReadStore,
    now: SystemTime,
) -> Result<Option<Snapshot>, SnapshotError> {
    let Some(meta) = meta(store)? else { return Ok(None) };
    let stamp = meta.stamp(now)?;
    let Files { files, skipped, .. } = files(store)?;
    if let Some(skipped) = skipped.into_iter().next() {
        return Err(SnapshotError::NotPlain { skipped });
    }
    Ok((!files.is_empty()).then_some(Snapshot { stamp, files, meta }))
}

/// Reads `snapshot.json`; `None` where there is none.
pub(crate) fn meta(store: &impl ReadStore) -> Result<Option<Meta>, SnapshotError> {
    let Some(bytes) = store.read_head(&meta_path(), limits::META_BYTES + 1)? else {
        return Ok(None);
    };
    if bytes.len() as u64 > limits::META_BYTES {
        return Err(SnapshotError::MetaTooLarge);
    }
    let without_mark = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let keys =
        serde_json::from_slice(without_mark).map_err(|source| SnapshotError::Json { source })?;
    Ok(Some(Meta { keys, revision: Revision::of(&bytes) }))
}

pub(crate) fn meta_path() -> MemPath {
    MemPath::parse(META).expect("because it is a plain name")
}

impl Meta {
    pub(crate) fn stamp(&self, now: SystemTime) -> Result<Stamp, SnapshotError> {
        let date = DATE_KEYS.iter().find_map(|key| self.keys.get(*key));
        let text = date.and_then(Value::as_str).ok_or(SnapshotError::NoDate)?;
        Ok(Stamp::parse(text, now)?)
    }
}

/// Writes `snapshot.json`: what other programs put there stays, keys are sorted.
pub(crate) fn render(mut keys: Map<String, Value>, stamp: &Stamp) -> Vec<u8> {
    let [date, others @ ..] = DATE_KEYS;
    for other in others {
        keys.remove(other);
    }
    keys.insert(date.to_owned(), Value::from(stamp.as_str()));
    format!("{:#}\n", Value::Object(keys)).into_bytes()
}

/// Why a snapshot is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// `snapshot.json` is not a JSON object.
    #[error("`{META}` is not a JSON object")]
    Json {
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// `snapshot.json` is longer than [`limits::META_BYTES`].
    #[error("`{META}` is longer than {} bytes", limits::META_BYTES)]
    MetaTooLarge,
    /// `snapshot.json` has no date.
    #[error("`{META}` has no text under `updatedAt`")]
    NoDate,
    /// The date is none, or lies in the future.
    #[error("the date in `{META}` is not usable")]
    Stamp(#[from] StampFault),
    /// Something in the snapshot is no plain file with a name that a memory can have.
    #[error("`{}` is not a plain file: {}", skipped.raw_name, skipped.reason)]
    NotPlain {
        /// The first of them by name.
        skipped: Skipped,
    },
    /// There is more than a snapshot may hold, or a file cannot be read.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// A folder or file cannot be read.
    #[error(transparent)]
    Store(#[from] Error),
}
