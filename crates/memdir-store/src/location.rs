//! Where a memory directory is: one value, computed once, for prompt, scan, write and hooks alike.
//!
//! [`Inputs`] is everything that decides, as data; nothing here reads an environment variable or the
//! process's current directory. [`resolve`] finds the project and decides; [`decide`] is the decision alone.
//! Neither creates anything. [`claim`] says whether a folder is this project's, [`record`] writes that down,
//! [`create`] makes the folder.

#[cfg(feature = "fs")]
mod claim;
#[cfg(feature = "fs")]
mod create;
mod decide;
#[cfg(feature = "fs")]
mod discover;
#[cfg(feature = "fs")]
mod disk;
mod error;
mod inputs;
mod project;
#[cfg(feature = "fs")]
mod record;
mod refusal;
mod value;

#[cfg(feature = "fs")]
pub use claim::{Claim, Other, claim};
#[cfg(feature = "fs")]
pub use create::{Created, create};
pub use decide::{Location, Source, decide};
#[cfg(feature = "fs")]
pub use discover::{discover, resolve};
pub use error::Error;
pub use inputs::{
    Inputs, Layout, Platform, ProjectVariable, Setting, SettingScope, Variable, Worktrees,
};
pub use project::{Project, Warning};
#[cfg(feature = "fs")]
pub use record::{record, relink};
pub use refusal::{Reason, Refusal, Scope};
