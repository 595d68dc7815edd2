//! Lists, in every form that people write.

use super::Refusal;
use super::raw::{BLANK_OR_BREAK, Raw, is_item, line_at, trim_start};
use super::value::{Trouble, is_comment, quoted_length, text};
use crate::limits;

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

/// Length of the list in brackets at the beginning of `line`, brackets included, in bytes.
pub(super) fn bracketed_length(line: &str) -> Option<usize> {
    let inner = line.strip_prefix('[')?;
    let (_, rest) = pieces(inner, Until::Close(']')).ok()?;
    Some(line.len() - rest.len())
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
    text.get(..text.len().saturating_sub(rest.len())).unwrap_or_default()
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

/// One item a line; a line that is indented further belongs to the item above it.
fn items(raw: &Raw<'_>) -> (Vec<String>, Option<Trouble>) {
    let (mut items, mut trouble) = (Vec::new(), None);
    let mut dashes = usize::MAX;
    let (mut item, mut rest) = (raw.more, raw.more);
    let mut push = |item, rest| {
        if let Some(item) = Raw::item(head(item, rest)) {
            push_item(&mut items, &mut trouble, &item);
        }
    };
    while let Some(line) = line_at(rest, 0) {
        let content = trim_start(line);
        let depth = line.len() - content.len();
        if is_item(content) && depth <= dashes {
            push(item, rest);
            (dashes, item) = (depth, rest);
        }
        rest = rest.get(line.len()..).unwrap_or_default();
    }
    push(item, rest);
    (items, trouble)
}

fn push_item(items: &mut Vec<String>, trouble: &mut Option<Trouble>, raw: &Raw<'_>) {
    let (item, other) = text(raw);
    *trouble = trouble.or(other);
    if !item.is_empty() {
        items.push(item.into_owned());
    }
}
