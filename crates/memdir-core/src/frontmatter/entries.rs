//! The keys of a block as they stand, for files that are no memories.

use std::borrow::Cow;
use std::fmt;

use super::raw::{Raw, trim_end, trim_start};
use super::walk::{self, End, Item, Level, Walk, unquote_key};
use super::{Note, NoteKind, Refusal, bom, list, value};

/// A file with frontmatter taken apart, whatever program its keys belong to.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entries<'a> {
    /// The keys at the top of the block with their values, in order; a key that stands twice is there twice.
    pub entries: Vec<Entry<'a>>,
    /// The text below the block; where there is none, all but the byte order mark.
    pub body: &'a str,
    /// Line on which the body begins, counted from 1.
    pub body_line: usize,
    /// Lines that are no keys, and a block without an end.
    pub notes: Vec<Note>,
}

/// A key at the top of a block with its value.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    name: &'a str,
    line: usize,
    raw: Raw<'a>,
}

/// What is to be said about a value that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// It was read as meant, but a YAML reader refuses or changes it.
    NeedsQuotes,
    /// It begins like quoted or nested YAML but is none, so it was read as plain text.
    ReadAsText(Refusal),
}

/// Displays as a clause about the value.
impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeedsQuotes => f.write_str("should be quoted; YAML readers refuse or change it"),
            Self::ReadAsText(why) => write!(f, "is read as plain text: {why}"),
        }
    }
}

impl From<value::Trouble> for Doubt {
    fn from(trouble: value::Trouble) -> Self {
        match trouble {
            value::Trouble::NeedsQuotes => Self::NeedsQuotes,
            value::Trouble::ReadAsText(why) => Self::ReadAsText(why),
        }
    }
}

impl<'a> Entry<'a> {
    /// The key, without quotes.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Its line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The value as one text; empty where there is none.
    pub fn text(&self) -> (Cow<'a, str>, Option<Doubt>) {
        let (text, trouble) = value::text(&self.raw);
        (text, trouble.map(Doubt::from))
    }

    /// The value as a list: one item a line, in brackets, or separated by commas.
    pub fn list(&self) -> (Vec<String>, Option<Doubt>) {
        let (items, trouble) = list::list(&self.raw);
        (items, trouble.map(Doubt::from))
    }
}

/// Reads the keys of a block by the rules for memories; never fails, and takes time and memory in proportion to the block.
///
/// ```
/// use memdir_core::frontmatter::entries;
///
/// let file = entries("---\nglobs: **/*.ts, src/**\nalwaysApply: false\n---\nText\n");
/// let [globs, always] = &file.entries[..] else { panic!("two keys") };
/// assert_eq!((globs.name(), globs.list().0), ("globs", vec!["**/*.ts".to_owned(), "src/**".to_owned()]));
/// assert_eq!((always.line(), &*always.text().0, file.body), (3, "false", "Text\n"));
/// ```
pub fn entries(text: &str) -> Entries<'_> {
    let split = |at: usize| text.get(at..).unwrap_or_default();
    let plain =
        |notes| Entries { entries: Vec::new(), body: split(bom(text)), body_line: 1, notes };
    let Some(walk) = Walk::open(text) else { return plain(Vec::new()) };
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    let end = walk.run(|item| match item {
        Item::Stray { line } => {
            if notes.len() < crate::limits::MAX_NOTES {
                notes.push(Note { line: *line, kind: NoteKind::StrayLine });
            }
        }
        Item::Entry(walk::Entry { level: Level::Top, raw, line, start, colon, .. }) => {
            let key = text.get(*start..*colon).and_then(|key| key.strip_suffix(':'));
            let key = trim_end(trim_start(key.unwrap_or_default()));
            entries.push(Entry { name: unquote_key(key), line: *line, raw: *raw });
        }
        Item::Entry(_) => {}
    });
    match end {
        End::Closed { body, line, .. } => {
            Entries { entries, body: split(body), body_line: line + 1, notes }
        }
        End::Open => plain(vec![Note { line: 1, kind: NoteKind::NotClosed }]),
        End::TooLong => plain(vec![Note { line: 1, kind: NoteKind::TooLong }]),
    }
}
