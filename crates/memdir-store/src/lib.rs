#![doc = include_str!("../README.md")]

mod attribution;
mod batch;
#[cfg(feature = "testing")]
pub mod conformance;
pub mod disk;
mod error;
mod holder;
#[cfg(feature = "fs")]
mod kernel_lock;
mod merge;
mod op_id;
mod port;
mod receipt;
mod revision;
mod store;

pub mod files;
pub mod lease;
pub mod limits;
pub mod location;
pub mod overlay;
pub mod project;

pub use attribution::{Actor, Attribution};
pub use batch::{Batch, Change, Edit, Expect, IndexOp, OpKind, PartUndone};
pub use error::{ApplyError, Conflict, Error, Merge, Refusal, UndoError};
pub use holder::Holder;
pub use op_id::{OpId, OpIdFault};
pub use port::{Entry, FileKind, Flow, Listed, ReadStore, SkipReason, Skipped, WriteStore};
pub use receipt::{Action, Changed, IndexChanged, LineChanged, Outcome, Receipt, Recovered};
pub use revision::{Revision, RevisionFault};
pub use store::{
    Health, History, InMemory, Logged, LoggedFile, LoggedState, Mended, Options, Outside, Purged,
    Remedy, StateFault, StateName, Store, Trail, Turn, UndoConflict, UndoFault, UndoReport,
    UndoTarget, UndoWhat,
};
#[cfg(feature = "fs")]
pub use store::{LocalDir, SystemClock};
