//! The frontmatter of a memory file: read as it was meant, written so that every YAML reader agrees, edited a line at
//! a time.
//!
//! ```
//! use memdir_core::MemoryType;
//! use memdir_core::frontmatter::{Edit, Field, edit, parse};
//!
//! let text = "---\nname: ci\ndescription: @alice owns it: see #12\nmetadata:\n  type: project\n---\n\nAsk first.\n";
//! let parsed = parse(text);
//! assert_eq!(parsed.fields.description.as_deref(), Some("@alice owns it: see #12"));
//! assert_eq!((parsed.fields.kind, parsed.body), (Some(MemoryType::Project), "Ask first.\n"));
//! assert_eq!(
//!     parsed.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
//!     ["line 3: `description` should be quoted; YAML readers refuse or change it"]
//! );
//!
//! let edited = edit(text, &[Edit::Set(Field::Type(MemoryType::Reference))])?;
//! assert_eq!(edited, text.replace("type: project", "type: reference"));
//! # Ok::<_, memdir_core::frontmatter::EditFault>(())
//! ```
//!
//! # The block
//! It opens with a line `---` at the very beginning, after a byte order mark at most, and closes with the next line
//! `---`; blanks may follow the dashes. `...`, which ends a document in YAML, closes nothing, because the clients that
//! share these files do not know it. Without a closing fence within
//! [`MAX_BLOCK_BYTES`](crate::limits::MAX_BLOCK_BYTES) all of the file is body. A line ends with a line feed, before
//! which a carriage return is dropped, and with nothing else.
//!
//! # Values
//! What follows `key: ` is text as it stands: ` #`, `: `, `@`, `*`, backticks and brackets mean nothing, and `no`,
//! `1.10` or `~` are three words. Where text begins with a quote that closes at its end, or is the header of a block
//! scalar, YAML's rules hold; what only begins so is text again, with a note. Indented lines below are joined with
//! blanks. Anchors, aliases and tags do not exist. A key that stands twice has its last value; `metadata.type` counts
//! before `type`, and likewise for each other key that may stand at both levels.
//!
//! Lists are one item a line, `[a, b]`, or `a, b`, where a comma within quotes or brackets separates nothing. In a
//! type, date, origin, session or `pinned`, ` #` begins a comment.

mod edit;
mod emit;
mod entries;
mod fence;
mod fields;
mod key;
mod list;
mod note;
mod other;
mod raw;
mod read;
mod render;
mod value;
mod walk;
mod yaml;

use std::borrow::Cow;

use fence::{bom, empty_line};
use read::Reading;
use walk::{End, Walk};

use crate::limits;

pub use edit::{Edit, EditFault, Field, edit};
pub use entries::{Doubt, Entries, Entry, entries};
pub use fence::{BlockEnd, block_end};
pub use fields::{DateSource, Fields, Origin};
pub use key::Key;
pub use note::{Note, NoteKind, Refusal};
pub use other::value_of;
pub use render::{NewMemory, render};

/// A memory file taken apart; `block` and `body` together are the input, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed<'a> {
    /// What the frontmatter says.
    pub fields: Fields,
    /// Byte order mark, fences and all between, and one empty line after, each where it is there.
    pub block: &'a str,
    /// The text below; where there is no frontmatter, all but the byte order mark.
    pub body: &'a str,
    /// What was met on the way, in the order met; at most [`MAX_NOTES`](crate::limits::MAX_NOTES).
    pub notes: Vec<Note>,
    /// How the file is laid out.
    pub shape: Shape,
}

/// How a memory file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// There is no frontmatter.
    None,
    /// All keys stand at the top.
    Flat,
    /// There is a `metadata` block.
    Nested,
}

/// Reads the bytes of a file as text; what is not UTF-8 becomes U+FFFD, with a note of the first line so affected.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<Note>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(fault) => {
            let sound = bytes.get(..fault.valid_up_to()).unwrap_or_default();
            let line = sound.split(|&byte| byte == b'\n').count();
            (String::from_utf8_lossy(bytes), Some(Note { line, kind: NoteKind::NotUtf8 }))
        }
    }
}

/// Reads a memory file; never fails, and takes time and memory in proportion to the block.
pub fn parse(text: &str) -> Parsed<'_> {
    let split = |at: usize| text.split_at_checked(at).unwrap_or(("", text));
    let plain = |notes| {
        let (block, body) = split(bom(text));
        Parsed { fields: Fields::default(), block, body, notes, shape: Shape::None }
    };
    let Some(walk) = Walk::open(text) else { return plain(Vec::new()) };
    let mut reading = Reading::default();
    match walk.run(|item| reading.take(item)) {
        End::Closed { body, line, .. } => {
            if line > limits::HEAD_LINES {
                reading.note(line, NoteKind::ManyLines { lines: line });
            }
            let (block, body) = split(body + empty_line(text, body));
            let shape = if reading.has_metadata { Shape::Nested } else { Shape::Flat };
            Parsed { fields: reading.fields, block, body, notes: reading.notes, shape }
        }
        End::Open => plain(vec![Note { line: 1, kind: NoteKind::NotClosed }]),
        End::TooLong => plain(vec![Note { line: 1, kind: NoteKind::TooLong }]),
    }
}
