#![doc = include_str!("../README.md")]

mod agents;
mod definition;
mod files;
mod name;
mod offer;
mod place;
mod prompt;
mod scope;
mod snapshot;
mod stamp;
mod status;
mod synced;
mod transfer;

pub mod limits;

pub use agents::{Agents, Surroundings, Unread};
pub use definition::{Definition, Definitions, definitions};
pub use files::{Files, FilesError, files};
pub use name::{AgentName, NameFault};
pub use offer::{Differences, Offer, merge_offer};
pub use place::{Place, SNAPSHOTS};
pub use prompt::{Prompt, prompt};
pub use scope::Scope;
pub use snapshot::{META, Snapshot, SnapshotError, snapshot};
pub use stamp::{Stamp, StampFault};
pub use status::{State, Status};
pub use synced::{SyncedError, record_synced, synced_from};
pub use transfer::{InitError, SaveError, Saved, initialize, save};
