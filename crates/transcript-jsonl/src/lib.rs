#![doc = include_str!("../README.md")]

mod append;
mod backward;
mod conversation;
mod copy;
mod entry;
mod envelope;
mod history;
mod id;
mod json;
mod kind;
mod line;
mod listing;
mod note;
mod piece;
mod reader;
mod resume;
mod text;
mod tree;

pub mod limits;

pub use append::{Appender, Error as AppendError, Sharing, Target};
pub use backward::Backward;
pub use conversation::{Conversation, Excerpt, Limits, Part, Turn};
pub use copy::{Report, copy, repair, verify};
pub use entry::{Backup, Block, Compaction, Entry, Message, Preserved, Role, Snapshot, Title};
pub use envelope::Envelope;
pub use history::FileHistory;
pub use id::Id;
pub use kind::Kind;
pub use line::{Line, Place};
pub use listing::{FileKind, Outline, Resumable};
pub use note::{Note, Notes, Reason};
pub use reader::{Counts, Options, Reader};
pub use resume::{Detour, Member, Origin, Resume, last_messages};
pub use tree::{Bridge, Gap, Node, Reach, Standing, Step, Tree};
