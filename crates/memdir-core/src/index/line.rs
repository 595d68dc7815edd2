//! The lines of an index and the pointers on them.

use super::target;
use crate::MemPath;

/// One line of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'a> {
    /// Its place, counted from 1.
    pub number: usize,
    /// The line without its line break.
    pub text: &'a str,
    /// What it points to, `None` for headings, prose, blank lines, and lines that list several memories.
    pub pointer: Option<Pointer<'a>>,
}

/// A link at the head of a line and what is said about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pointer<'a> {
    /// The text of the link.
    pub title: &'a str,
    /// Where it leads, as written: still percent-encoded, without angle brackets and link title.
    pub target: &'a str,
    /// What follows the separator, trimmed; empty if nothing does.
    pub hook: &'a str,
    /// What stands between link and hook, spaces included; empty if there is no hook or no known separator.
    pub separator: &'a str,
}

impl Pointer<'_> {
    /// Returns the memory it leads to, or `None` if it leads elsewhere.
    ///
    /// A percent-encoded target is read decoded if that gives a path, else as it is; `./` and `#heading` are left out.
    pub fn path(&self) -> Option<MemPath> {
        target::path(self.target)
    }
}

/// Reads the lines of an index in order.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.split_inclusive('\n').zip(1..).map(|(raw, number)| {
        let text = without_break(raw);
        Line { number, text, pointer: Parts::of(text).map(|parts| parts.pointer) }
    })
}

/// Takes the line break off a line.
pub(super) fn without_break(raw: &str) -> &str {
    let line = raw.strip_suffix('\n').unwrap_or(raw);
    line.strip_suffix('\r').unwrap_or(line)
}

/// A pointer line taken apart such that it can be put together with another title and hook.
pub(super) struct Parts<'a> {
    pub(super) pointer: Pointer<'a>,
    /// Everything before the title: indent, bullet, task box, emphasis, `[`.
    pub(super) head: &'a str,
    /// Everything from behind the title to the separator: `](target)` and emphasis.
    pub(super) middle: &'a str,
}

impl<'a> Parts<'a> {
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let (_, item) = split_bullet(line);
        let item = item.trim_start_matches(['*', '_']);
        let inside = item.strip_prefix('[')?;
        let (title, at_target) = inside.split_once("](")?;
        let (target, after) = target::split(at_target)?;
        let rest = after.trim_start_matches(['*', '_']);
        let head = line.get(..line.len() - inside.len())?;
        let middle = line.get(head.len() + title.len()..line.len() - rest.len())?;

        let (separator, hook) = split_separator(rest);
        if separator.is_empty() && hook.contains("](") {
            return None;
        }
        Some(Self { pointer: Pointer { title, target, hook, separator }, head, middle })
    }
}

/// Splits a line behind its bullet and task box; both may be missing.
fn split_bullet(line: &str) -> (&str, &str) {
    let mut item = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let number = item.trim_start_matches(|c: char| c.is_ascii_digit());
    let bullet = if number.len() < item.len() {
        number.strip_prefix(['.', ')'])
    } else {
        item.strip_prefix(['-', '*', '+'])
    };
    if let Some(after) = bullet.filter(|after| after.starts_with([' ', '\t'])) {
        item = after.trim_start();
        let unboxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| item.strip_prefix(*mark));
        item = unboxed.filter(|after| after.starts_with(' ')).unwrap_or(item).trim_start();
    }
    line.split_at_checked(line.len() - item.len()).unwrap_or(("", line))
}

/// The bullet of a line that has one; a number is none.
pub(super) fn bullet(line: &str) -> Option<char> {
    let marked = split_bullet(line).0.trim_start_matches(['\u{feff}', ' ', '\t']);
    marked.chars().next().filter(|bullet| matches!(bullet, '-' | '*' | '+'))
}

/// Marks that people put between link and hook, and whether white space must follow to make it one.
const MARKS: [(&str, bool); 6] =
    [("—", false), ("–", false), ("--", true), ("-", true), (":", false), ("：", false)];

fn split_separator(rest: &str) -> (&str, &str) {
    let at_mark = rest.trim_start();
    let separated = MARKS.iter().find_map(|(mark, spaced)| {
        let after = at_mark.strip_prefix(mark)?;
        let hook = after.trim_start();
        (!*spaced || hook.len() < after.len() || hook.is_empty()).then_some(hook)
    });
    match separated.unwrap_or(at_mark) {
        "" => ("", ""),
        hook if separated.is_none() => ("", hook.trim_end()),
        hook => {
            let separator = rest.get(..rest.len() - hook.len()).unwrap_or_default();
            (separator, hook.trim_end())
        }
    }
}
