//! Which line of a block opens a key, and which lines belong to it.
//!
//! A line ends at a line feed and nowhere else, so no exotic break can smuggle in a second key.

use super::Key;
use super::fence::{bom, is_fence};
use super::raw::{
    BLANK, BLANK_OR_BREAK, Form, Raw, is_item, line_at, trim_end, trim_line_end, trim_start,
};
use crate::limits;

/// Which key a line opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Key(Key),
    Metadata,
    Other,
}

/// Where a key stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Top,
    Nested,
}

/// A key with its value; offsets count bytes from the start of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) level: Level,
    pub(super) known: Known,
    pub(super) raw: Raw<'a>,
    /// Line of the key, counted from 1.
    pub(super) line: usize,
    /// Offset of that line.
    pub(super) start: usize,
    /// Offset behind the colon.
    pub(super) colon: usize,
    /// Offset behind the last line that belongs to it.
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    Entry(Entry<'a>),
    /// Neither a key nor part of one.
    Stray {
        line: usize,
    },
}

/// Walks the lines of a block without allocating.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Indent of the keys at the top, once one was seen.
    base: Option<usize>,
    metadata: Metadata,
    /// The text goes on beyond what is read.
    cut: bool,
}

#[derive(Debug, Clone, Copy)]
enum Metadata {
    /// Not below `metadata:`.
    Outside,
    /// Below it, and no key seen.
    Begun,
    /// Below it, and its keys have this indent.
    Keys(usize),
}

/// How the lines of a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Offset of the closing fence and behind it, and its line.
    Closed {
        fence: usize,
        body: usize,
        line: usize,
    },
    Open,
    TooLong,
}

impl End {
    pub(super) fn is_closed(self) -> bool {
        matches!(self, Self::Closed { .. })
    }
}

impl<'a> Walk<'a> {
    /// Begins behind the opening fence; `None` if there is none.
    pub(super) fn open(text: &'a str) -> Option<Self> {
        let start = bom(text);
        let end = (0..=limits::MAX_BLOCK_BYTES.min(text.len())).rev();
        let window = end.take(4).find_map(|end| text.get(..end))?;
        let first = line_at(window, start)?;
        is_fence(first.as_bytes()).then_some(Self {
            text: window,
            at: start + first.len(),
            line: 1,
            base: None,
            metadata: Metadata::Outside,
            cut: window.len() < text.len(),
        })
    }

    /// Gives each key, and each line that is none, up to the closing fence.
    pub(super) fn run(mut self, mut each: impl FnMut(&Item<'a>)) -> End {
        while let Some(raw) = line_at(self.text, self.at) {
            let start = self.at;
            self.at += raw.len();
            self.line += 1;
            if is_fence(raw.as_bytes()) && (raw.ends_with('\n') || !self.cut) {
                return End::Closed { fence: start, body: self.at, line: self.line };
            }
            let content = trim_start(raw);
            let indent = raw.len() - content.len();
            let content = trim_line_end(content);
            if !content.is_empty() && !content.starts_with('#') {
                each(&self.item(start, indent, content));
            }
        }
        if self.cut { End::TooLong } else { End::Open }
    }

    /// Reads the line that begins at `start`, and takes those that belong to it.
    fn item(&mut self, start: usize, indent: usize, content: &'a str) -> Item<'a> {
        let line = self.line;
        let stray = Item::Stray { line };
        let Some(level) = self.level(indent) else { return stray };
        let Some((known, rest)) = split_key(content) else { return stray };
        let colon = start + indent + content.len() - rest.len();
        let first = trim_start(rest);
        let mut raw = Raw { indent, first, more: "", whole: first, is_one_line: true };
        if known == Known::Metadata && level == Level::Top && raw.is_bare() {
            self.metadata = Metadata::Begun;
        } else {
            let below = self.at;
            self.take_continuation(&raw);
            if self.at > below {
                raw.is_one_line = false;
                raw.more = self.text.get(below..self.at).unwrap_or_default();
                let whole = self.text.get(colon..self.at).unwrap_or_default();
                raw.whole = whole.trim_matches(BLANK_OR_BREAK);
            }
        }
        Item::Entry(Entry { level, known, raw, line, start, colon, end: self.at })
    }

    fn level(&mut self, indent: usize) -> Option<Level> {
        let base = self.base.map_or(indent, |base| base.min(indent));
        self.base = Some(base);
        if indent <= base {
            self.metadata = Metadata::Outside;
            return Some(Level::Top);
        }
        let keys = match self.metadata {
            Metadata::Outside => return None,
            Metadata::Begun => indent,
            Metadata::Keys(keys) => keys,
        };
        self.metadata = Metadata::Keys(keys);
        (indent <= keys).then_some(Level::Nested)
    }

    /// Takes the lines that belong to a value.
    fn take_continuation(&mut self, value: &Raw<'_>) {
        // What most often stands below a value: the next key at the top.
        if self.text.as_bytes().get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            return;
        }
        let (mut at, mut line) = (self.at, self.line);
        while let Some(rest) = self.text.get(at..).filter(|rest| !rest.is_empty()) {
            let content = trim_start(rest);
            let depth = rest.len() - content.len();
            let is_part = match content.as_bytes() {
                // Whether these belong is up to the line below them.
                [] | [b'\n', ..] | [b'\r', b'\n', ..] => false,
                [b'#', ..] if value.form() != Form::Block => false,
                [b'-', ..] if depth == value.indent && value.is_bare() => {
                    if !is_item(content) {
                        break;
                    }
                    true
                }
                _ if depth <= value.indent => break,
                _ => true,
            };
            at += line_at(self.text, at).map_or(rest.len(), str::len);
            line += 1;
            if is_part {
                (self.at, self.line) = (at, line);
            }
        }
    }
}

/// Splits `key: value` behind the colon; a key of ours needs no blank there.
pub(super) fn split_key(content: &str) -> Option<(Known, &str)> {
    // Keys are too short for a search in long steps to pay.
    let colon = content.bytes().position(|byte| byte == b':')?;
    let (head, rest) = (content.get(..colon)?, content.get(colon + 1..)?);
    let known = known(head).or_else(|| {
        let key = unquote_key(trim_end(head));
        if key.len() < head.len() { known(key) } else { None }
    });
    if let Some(known) = known {
        return Some((known, rest));
    }
    let is_key = rest.is_empty() || rest.starts_with(BLANK) || rest.contains(": ");
    (is_key && !is_item(content)).then_some((Known::Other, rest))
}

fn known(word: &str) -> Option<Known> {
    if word == "metadata" {
        return Some(Known::Metadata);
    }
    Key::read(word).map(Known::Key)
}

/// Takes the quotes off a key.
pub(super) fn unquote_key(key: &str) -> &str {
    let inner = |quote| key.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(key)
}
