//! What the target of a link names.

use std::fmt::Write;

use crate::{MemPath, percent};

/// Splits what follows `](` into the target and what comes behind the closing parenthesis.
///
/// Angle brackets and a quoted title are not part of the target; spaces in it, which `CommonMark` does not allow, are.
pub(super) fn split(at_target: &str) -> Option<(&str, &str)> {
    // A target that holds the next `](` is none; looking no further keeps a line of nothing else linear.
    let scope = at_target.split("](").next().unwrap_or_default();
    let inner = scope.trim_start_matches([' ', '\t']);
    let angled = inner.strip_prefix('<').and_then(|open| open.split_once('>'));
    let (target, close) = if let Some((target, after)) = angled {
        (target, after.len() - closing(after)?)
    } else {
        let end = closing(inner)?;
        (untitled(inner.get(..end)?), inner.len() - end)
    };
    let behind = at_target.get(scope.len() - close + ')'.len_utf8()..)?;
    Some((target, behind))
}

/// Drops a quoted link title from what stands between the parentheses.
fn untitled(inside: &str) -> &str {
    let before_title = ['"', '\''].iter().find_map(|&quote| {
        let (target, title) = inside.trim_end().strip_suffix(quote)?.split_once(quote)?;
        (!title.contains(quote) && target.ends_with([' ', '\t'])).then_some(target)
    });
    before_title.unwrap_or(inside).trim()
}

/// Finds the parenthesis that closes the link: the first that is not opened within it, else the last.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.rfind(')')
}

/// Tells targets that have only one spelling: what most people and programs write.
fn is_plain(target: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'.');
    !target.starts_with('.') && target.bytes().all(plain)
}

/// Returns what all targets that mean one memory have in common: the text of its path.
///
/// A target that means none has none, or one that is the path of no memory.
pub(super) fn key(target: &str) -> Option<Box<str>> {
    if is_plain(target) {
        Some(target.into())
    } else {
        path(target).map(|path| path.as_str().into())
    }
}

/// Returns the memory that a target means: of its spellings the first that names a Markdown file, else any file.
pub(super) fn path(target: &str) -> Option<MemPath> {
    if is_plain(target) {
        return MemPath::parse(target).ok();
    }
    let spellings = spellings(target);
    let paths = || spellings.iter().filter_map(|text| MemPath::parse(text).ok());
    paths().find(MemPath::is_markdown).or_else(|| paths().next())
}

/// Tells whether a target can mean a file of the memory directory at all.
pub(super) fn is_local(target: &str) -> bool {
    let scheme = target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    !(target.is_empty() || target.starts_with('#') || scheme)
}

/// Tells whether a target ends in `.md`, a fragment aside.
pub(super) fn is_markdown(target: &str) -> bool {
    let file = target.split_once('#').map_or(target, |(file, _)| file);
    file.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("md"))
}

/// The ways to spell what a target names: with and without its fragment, decoded and as it is.
pub(super) fn spellings(target: &str) -> Vec<String> {
    if !is_local(target) {
        return Vec::new();
    }
    let mut spellings: Vec<String> = Vec::new();
    let bare = target.split_once('#').map_or(target, |(file, _)| file);
    for text in [bare, target] {
        let decoded = percent::decode(text).and_then(|bytes| String::from_utf8(bytes).ok());
        for spelling in
            [decoded, Some(text.to_owned()), Some(unescaped(text))].into_iter().flatten()
        {
            let mut path = spelling.as_str();
            while let Some(rest) = path.strip_prefix("./") {
                path = rest.trim_start_matches('/');
            }
            if !path.is_empty() && !spellings.iter().any(|known| known == path) {
                spellings.push(path.to_owned());
            }
        }
    }
    spellings
}

/// Drops the backslashes that Markdown takes for escapes.
fn unescaped(target: &str) -> String {
    let mut out = String::with_capacity(target.len());
    let mut chars = target.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.push(c);
        }
    }
    out
}

/// Writes a path as the target of a link that every Markdown reader takes for one.
pub(super) fn encoded(path: &MemPath) -> String {
    let mut out = String::with_capacity(path.as_str().len());
    for c in path.as_str().chars() {
        if c.is_whitespace() || "%()<>[]\"'`#?|*&".contains(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                write!(out, "%{byte:02X}").expect("a String takes every write");
            }
        } else {
            out.push(c);
        }
    }
    out
}
