//! What a value says: plain text is taken as it stands, only quotes and block scalars go to the YAML reader.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter};

use super::lines::{
    BLANK_OR_BREAK, BlockIndent, Form, Raw, block_header, is_item, trim_end, trim_line_end,
    trim_start,
};
use super::{Key, Refusal, yaml};
use crate::limits;

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

/// Reads a list: one item a line, in brackets, or separated by commas.
pub(super) fn list(raw: &Raw<'_>) -> (Vec<String>, Option<Trouble>) {
    if raw.is_bare() && is_item(raw.more.trim_start_matches(BLANK_OR_BREAK)) {
        return items(raw);
    }
    if raw.more.is_empty() && (raw.first == "#" || raw.first.starts_with("# ")) {
        return (Vec::new(), None);
    }
    let mut refusal = None;
    if !raw.whole.starts_with("[[") {
        match brackets(raw.whole, '[', ']') {
            Some(Ok(pieces)) => return plain_items(pieces),
            Some(Err(why)) => refusal = Some(Trouble::ReadAsText(why)),
            None => {}
        }
    }
    let (text, trouble) = text(raw);
    match pieces(&text, Until::End) {
        Ok((pieces, _)) => {
            let (items, _) = plain_items(pieces);
            (items, refusal.or(trouble))
        }
        Err(why) => {
            let (items, _) = plain_items(text.split([',', '\n']).collect());
            (items, refusal.or(Some(Trouble::ReadAsText(why))))
        }
    }
}

/// The pieces of a value in brackets; `None` if it is none, an error if it only begins like one.
pub(super) fn brackets(whole: &str, open: char, close: char) -> Option<Result<Vec<&str>, Refusal>> {
    let inner = whole.strip_prefix(open)?;
    Some(match pieces(inner, Until::Close(close)) {
        Ok((pieces, rest)) if is_comment(rest) => Ok(pieces),
        Ok(_) => Err(Refusal::TextAfterBracket),
        Err(why) => Err(why),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The end of the text; a line break separates like a comma.
    End,
    /// A closing bracket, and comments may stand at the ends of lines.
    Close(char),
}

/// Splits at commas outside of quotes and brackets, and gives what follows the closing bracket.
fn pieces(text: &str, until: Until) -> Result<(Vec<&str>, &str), Refusal> {
    let in_lines = until != Until::End && text.contains('\n');
    let mut pieces = Vec::new();
    let (mut piece, mut at, mut depth) = (text, 0, 0_usize);
    // A quote opens only where a piece, or a value within one, begins; elsewhere it is an apostrophe.
    let mut may_quote = true;
    let mut after_blank = true;
    while let Some(rest) = text.get(at..)
        && let Some(char) = rest.chars().next()
    {
        let mut length = char.len_utf8();
        let is_blank = BLANK_OR_BREAK.contains(&char);
        let next_is_blank = rest.get(length..).is_some_and(|rest| rest.starts_with(BLANK_OR_BREAK));
        match char {
            '"' | '\'' if may_quote => {
                length = quoted_length(rest).unwrap_or(length);
                may_quote = false;
            }
            '#' if in_lines && after_blank => length = rest.find('\n').unwrap_or(rest.len()),
            ',' | '\n' if depth == 0 && (char == ',' || until == Until::End) => {
                pieces.push(head(piece, rest));
                piece = rest.get(length..).unwrap_or_default();
                may_quote = true;
            }
            '[' | '{' if depth == limits::MAX_DEPTH => return Err(Refusal::Depth),
            '[' | '{' => {
                depth += 1;
                may_quote = true;
            }
            ']' | '}' if depth > 0 => depth -= 1,
            _ if until == Until::Close(char) => {
                pieces.push(head(piece, rest));
                return Ok((pieces, rest.get(length..).unwrap_or_default()));
            }
            _ => may_quote = is_blank && may_quote || char == ':' && next_is_blank,
        }
        after_blank = is_blank;
        at += length;
    }
    if depth > 0 || until != Until::End {
        return Err(Refusal::BracketOpen);
    }
    pieces.push(piece);
    Ok((pieces, ""))
}

/// What of `text` stands before `rest`, its tail.
fn head<'a>(text: &'a str, rest: &str) -> &'a str {
    text.strip_suffix(rest).unwrap_or(text)
}

fn plain_items(pieces: Vec<&str>) -> (Vec<String>, Option<Trouble>) {
    let (mut items, mut trouble) = (Vec::new(), None);
    for piece in pieces {
        let mut item = piece.trim_start_matches(BLANK_OR_BREAK);
        while item.starts_with('#')
            && let Some((_, below)) = item.split_once('\n')
        {
            item = below.trim_start_matches(BLANK_OR_BREAK);
        }
        push_item(&mut items, &mut trouble, &Raw::inline(item.trim_end_matches(BLANK_OR_BREAK)));
    }
    (items, trouble)
}

fn items(raw: &Raw<'_>) -> (Vec<String>, Option<Trouble>) {
    let (mut items, mut trouble) = (Vec::new(), None);
    let mut rest = raw.more;
    let mut dashes = usize::MAX;
    let mut item = raw.more;
    let mut at = 0;
    for line in raw.more.split_inclusive('\n') {
        let content = trim_start(line);
        let depth = line.len() - content.len();
        if is_item(content) && depth <= dashes {
            if let Some(above) = Raw::item(head(item, rest)) {
                push_item(&mut items, &mut trouble, &above);
            }
            (dashes, item) = (depth, rest);
        }
        at += line.len();
        rest = raw.more.get(at..).unwrap_or_default();
    }
    if let Some(last) = Raw::item(item) {
        push_item(&mut items, &mut trouble, &last);
    }
    (items, trouble)
}

fn push_item(items: &mut Vec<String>, trouble: &mut Option<Trouble>, raw: &Raw<'_>) {
    let (item, other) = text(raw);
    *trouble = trouble.or(other);
    if !item.is_empty() {
        items.push(item.into_owned());
    }
}

fn quoted(slice: &str) -> Result<Cow<'_, str>, Refusal> {
    let length = quoted_length(slice).ok_or(Refusal::QuoteOpen)?;
    let (token, rest) = slice.split_at_checked(length).ok_or(Refusal::QuoteOpen)?;
    if !is_comment(rest) {
        return Err(Refusal::TextAfterQuote);
    }
    let inner = token.get(1..length - 1).unwrap_or_default();
    if inner.contains(['\n', '\\']) && (inner.contains('\n') || token.starts_with('"')) {
        return yaml::quoted(token).map(Cow::Owned).ok_or(Refusal::Escape);
    }
    Ok(if token.starts_with('\'') && inner.contains('\'') {
        Cow::Owned(inner.replace("''", "'"))
    } else {
        Cow::Borrowed(inner)
    })
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
        let closed = line.strip_prefix('[').and_then(|inner| pieces(inner, Until::Close(']')).ok());
        let is_heading = line.starts_with('#') && !raw.more.is_empty();
        closed.map(|(_, rest)| line.len() - rest.len()).or(is_heading.then_some(0))
    } else if key.is_text() && block_header(line).is_none() {
        None
    } else {
        return split_comment(line).1;
    };
    let rest = value.and_then(|length| line.get(length..)).unwrap_or_default();
    let comment = trim_start(rest);
    if comment.starts_with('#') { comment } else { "" }
}

fn is_comment(rest: &str) -> bool {
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
    let mut indents = raw.more.lines().filter(|line| !line.trim_matches(BLANK_OR_BREAK).is_empty());
    let indent_of = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = match block_header(raw.first)? {
        BlockIndent::By(further) => raw.indent + further,
        BlockIndent::AsFirst => indents.clone().next().map_or(usize::MAX, indent_of),
    };
    // A line further left would end the scalar, and the reader would go on to read YAML.
    if least <= raw.indent || indents.any(|line| indent_of(line) < least) {
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
        [first, ..] => matches!(
            first,
            b'[' | b']'
                | b'{'
                | b'}'
                | b','
                | b'#'
                | b'&'
                | b'*'
                | b'!'
                | b'|'
                | b'>'
                | b'%'
                | b'@'
                | b'`'
                | b'"'
                | b'\''
        ),
        [] => false,
    };
    let is_blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    let holds_mark = memchr2_iter(b':', b'#', bytes).any(|at| match bytes.get(at) {
        Some(b':') => is_blank(at + 1),
        _ => at > 0 && is_blank(at - 1),
    });
    begins_like_yaml || holds_mark || bytes.ends_with(b":")
}
