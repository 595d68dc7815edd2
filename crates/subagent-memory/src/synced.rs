//! The record of which snapshot a memory has taken in. It belongs to the user's own state, not to a folder that is shared.

use std::time::SystemTime;

use memdir_core::{MemPath, project_key};
use memdir_store::{ApplyError, Attribution, Batch, Error, Expect, OpKind, ReadStore, WriteStore};
use serde::Deserialize;
use serde_json::json;

use crate::{Stamp, limits};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    directory: String,
    synced_from: String,
}

/// Returns which snapshot the memory in `directory` has taken in or dismissed; `None` where nothing is recorded.
///
/// A record that is damaged counts as none: the worst that follows is an offer made once more.
///
/// # Errors
///
/// When the record cannot be read.
pub fn synced_from(
    state: &impl ReadStore,
    directory: &str,
    now: SystemTime,
) -> Result<Option<Stamp>, Error> {
    let Some(bytes) = state.read_head(&path(directory), limits::META_BYTES)? else {
        return Ok(None);
    };
    let record = serde_json::from_slice::<Record>(&bytes).ok();
    let record = record.filter(|record| record.directory == directory);
    Ok(record.and_then(|record| Stamp::parse(&record.synced_from, now).ok()))
}

/// Records that the memory in `directory` has taken in or dismissed the snapshot of that date.
///
/// # Errors
///
/// When the record cannot be written; what was recorded before stays.
pub fn record_synced(
    state: &impl WriteStore,
    directory: &str,
    stamp: &Stamp,
    by: &Attribution,
) -> Result<(), SyncedError> {
    let record = json!({"directory": directory, "syncedFrom": stamp.as_str()});
    let kind = OpKind::Named("agent-snapshot".to_owned());
    let batch = Batch::new(kind).put(path(directory), format!("{record:#}\n"), Expect::Any);
    state.apply(&batch, by)?;
    Ok(())
}

/// Which snapshot a memory has taken in could not be recorded.
#[derive(Debug, thiserror::Error)]
#[error("which snapshot the memory has taken in is not recorded")]
#[non_exhaustive]
pub struct SyncedError {
    /// Why.
    #[from]
    pub source: ApplyError,
}

fn path(directory: &str) -> MemPath {
    MemPath::parse(&format!("{}.json", project_key::memdir(directory)))
        .expect("because the key of a path is a legal name everywhere")
}
