//! Where a memory directory is: one value, computed once, for prompt, scan, write and hooks alike.
//!
//! [`Inputs`] is everything that decides, as data; nothing here reads an environment variable or the
//! process's current directory. [`resolve`] finds the project and decides; [`decide()`] is the decision alone.
//! Neither creates anything. [`claim()`] says whether a folder is this project's, [`record()`] writes that down,
//! [`create()`] makes the folder. [`left_behind`] finds the memory that a project had under another path.
//!
//! ```
//! use std::path::Path;
//!
//! use memdir_store::location::{Inputs, Project, Setting, SettingScope, decide};
//!
//! let mut inputs = Inputs::new("/srv/app").with_home("/home/ada");
//! inputs.settings.push(Setting::new(SettingScope::Project, "~/.ssh"));
//! let location = decide(&inputs, Project::at("/srv/app"), &Path::to_path_buf)?;
//! assert_eq!(location.directory, Path::new("/home/ada/.claude/projects/-srv-app/memory"));
//! for refusal in &location.refusals {
//!     assert!(refusal.to_string().contains("a repository must not choose"));
//! }
//! # Ok::<(), memdir_store::location::Error>(())
//! ```

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
#[cfg(feature = "fs")]
mod moved;
mod project;
#[cfg(feature = "fs")]
mod record;
mod refusal;
mod value;

#[cfg(feature = "fs")]
pub use claim::{Claim, Other, claim};
#[cfg(feature = "fs")]
pub use create::{Created, create};
#[cfg(feature = "fs")]
pub(crate) use create::{Fault as CreateFault, create_folder};
pub use decide::{ClientBase, Location, Source, client_base, decide};
#[cfg(feature = "fs")]
pub use discover::{discover, real_folder, resolve, resolve_client_base, resolve_for};
pub use error::Error;
pub use inputs::{
    Inputs, Layout, Platform, ProjectVariable, Setting, SettingScope, Variable, Worktrees,
};
#[cfg(feature = "fs")]
pub use moved::{LeftBehind, Likeness, bring_along, left_behind};
pub use project::{Project, Warning};
#[cfg(feature = "fs")]
pub use record::{record, relink};
pub use refusal::{Reason, Refusal, Scope};
