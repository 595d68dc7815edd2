//! A value as it stands in the file, and the blanks around it.

use memchr::memchr;

pub(super) const BLANK: [char; 2] = [' ', '\t'];
pub(super) const BLANK_OR_BREAK: [char; 4] = [' ', '\t', '\r', '\n'];

/// A value as it stands in the file.
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
