//! What a value says: plain text is taken as it stands, only quotes and block scalars go to the YAML reader.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter};

use super::list::bracketed_length;
use super::raw::{
    BLANK_OR_BREAK, BlockIndent, Form, Raw, block_header, trim_end, trim_line_end, trim_start,
};
use super::{Key, Refusal, yaml};

const QUOTES: [char; 2] = ['"', '\''];

/// What is to be said about a value that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Other readers refuse or change it.
    NeedsQuotes,
    /// It is not what it begins like.
    ReadAsText(Refusal),
}

/// Reads one text.
pub(super) fn text<'a>(raw: &Raw<'a>) -> (Cow<'a, str>, Option<Trouble>) {
    match raw.form() {
        Form::Plain => {
            let text = if raw.is_one_line { Cow::Borrowed(raw.whole) } else { fold(raw.whole) };
            let trouble = needs_quotes(&text).then_some(Trouble::NeedsQuotes);
            (text, trouble)
        }
        Form::Quoted => match quoted(raw.whole) {
            Ok(text) => (text, None),
            Err(why) => (strip_quotes(raw.whole), Some(Trouble::ReadAsText(why))),
        },
        Form::Block => match block(raw) {
            Some(text) => (Cow::Owned(text), None),
            None => (fold(raw.more), Some(Trouble::ReadAsText(Refusal::Indent))),
        },
    }
}

/// Reads a text out of a small vocabulary, in which ` #` can only begin a comment.
pub(super) fn word<'a>(raw: &Raw<'a>) -> (Cow<'a, str>, Option<Trouble>) {
    match raw.form() {
        Form::Plain if raw.is_one_line => (Cow::Borrowed(split_comment(raw.whole).0), None),
        _ => text(raw),
    }
}

fn quoted(slice: &str) -> Result<Cow<'_, str>, Refusal> {
    let length = quoted_length(slice).ok_or(Refusal::QuoteOpen)?;
    let (token, rest) = slice.split_at_checked(length).ok_or(Refusal::QuoteOpen)?;
    if !is_comment(rest) {
        return Err(Refusal::TextAfterQuote);
    }
    let inner = token.get(1..length - 1).unwrap_or_default();
    let is_double = token.starts_with('"');
    if inner.contains('\n') || is_double && inner.contains('\\') {
        return yaml::quoted(token).map(Cow::Owned).ok_or(Refusal::Escape);
    }
    let is_doubled = !is_double && inner.contains('\'');
    Ok(if is_doubled { Cow::Owned(inner.replace("''", "'")) } else { Cow::Borrowed(inner) })
}

/// Length of the quoted token at the beginning of `text`, quotes included, in bytes.
pub(super) fn quoted_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = *bytes.first()?;
    let mut at = 1;
    loop {
        let rest = bytes.get(at..)?;
        let sign = match quote {
            b'"' => memchr2(b'"', b'\\', rest)?,
            _ => memchr(quote, rest)?,
        };
        at += sign + 1;
        let is_escape = rest.get(sign) == Some(&b'\\');
        let is_doubled = quote == b'\'' && bytes.get(at) == Some(&quote);
        if !is_escape && !is_doubled {
            return Some(at);
        }
        at += 1;
    }
}

/// The comment that ends the first line of a value, `#` included; empty where there is none.
///
/// A plain text has none: there ` #` is part of it.
pub(super) fn comment<'a>(key: Key, raw: &Raw<'a>) -> &'a str {
    let line = raw.first;
    let value = if line.starts_with(QUOTES) {
        quoted_length(line)
    } else if key.is_list() {
        let closed = bracketed_length(line);
        let is_heading = line.starts_with('#') && !raw.more.is_empty();
        closed.or(is_heading.then_some(0))
    } else if key.is_text() && block_header(line).is_none() {
        None
    } else {
        return split_comment(line).1;
    };
    let rest = value.and_then(|length| line.get(length..)).unwrap_or_default();
    let comment = trim_start(rest);
    if comment.starts_with('#') { comment } else { "" }
}

pub(super) fn is_comment(rest: &str) -> bool {
    let comment = rest.trim_matches(BLANK_OR_BREAK);
    comment.is_empty()
        || comment.starts_with('#') && rest.starts_with(BLANK_OR_BREAK) && !comment.contains('\n')
}

/// Splits `value # comment`; the comment has its `#`, and is empty where there is none.
pub(super) fn split_comment(text: &str) -> (&str, &str) {
    let comment = memchr_iter(b'#', text.as_bytes())
        .find(|&at| at == 0 || matches!(text.as_bytes().get(at - 1), Some(b' ' | b'\t')));
    let Some((value, comment)) = comment.and_then(|at| text.split_at_checked(at)) else {
        return (text, "");
    };
    (trim_end(value), comment)
}

/// Takes the outer quotes off a value that is not quoted as YAML wants it, if they are a pair: `"C:\Users"`.
///
/// An even number of further quotes means that the outer ones belong to two pairs: `"this" or "that"`.
fn strip_quotes(whole: &str) -> Cow<'_, str> {
    let inner = |quote: char| {
        let inner = whole.strip_prefix(quote)?.strip_suffix(quote)?;
        let escapes = if quote == '"' { inner.matches("\\\"").count() } else { 0 };
        let further = inner.matches(quote).count() - escapes;
        (further == 0 || further % 2 == 1).then_some(inner)
    };
    fold(inner('"').or_else(|| inner('\'')).unwrap_or(whole))
}

/// Joins the lines of a plain text with blanks; an empty line becomes a line break.
fn fold(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut breaks = 0;
    for line in text.split_inclusive('\n') {
        let line = trim_start(trim_line_end(line));
        if line.starts_with('#') && !folded.is_empty() {
            continue;
        }
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        match breaks {
            _ if folded.is_empty() => {}
            0 => folded.push(' '),
            _ => folded.extend(std::iter::repeat_n('\n', breaks)),
        }
        breaks = 0;
        folded.push_str(line);
    }
    Cow::Owned(folded)
}

/// Reads a block scalar, without the line breaks at its end.
fn block(raw: &Raw<'_>) -> Option<String> {
    let is_text = |line: &&str| !line.trim_matches(BLANK_OR_BREAK).is_empty();
    let indent_of = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = match block_header(raw.first)? {
        BlockIndent::By(further) => raw.indent + further,
        BlockIndent::AsFirst => raw.more.lines().find(is_text).map_or(usize::MAX, indent_of),
    };
    // A line further left would end the scalar, and the reader would go on to read YAML; only a comment may stand there.
    let ends_it = |line: &str| indent_of(line) < least && !trim_start(line).starts_with('#');
    if least <= raw.indent || raw.more.lines().filter(is_text).any(ends_it) {
        return None;
    }
    let text = yaml::block(raw.indent, raw.first, raw.more)?;
    Some(text.trim_end_matches('\n').to_owned())
}

/// Whether a YAML reader would refuse the plain text, or read something else.
fn needs_quotes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins_like_yaml = match bytes {
        [b'-' | b'?' | b':', rest @ ..] => matches!(rest, [] | [b' ' | b'\t', ..]),
        [
            b'[' | b']' | b'{' | b'}' | b',' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%'
            | b'@' | b'`' | b'"' | b'\'',
            ..,
        ] => true,
        _ => false,
    };
    let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    let holds_mark = memchr2_iter(b':', b'#', bytes).any(|at| match bytes.get(at) {
        Some(b':') => is_blank(at + 1),
        _ => at > 0 && is_blank(at - 1),
    });
    begins_like_yaml || holds_mark || bytes.ends_with(b":")
}
