#![doc = include_str!("../README.md")]

mod commit;
mod digest;
mod inbox;
mod index_line;
mod lineage;
mod notice;
mod place;
mod plan;
mod policy;
mod read_back;
mod shown;
mod snapshot;
mod tombstones;
mod validate;
mod verdict;

pub mod limits;

pub use commit::{CommitError, Committed, commit};
pub use inbox::{
    Added, Asked, Inbox, InboxError, Item, ProposedFile, Standing, apply, dismiss, forget_in_inbox,
};
pub use index_line::{Given, index_op};
pub use lineage::{Derived, How, Lineage, Uncovered, lineage};
pub use notice::{Notice, Touched, deliver};
pub use plan::{
    Change, Draft, Evidence, Note, NoteKind, Operation, Plan, Reading, Revised, plan_schema,
    read_plan,
};
pub use policy::{Mode, Policy};
pub use read_back::{Unreadable, check_listed, check_rendered};
pub use snapshot::Snapshot;
pub use tombstones::{Tombstones, forget, lift};
pub use validate::{Message, Terms, validate};
pub use verdict::{Hold, Judged, Judgement, OpWord, Rule, Verdict};
