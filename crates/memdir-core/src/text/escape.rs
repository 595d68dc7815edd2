//! Making text safe to print on a terminal.

use std::{borrow::Cow, fmt::Write};

use super::chars::with_danger;

/// Makes control characters, escape sequences, bidi controls and invisible characters visible, on one line.
///
/// Line breaks and tabs become `\n`, `\r` and `\t`; the rest becomes `\u{1b}`. Text without any is returned as it is.
/// What spelling needs stays: selectors and joiners within an emoji, joiners in Arabic and Indic words.
/// Backslashes are not doubled: the result is for reading, not for parsing back.
pub fn escape_control(text: &str) -> Cow<'_, str> {
    if with_danger(text).all(|(_, danger)| !danger) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (c, danger) in with_danger(text) {
        push(&mut out, c, danger);
    }
    Cow::Owned(out)
}

/// Like [`escape_control`] for text of several lines: `\n`, `\r\n` and tabs stay as they are.
///
/// A `\r` anywhere else, which would let a line overwrite itself on a terminal, is escaped.
pub fn escape_control_lines(text: &str) -> Cow<'_, str> {
    if with_danger(text).all(|(c, danger)| !danger || c == '\n' || c == '\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = with_danger(text).peekable();
    while let Some((c, danger)) = chars.next() {
        let ends_line = c == '\n' || (c == '\r' && matches!(chars.peek(), Some(('\n', _))));
        push(&mut out, c, danger && !ends_line && c != '\t');
    }
    Cow::Owned(out)
}

/// Returns the longest beginning of a text that has at most `max_bytes` and ends between two characters.
pub fn prefix(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Returns the beginning of a text for a message: on one line, escaped, `…` in place of what is over `max_chars`.
pub(crate) fn excerpt(text: &str, max_chars: usize) -> String {
    let (shown, mark) = match text.char_indices().nth(max_chars) {
        Some((end, _)) => (text.get(..end).unwrap_or(text), "…"),
        None => (text, ""),
    };
    format!("{}{mark}", escape_control(shown))
}

fn push(out: &mut String, c: char, escape: bool) {
    match c {
        c if !escape => out.push(c),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a String takes every write"),
    }
}
