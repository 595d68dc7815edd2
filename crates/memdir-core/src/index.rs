//! MEMORY.md, the index: one pointer a line, `- [Title](file.md) — hook`.
//!
//! Reading is lenient, editing is exact: a line that an edit does not mean stays byte for byte as it is.

mod audit;
mod edit;
mod editor;
mod line;
mod links;
mod target;

pub use audit::{Audit, Dangling, Duplicate, LongLine, OverLimit, Refused, check};
pub use edit::{Action, Change, Edited, Entry, neutral, remove, restore_line, upsert};
pub use editor::Editor;
pub use line::{Line, Pointer, lines};
