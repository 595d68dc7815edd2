//! Fences, and which line of a block opens a key and which lines belong to it.
//!
//! A line ends at a line feed and nowhere else, so no exotic break can smuggle in a second key.

use memchr::memchr;

use super::{BlockEnd, Key};
use crate::limits;

const BOM: &str = "\u{feff}";
pub(super) const BLANK: [char; 2] = [' ', '\t'];
pub(super) const BLANK_OR_BREAK: [char; 4] = [' ', '\t', '\r', '\n'];

/// Tells from the head of a file whether all of its frontmatter is there.
///
/// A fence in which `head` ends counts only with its line feed; if `head` is the whole file, [`parse`](super::parse)
/// it whatever this says.
pub fn block_end(head: &[u8]) -> BlockEnd {
    let mut at = if head.starts_with(BOM.as_bytes()) { BOM.len() } else { 0 };
    let mut opened = false;
    while let Some(rest) = head.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, _) = rest.split_at(length);
        at += length;
        if at > limits::MAX_BLOCK_BYTES {
            return if opened { BlockEnd::TooLong } else { BlockEnd::NoBlock };
        }
        match (is_fence(line), opened) {
            (true, false) => opened = true,
            (true, true) if line.ends_with(b"\n") => return BlockEnd::At(at),
            (false, false) => return BlockEnd::NoBlock,
            _ => {}
        }
    }
    match opened {
        true if head.len() >= limits::MAX_BLOCK_BYTES => BlockEnd::TooLong,
        true => BlockEnd::Beyond,
        false => BlockEnd::NoBlock,
    }
}

fn is_fence(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.trim_ascii().is_empty())
}

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

/// A value as it stands in the file; offsets count bytes from the start of the text that was walked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw<'a> {
    /// Spaces before the key that the value belongs to.
    pub(super) indent: usize,
    /// What stands on the line of the key, trimmed.
    pub(super) first: &'a str,
    /// The lines below that belong to it, whole.
    pub(super) more: &'a str,
    /// From the beginning of the value to its end, trimmed.
    pub(super) whole: &'a str,
    /// Whether it all stands on one line.
    pub(super) is_one_line: bool,
}

impl<'a> Raw<'a> {
    /// A value without anything around it.
    pub(super) fn inline(text: &'a str) -> Self {
        let is_one_line = !text.contains('\n');
        Self { indent: 0, first: text, more: "", whole: text, is_one_line }
    }

    /// A `- value` with the lines below that belong to it; `None` without a dash.
    pub(super) fn item(lines: &'a str) -> Option<Self> {
        let content = trim_start(lines);
        let value = content.strip_prefix('-')?;
        let first = line_at(value, 0).unwrap_or_default();
        Some(Self {
            indent: lines.len() - content.len(),
            first: trim_line_end(first).trim_start_matches(BLANK),
            more: value.get(first.len()..)?,
            whole: value.trim_matches(BLANK_OR_BREAK),
            is_one_line: first.len() == value.len(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_empty()
    }

    pub(super) fn form(&self) -> Form {
        match self.whole.as_bytes() {
            [b'"' | b'\'', ..] => Form::Quoted,
            [b'|' | b'>', ..] if block_header(self.first).is_some() => Form::Block,
            _ => Form::Plain,
        }
    }

    /// Whether nothing but a comment stands on the line of the key, if what is below can be it.
    pub(super) fn is_bare(&self) -> bool {
        self.first.is_empty() || self.first.starts_with('#')
    }
}

/// What a value looks like from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    Quoted,
    /// Lines below a header.
    Block,
}

/// A key with its value.
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

/// Length of the byte order mark, if there is one.
pub(super) fn bom(text: &str) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// Length of the line break at `at`, if the line there is empty.
pub(super) fn empty_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    ["\n", "\r\n"].iter().find(|end| rest.starts_with(**end)).map_or(0, |end| end.len())
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

/// The line from `at` on, its line feed included.
pub(super) fn line_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    match memchr(b'\n', rest.as_bytes()) {
        Some(end) => rest.get(..=end),
        None => (!rest.is_empty()).then_some(rest),
    }
}

/// Cuts the line break and the blanks before it.
pub(super) fn trim_line_end(line: &str) -> &str {
    trim_end(match line.as_bytes() {
        [rest @ .., b'\r', b'\n'] | [rest @ .., b'\n'] => {
            line.get(..rest.len()).unwrap_or_default()
        }
        _ => line,
    })
}

/// Cuts the blanks at the beginning.
///
/// By bytes, as the next one: [`str::trim_start_matches`] takes several times as long on the few bytes around a key.
pub(super) fn trim_start(text: &str) -> &str {
    let mut bytes = text.as_bytes();
    while let [b' ' | b'\t', rest @ ..] = bytes {
        bytes = rest;
    }
    text.get(text.len() - bytes.len()..).unwrap_or_default()
}

/// Cuts the blanks at the end.
pub(super) fn trim_end(text: &str) -> &str {
    let mut bytes = text.as_bytes();
    while let [rest @ .., b' ' | b'\t'] = bytes {
        bytes = rest;
    }
    text.get(..bytes.len()).unwrap_or_default()
}

pub(super) fn is_item(content: &str) -> bool {
    matches!(content.as_bytes(), [b'-'] | [b'-', b' ' | b'\t' | b'\r' | b'\n', ..])
}

/// Splits `key: value` behind the colon; a key of ours needs no blank there.
pub(super) fn split_key(content: &str) -> Option<(Known, &str)> {
    if let Some((known, rest)) = strip_known(content)
        && let Some(rest) = rest.strip_prefix(':')
    {
        return Some((known, rest));
    }
    let (head, rest) = content.split_once(':')?;
    let key = unquote_key(trim_end(head));
    if key.len() < head.len()
        && let Some((known, "")) = strip_known(key)
    {
        return Some((known, rest));
    }
    let is_key = rest.is_empty() || rest.starts_with(BLANK) || rest.contains(": ");
    (is_key && !is_item(content)).then_some((Known::Other, rest))
}

fn strip_known(text: &str) -> Option<(Known, &str)> {
    if let Some(rest) = text.strip_prefix("metadata") {
        return Some((Known::Metadata, rest));
    }
    let (key, word) = Key::candidate(text.as_bytes())?;
    Some((Known::Key(key), text.strip_prefix(word)?))
}

fn unquote_key(key: &str) -> &str {
    let inner = |quote| key.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(key)
}

/// How far the lines of a block scalar are indented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockIndent {
    /// As far as the first of them.
    AsFirst,
    /// So many blanks further than the key.
    By(usize),
}

/// The indent that the header of a block scalar asks for; `None` if it is no such header.
pub(super) fn block_header(first: &str) -> Option<BlockIndent> {
    let rest = first.strip_prefix(['|', '>'])?;
    let (head, tail) = rest.split_at(rest.find(BLANK).unwrap_or(rest.len()));
    let (mut indent, mut chomps) = (BlockIndent::AsFirst, false);
    for sign in head.bytes() {
        match sign {
            b'+' | b'-' if !chomps => chomps = true,
            b'1'..=b'9' if indent == BlockIndent::AsFirst => {
                indent = BlockIndent::By(usize::from(sign - b'0'));
            }
            _ => return None,
        }
    }
    let tail = trim_start(tail);
    (tail.is_empty() || tail.starts_with('#')).then_some(indent)
}
