//! Changes of a memory file that touch only the lines they are about.

mod field;
mod layout;

use layout::Layout;

use super::{Fields, Key, NoteKind, Parsed, Shape, parse};
use crate::limits;

pub use field::Field;

/// One change to a memory file.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Edit<'a> {
    /// Gives a key a value; a key that is not there is added.
    Set(Field<'a>),
    /// Takes a key away, at both levels; a key that is not there is no fault.
    Remove(Key),
    /// Replaces the text below the block; the block stays as it is.
    Body(&'a str),
}

/// Why a file was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditFault {
    /// The block has no closing fence, so what belongs to it is anybody's guess.
    #[error("frontmatter has no closing `---`")]
    NotClosed,
    /// The block is longer than what is read, or would become so.
    #[error("frontmatter is longer than {limit} bytes")]
    TooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// There is text between two fences, but no key.
    #[error("frontmatter holds text but no keys")]
    NoKeys,
    /// Where the value ends, or which one counts, cannot be told.
    #[error("line {line}: the value of `{key}` cannot be told from what surrounds it")]
    Unclear {
        /// The key.
        key: Key,
        /// Its line, counted from 1.
        line: usize,
    },
    /// The key stands in `metadata: {…}`, which is read but not edited.
    #[error("line {line}: `{key}` stands in braces; give it a line of its own")]
    InBraces {
        /// The key.
        key: Key,
        /// The line of `metadata`, counted from 1.
        line: usize,
    },
    /// The new body begins with a fence or a byte order mark, in a file without frontmatter.
    #[error("new body would be read as frontmatter")]
    BodyIsBlock,
}

/// Applies `edits` in order, and touches nothing else.
///
/// The line of an edited key is rewritten, with its indent and its comment; a value over several lines becomes one
/// line. A key that is missing goes below `metadata`, in a file that keeps its type at the top to the top; `name` and
/// `description` always stand at the top. Where there is no frontmatter it is created. A key that already has the value
/// keeps its line as it is.
///
/// The text must be the file as it is: what [`decode`](super::decode) had to replace would be written back replaced, so
/// refuse a file for which it gave a note.
///
/// ```
/// use memdir_core::frontmatter::{Edit, Field, edit};
///
/// let text = "---\nname: n   # keep\ntags: [a, b]\n---\nBody\n";
/// assert_eq!(
///     edit(text, &[Edit::Set(Field::Description("see #12"))])?,
///     "---\nname: n   # keep\ndescription: \"see #12\"\ntags: [a, b]\n---\nBody\n"
/// );
/// # Ok::<_, memdir_core::frontmatter::EditFault>(())
/// ```
///
/// # Errors
/// [`EditFault`] where the frontmatter cannot be made sense of, or more would change than was asked.
pub fn edit(text: &str, edits: &[Edit<'_>]) -> Result<String, EditFault> {
    edits.iter().try_fold(text.to_owned(), |text, edit| match *edit {
        Edit::Set(field) => set(&text, field),
        Edit::Remove(key) => remove(&text, key),
        Edit::Body(body) => replace_body(&text, body),
    })
}

fn set(text: &str, field: Field<'_>) -> Result<String, EditFault> {
    let before = readable(text)?;
    let mut wanted = before.fields.clone();
    field.store(&mut wanted);
    if wanted == before.fields {
        return Ok(text.to_owned());
    }
    let edited = match Layout::of(text) {
        Some(layout) => layout.set(field)?,
        None => layout::new_block(text, field),
    };
    confirm(edited, field.key(), &wanted, before.body)
}

fn remove(text: &str, key: Key) -> Result<String, EditFault> {
    let before = readable(text)?;
    let mut wanted = before.fields.clone();
    field::clear(key, &mut wanted);
    match Layout::of(text) {
        Some(layout) => confirm(layout.remove(key)?, key, &wanted, before.body),
        None => Ok(text.to_owned()),
    }
}

fn replace_body(text: &str, body: &str) -> Result<String, EditFault> {
    let before = readable(text)?;
    let mut edited = before.block.to_owned();
    if before.shape != Shape::None {
        let line_end = layout::line_end(text);
        if !body.is_empty() && !edited.ends_with('\n') {
            edited.push_str(line_end);
        }
        // The first empty line counts as part of the block.
        let has_empty_line = edited.ends_with("\n\n") || edited.ends_with("\n\r\n");
        if !has_empty_line && (body.starts_with('\n') || body.starts_with("\r\n")) {
            edited.push_str(line_end);
        }
    }
    edited.push_str(body);
    let is_same = readable(&edited).is_ok_and(|after| {
        after.body == body && after.fields == before.fields && after.shape == before.shape
    });
    if is_same { Ok(edited) } else { Err(EditFault::BodyIsBlock) }
}

fn readable(text: &str) -> Result<Parsed<'_>, EditFault> {
    let parsed = parse(text);
    match parsed.notes.first().map(|note| &note.kind) {
        Some(NoteKind::NotClosed) => Err(EditFault::NotClosed),
        Some(NoteKind::TooLong) => Err(EditFault::TooLong { limit: limits::MAX_BLOCK_BYTES }),
        _ => Ok(parsed),
    }
}

/// Reads the edited file back: an edit that changed more, or less, than asked is none.
fn confirm(edited: String, key: Key, fields: &Fields, body: &str) -> Result<String, EditFault> {
    let after = readable(&edited)?;
    if after.fields != *fields || after.body != body {
        let line = Layout::of(&edited).map_or(1, |layout| layout.line(key));
        return Err(EditFault::Unclear { key, line });
    }
    Ok(edited)
}
