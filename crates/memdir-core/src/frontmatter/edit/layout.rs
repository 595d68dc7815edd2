//! Where the lines of a block stand, and where a new one belongs.

use std::ops::Range;

use super::{EditFault, Field};
use crate::frontmatter::fence::bom;
use crate::frontmatter::list::{self, brackets};
use crate::frontmatter::raw::{trim_line_end, trim_start};
use crate::frontmatter::value::{self, Trouble};
use crate::frontmatter::walk::{End, Entry, Item, Known, Level, Walk, split_key};
use crate::frontmatter::{Key, Refusal};

/// Where in a file its keys stand.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    text: &'a str,
    items: Vec<Item<'a>>,
    /// Offset of the closing fence.
    fence: usize,
}

impl<'a> Layout<'a> {
    /// The layout of a file whose frontmatter is closed; `None` without frontmatter.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let mut items = Vec::new();
        match Walk::open(text)?.run(|item| items.push(*item)) {
            End::Closed { fence, .. } => Some(Self { text, items, fence }),
            End::Open | End::TooLong => None,
        }
    }

    pub(super) fn set(&self, field: Field<'_>) -> Result<String, EditFault> {
        let key = field.key();
        self.check(key)?;
        match self.winner(key) {
            Some(entry) => Ok(self.replace(entry, field)),
            None => Ok(self.insert(field)),
        }
    }

    pub(super) fn remove(&self, key: Key) -> Result<String, EditFault> {
        self.check(key)?;
        let mut edited = String::with_capacity(self.text.len());
        let mut at = 0;
        for entry in self.of_key(key) {
            edited.push_str(self.slice(at..entry.start));
            at = entry.end;
        }
        edited.push_str(self.slice(at..self.text.len()));
        Ok(edited)
    }

    /// Line of the key, or of the opening fence.
    pub(super) fn line(&self, key: Key) -> usize {
        self.winner(key).map_or(1, |entry| entry.line)
    }

    fn check(&self, key: Key) -> Result<(), EditFault> {
        if self.entries().next().is_none() && !self.items.is_empty() {
            return Err(EditFault::NoKeys);
        }
        for entry in self.entries().filter(|entry| is_metadata(entry) && key.may_nest()) {
            let pieces = brackets(entry.raw.whole, '{', '}').and_then(Result::ok);
            let mut keys = pieces.into_iter().flatten().filter_map(|piece| split_key(piece.trim()));
            if keys.any(|(known, _)| known == Known::Key(key)) {
                return Err(EditFault::InBraces { key, line: entry.line });
            }
        }
        // A quote or bracket that stays open may go on in a line that is no key.
        let below = self.items.iter().skip(1).map(Some).chain([None]);
        for (item, below) in self.items.iter().zip(below) {
            if let (Item::Entry(entry), Some(Item::Stray { .. })) = (item, below)
                && is_key(entry, key)
                && is_open(entry, key)
            {
                return Err(EditFault::Unclear { key, line: entry.line });
            }
        }
        Ok(())
    }

    fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry<'a>> {
        self.items.iter().filter_map(|item| match item {
            Item::Entry(entry) => Some(entry),
            Item::Stray { .. } => None,
        })
    }

    fn of_key(&self, key: Key) -> impl DoubleEndedIterator<Item = &Entry<'a>> {
        self.entries().filter(move |entry| is_key(entry, key))
    }

    /// The entry whose value counts: the last with a value, one under `metadata` before one at the top.
    fn winner(&self, key: Key) -> Option<&Entry<'a>> {
        let rank = |entry: &&Entry<'_>| (!entry.raw.is_empty(), entry.level == Level::Nested);
        self.of_key(key).max_by_key(rank)
    }

    fn replace(&self, entry: &Entry<'_>, field: Field<'_>) -> String {
        let comment = value::comment(field.key(), &entry.raw);
        let value = if comment.is_empty() { field.emit() } else { field.emit_before_comment() };
        let old = self.slice(entry.colon..entry.end);
        let gap = old.len() - trim_start(old).len();
        let gap = if entry.raw.first.is_empty() || gap == 0 {
            " "
        } else {
            self.slice(entry.colon..entry.colon + gap)
        };
        let end = entry.colon + trim_line_end(old).len();
        let (before, after) = (self.slice(0..entry.colon), self.slice(end..self.text.len()));
        let blank = if comment.is_empty() { "" } else { " " };
        [before, gap, &value, blank, comment, after].concat()
    }

    fn insert(&self, field: Field<'_>) -> String {
        let key = field.key();
        let opening = bom(self.text)
            + self.slice(bom(self.text)..self.fence).find('\n').map_or(0, |end| end + 1);
        let top = || self.entries().filter(|entry| entry.level == Level::Top);
        let margin = top().next().map_or("", |entry| self.margin(entry));
        let below = |entry: Option<&Entry<'_>>| entry.map_or(opening, |entry| entry.end);
        let line = |margin: &str| line(margin, &field, line_end(self.text));
        if key == Key::Name {
            return self.splice(opening, &line(margin));
        }
        if key == Key::Description {
            return self.splice(below(self.winner(Key::Name)), &line(margin));
        }
        let nested = self.entries().rfind(|entry| entry.level == Level::Nested);
        if let Some(last) = nested {
            return self.splice(last.end, &line(self.margin(last)));
        }
        match top().rfind(|entry| is_metadata(entry)) {
            Some(metadata) if metadata.raw.is_bare() => {
                self.splice(metadata.end, &line(&format!("{}  ", self.margin(metadata))))
            }
            None if self.winner(Key::Type).is_none() => {
                let header = format!("{margin}metadata:{}", line_end(self.text));
                self.splice(self.fence, &(header + &line(&format!("{margin}  "))))
            }
            _ => self.splice(below(top().next_back()), &line(margin)),
        }
    }

    fn splice(&self, at: usize, lines: &str) -> String {
        [self.slice(0..at), lines, self.slice(at..self.text.len())].concat()
    }

    /// The blanks before a key.
    fn margin(&self, entry: &Entry<'_>) -> &'a str {
        self.slice(entry.start..entry.start + entry.raw.indent)
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }
}

/// Puts a block with one key before a text that has none.
pub(super) fn new_block(text: &str, field: Field<'_>) -> String {
    let line_end = line_end(text);
    let (mark, body) = text.split_at(bom(text));
    let header =
        if field.key().may_nest() { format!("metadata:{line_end}") } else { String::new() };
    let line = line(if field.key().may_nest() { "  " } else { "" }, &field, line_end);
    let gap = if body.is_empty() { "" } else { line_end };
    format!("{mark}---{line_end}{header}{line}---{line_end}{gap}{body}")
}

/// The line break in use.
pub(super) fn line_end(text: &str) -> &'static str {
    let first = text.find('\n').and_then(|end| text.get(..end));
    if first.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}

fn line(margin: &str, field: &Field<'_>, line_end: &str) -> String {
    format!("{margin}{}: {}{line_end}", field.key(), field.emit())
}

fn is_metadata(entry: &Entry<'_>) -> bool {
    entry.known == Known::Metadata && entry.level == Level::Top
}

fn is_key(entry: &Entry<'_>, key: Key) -> bool {
    entry.known == Known::Key(key) && (entry.level == Level::Top || key.may_nest())
}

fn is_open(entry: &Entry<'_>, key: Key) -> bool {
    let trouble = if key.is_list() { list::list(&entry.raw).1 } else { value::text(&entry.raw).1 };
    matches!(trouble, Some(Trouble::ReadAsText(Refusal::QuoteOpen | Refusal::BracketOpen)))
}
