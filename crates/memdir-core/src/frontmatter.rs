//! The frontmatter of a memory file: read leniently, written strictly, edited a line at a time.

mod edit;
mod emit;
mod fields;
mod key;
mod lines;
mod note;
mod read;
mod render;
mod value;
mod yaml;

use std::borrow::Cow;

use lines::{End, Walk};
use read::Reading;

use crate::limits;

pub use edit::{Edit, EditFault, Field, edit};
pub use fields::{DateSource, Fields, Origin};
pub use key::Key;
pub use lines::block_end;
pub use note::{Note, NoteKind, Refusal};
pub use render::{NewMemory, render};

/// A memory file taken apart; `block` and `body` together are the input, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed<'a> {
    /// What the frontmatter says.
    pub fields: Fields,
    /// Byte order mark, fences and all between, and one empty line after; empty where there is none.
    pub block: &'a str,
    /// The text below; all of the input where there is no frontmatter.
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

/// Where a frontmatter block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockEnd {
    /// There is no frontmatter.
    NoBlock,
    /// The body begins at this byte.
    At(usize),
    /// The closing fence is not in the bytes seen; more must be read.
    Beyond,
    /// The closing fence is not within [`MAX_BLOCK_BYTES`](crate::limits::MAX_BLOCK_BYTES); nothing is gained by reading on.
    TooLong,
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

/// Reads a memory file; never fails.
pub fn parse(text: &str) -> Parsed<'_> {
    let split = |at: usize| text.split_at_checked(at).unwrap_or(("", text));
    let plain = |notes| {
        let (block, body) = split(lines::bom(text));
        Parsed { fields: Fields::default(), block, body, notes, shape: Shape::None }
    };
    let Some(walk) = Walk::open(text) else { return plain(Vec::new()) };
    let mut reading = Reading::default();
    match walk.run(|item| reading.take(item)) {
        End::Closed { body, line, .. } => {
            if line > limits::HEAD_LINES {
                reading.note(line, NoteKind::ManyLines { lines: line });
            }
            let (block, body) = split(body + lines::empty_line(text, body));
            let shape = if reading.has_metadata { Shape::Nested } else { Shape::Flat };
            Parsed { fields: reading.fields, block, body, notes: reading.notes, shape }
        }
        End::Open => plain(vec![Note { line: 1, kind: NoteKind::NotClosed }]),
        End::TooLong => plain(vec![Note { line: 1, kind: NoteKind::TooLong }]),
    }
}
