use std::collections::BTreeMap;

use super::{
    line::{Parts, split_bullet, without_break},
    lines, target,
};
use crate::{MemPath, text::with_danger};

/// What a line of the index shall say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a line of the index has these three parts and no others"
)]
pub struct Entry<'a> {
    /// The memory.
    pub path: &'a MemPath,
    /// The text of the link; written [`neutral`], the stem of the path if empty.
    pub title: &'a str,
    /// The one-line hook; written [`neutral`], left out with its separator if empty.
    pub hook: &'a str,
}

/// What an edit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// A line was added.
    Added,
    /// A line was changed in place.
    Updated,
    /// The text already said so.
    Unchanged,
    /// One or more lines were taken out.
    Removed,
}

/// An index after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// What was done.
    pub action: Action,
    /// The line as it was, without its line break; several, where several were removed, are joined by `\n`.
    pub before: Option<String>,
    /// The line as it is now, without its line break.
    pub after: Option<String>,
}

/// Says of a memory what the entry says: changes the first line that points to it, or appends one.
///
/// Everything else stays byte for byte as it is; only where the last line had no line break, one is added before the new
/// line. A changed line keeps its indent, bullet, target and separator. A new one takes bullet, separator and line
/// break from the lines that there are, and ` — ` where there is none to follow.
pub fn upsert(text: &str, entry: &Entry<'_>) -> Edited {
    let hook = neutral(entry.hook);
    let title = [entry.title, entry.path.stem(), entry.path.file_name()]
        .into_iter()
        .map(neutral)
        .find(|title| !title.is_empty())
        .unwrap_or_default();
    let separator = if hook.is_empty() { "" } else { separator_in_use(text) };

    let Some(place) = first_line_of(text, entry.path) else {
        let bullet = bullet_in_use(text);
        let target = target::encoded(entry.path);
        let line = format!("{bullet} [{title}]({target}){separator}{hook}");
        return append(text, line);
    };
    let Parts { pointer, head, middle } = &place.parts;
    if pointer.title == title && pointer.hook == hook {
        return unchanged(text, Some(place.line));
    }
    let separator = match pointer.separator {
        own if own.is_empty() || hook.is_empty() => separator,
        own => own,
    };
    replace(text, &place, format!("{head}{title}{middle}{separator}{hook}"))
}

/// Takes out every line that points to the memory, with its line break.
pub fn remove(text: &str, path: &MemPath) -> Edited {
    let mut kept = String::with_capacity(text.len());
    let mut removed = Vec::new();
    for raw in text.split_inclusive('\n') {
        let line = without_break(raw);
        if Parts::of(line).is_some_and(|parts| parts.pointer.is_of(path)) {
            removed.push(line);
        } else {
            kept.push_str(raw);
        }
    }
    if removed.is_empty() {
        return unchanged(text, None);
    }
    let before = Some(removed.join("\n"));
    Edited { text: kept, action: Action::Removed, before, after: None }
}

/// Puts back what an earlier edit reported as `before`, or, for `None`, takes the memory's lines away.
///
/// The first line that points to the memory becomes `line`; where there is none, `line` is appended. It may be several
/// lines, joined by `\n`.
pub fn restore_line(text: &str, path: &MemPath, line: Option<&str>) -> Edited {
    let Some(line) = line else { return remove(text, path) };
    let line = line.split('\n').map(without_break).collect::<Vec<_>>().join("\n");
    match first_line_of(text, path) {
        Some(place) if place.line == line => unchanged(text, Some(place.line)),
        Some(place) => replace(text, &place, line),
        None => append(text, line),
    }
}

/// Makes a title or hook fit for one line of an index; what is fit already stays as it is.
///
/// White space and line breaks become single spaces, `[`, `]` and `|` become `(`, `)` and `/`, a comment cannot open or
/// close, and control, bidi and invisible characters are dropped, except those that spelling needs.
pub fn neutral(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (c, danger) in with_danger(text) {
        match c {
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            _ if danger => {}
            '[' => out.push('('),
            ']' => out.push(')'),
            '|' => out.push('/'),
            // `<!--` would hide what follows from whoever strips comments.
            '-' if out.ends_with("<!") => out.push_str(" -"),
            '>' if out.ends_with("--") => out.push_str(" >"),
            c => out.push(c),
        }
    }
    // A backslash before the closing bracket would escape it.
    out.truncate(out.trim_end_matches([' ', '\\']).len());
    out
}

struct Place<'a> {
    line: &'a str,
    /// Where the line begins, in bytes.
    start: usize,
    parts: Parts<'a>,
}

fn first_line_of<'a>(text: &'a str, path: &MemPath) -> Option<Place<'a>> {
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let line = without_break(raw);
        if let Some(parts) = Parts::of(line).filter(|parts| parts.pointer.is_of(path)) {
            return Some(Place { line, start, parts });
        }
        start += raw.len();
    }
    None
}

fn replace(text: &str, place: &Place<'_>, line: String) -> Edited {
    let mut edited = text.to_owned();
    let raw = line.replace('\n', line_break_in_use(text));
    edited.replace_range(place.start..place.start + place.line.len(), &raw);
    let before = Some(place.line.to_owned());
    Edited { text: edited, action: Action::Updated, before, after: Some(line) }
}

fn append(text: &str, line: String) -> Edited {
    let line_break = line_break_in_use(text);
    let joint = if text.is_empty() || text.ends_with('\n') { "" } else { line_break };
    let raw = line.replace('\n', line_break);
    let text = format!("{text}{joint}{raw}{line_break}");
    Edited { text, action: Action::Added, before: None, after: Some(line) }
}

fn unchanged(text: &str, line: Option<&str>) -> Edited {
    let line = line.map(str::to_owned);
    Edited { text: text.to_owned(), action: Action::Unchanged, before: line.clone(), after: line }
}

/// The line break of the last line that has one.
fn line_break_in_use(text: &str) -> &'static str {
    match text.rsplit_once('\n') {
        Some((before, _)) if before.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The separator that most pointers have; of equals the one that appears last.
fn separator_in_use(text: &str) -> &str {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for line in lines(text) {
        if let Some(pointer) = line.pointer.filter(|pointer| !pointer.separator.is_empty()) {
            counts.entry(pointer.separator).or_insert((0, line.number)).0 += 1;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, counted)| *counted)
        .map_or(" — ", |(separator, _)| separator)
}

/// The bullet of the last pointer that has one.
fn bullet_in_use(text: &str) -> char {
    let bullet = |line: &str| {
        split_bullet(line).0.trim_start_matches(['\u{feff}', ' ', '\t']).chars().next()
    };
    let bullets =
        lines(text).filter(|line| line.pointer.is_some()).filter_map(|line| bullet(line.text));
    bullets.filter(|bullet| matches!(bullet, '-' | '*' | '+')).last().unwrap_or('-')
}
