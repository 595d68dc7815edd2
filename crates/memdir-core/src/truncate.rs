//! Cuts an index to what a prompt may hold, and says so at its end.

use std::borrow::Cow;

use crate::{frontmatter, limits, text};

/// What the second limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unit {
    /// Bytes of UTF-8.
    #[default]
    Bytes,
    /// UTF-16 code units, as a client written in JavaScript counts.
    Utf16,
}

/// How much of an index is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Lines kept at most; the lines are counted after trimming.
    pub max_lines: usize,
    /// Units kept at most, line breaks included.
    pub max_units: usize,
    /// What `max_units` counts.
    pub unit: Unit,
    /// Whether frontmatter and HTML comments are taken out and CRLF becomes LF before anything is counted.
    pub strip: bool,
}

impl Limits {
    /// Limits of the same kind as the default with other numbers.
    pub fn new(max_lines: usize, max_bytes: usize) -> Self {
        Self { max_lines, max_units: max_bytes, unit: Unit::Bytes, strip: false }
    }

    /// What Claude Code loads of its index: 200 lines and 25,000 UTF-16 units of what is left after stripping.
    pub fn claude_code() -> Self {
        Self { unit: Unit::Utf16, strip: true, ..Self::default() }
    }
}

/// [`limits::INDEX_LINES`] lines and [`limits::INDEX_BYTES`] bytes of the text as it is.
impl Default for Limits {
    fn default() -> Self {
        Self::new(limits::INDEX_LINES, limits::INDEX_BYTES)
    }
}

/// An index cut to its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Truncated {
    /// What is kept, then, where something was cut, a blank line and one quoted line that says so. Empty if the text
    /// holds only white space.
    pub content: String,
    /// Lines there were, after stripping and trimming; 0 for an empty text.
    pub line_count: usize,
    /// Bytes there were, after stripping and trimming.
    pub byte_count: usize,
    /// Whether there were more lines than allowed.
    pub was_line_truncated: bool,
    /// Whether what the line limit left was still too long.
    pub was_byte_truncated: bool,
    kept: usize,
}

impl Truncated {
    /// Returns what is kept of the text, without the warning.
    pub fn kept(&self) -> &str {
        self.content.get(..self.kept).unwrap_or(&self.content)
    }
}

/// Trims a text and cuts it to its limits: first by lines, then at the last line end within the units allowed, and
/// within a line only where that line is the first.
///
/// A cut never falls inside a character. What is kept is within both limits; the warning comes on top of them.
pub fn truncate(text: &str, limits: &Limits) -> Truncated {
    let stripped = if limits.strip { strip(text) } else { Cow::Borrowed(text) };
    let whole =
        stripped.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').trim_end();
    let lines = first_lines(whole, limits.max_lines).trim_end();
    let units = first_units(lines, limits);
    let kept =
        if units.len() < lines.len() { last_line_end(lines, units) } else { lines }.trim_end();

    let mut content = kept.to_owned();
    let cut = whole.len() - kept.len();
    if cut > 0 {
        if !kept.is_empty() {
            content.push_str("\n\n");
        }
        content.push_str(&warning(whole, kept, limits));
    }
    Truncated {
        content,
        line_count: count_lines(whole),
        byte_count: whole.len(),
        was_line_truncated: lines.len() < whole.len(),
        was_byte_truncated: units.len() < lines.len(),
        kept: kept.len(),
    }
}

fn count_lines(text: &str) -> usize {
    if text.is_empty() { 0 } else { text.matches('\n').count() + 1 }
}

fn first_lines(text: &str, max_lines: usize) -> &str {
    let Some(last) = max_lines.checked_sub(1) else { return "" };
    let end = text.match_indices('\n').nth(last).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

fn first_units<'a>(text: &'a str, limits: &Limits) -> &'a str {
    let mut units = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        units += match limits.unit {
            Unit::Bytes => c.len_utf8(),
            Unit::Utf16 => c.len_utf16(),
        };
        (units > limits.max_units).then_some(at)
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// Drops the line that `start`, a prefix of `text`, breaks off in, unless it is the only one.
fn last_line_end<'a>(text: &'a str, start: &'a str) -> &'a str {
    let rest = text.strip_prefix(start).unwrap_or_default();
    if rest.starts_with('\n') || rest.starts_with("\r\n") {
        return start;
    }
    start.rsplit_once('\n').map_or(start, |(lines, _)| lines)
}

fn warning(whole: &str, kept: &str, limits: &Limits) -> String {
    let unit = match limits.unit {
        Unit::Bytes => "byte",
        Unit::Utf16 => "UTF-16 unit",
    };
    let size = |text: &str| match limits.unit {
        Unit::Bytes => text.len(),
        Unit::Utf16 => text.encode_utf16().count(),
    };
    let rest = whole.strip_prefix(kept).unwrap_or_default();
    let (total, shown) = (count_lines(whole), count_lines(kept));
    let missing = if rest.starts_with(['\r', '\n']) || kept.is_empty() {
        let next = rest.trim_start().lines().next().unwrap_or_default();
        format!(
            "{} from line {} on (\"{}\")",
            counted(total - shown, "line"),
            grouped(shown + 1),
            text::excerpt(next.trim_end(), limits::WARNING_EXCERPT_CHARS)
        )
    } else {
        format!("all after the first {} of line 1", counted(size(kept), unit))
    };
    format!(
        "> Not all of this index is here: it has {} and {}, and the limit is {} and {}. \
         Left out: {missing}. Keep an entry to one line of under {} characters and move detail into topic files.",
        counted(total, "line"),
        counted(size(whole), unit),
        counted(limits.max_lines, "line"),
        counted(limits.max_units, unit),
        limits::INDEX_LINE_CHARS,
    )
}

fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Takes out what Claude Code does not load: frontmatter, and comments that begin a line outside fenced code.
fn strip(text: &str) -> Cow<'_, str> {
    let text = text.replace("\r\n", "\n");
    let mut rest = frontmatter::parse(&text).body;
    let mut out = String::with_capacity(rest.len());
    let mut fence: Option<&str> = None;
    let mut closes = true;
    while !rest.is_empty() {
        let trimmed = rest.trim_start_matches(' ');
        let open = trimmed.strip_prefix("<!--").filter(|_| fence.is_none() && closes);
        if let Some(open) = open {
            if let Some((_, after)) = open.split_once("-->") {
                rest = after.trim_start_matches([' ', '\t']);
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                continue;
            }
            // Nothing further on closes a comment either; looking again at each line would be quadratic.
            closes = false;
        }
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        fence = match fence {
            None => fence_of(trimmed),
            Some(open) => Some(open).filter(|open| !trimmed.starts_with(open)),
        };
        out.push_str(line);
        rest = rest.strip_prefix(line).unwrap_or_default();
    }
    Cow::Owned(out)
}

/// The marks that open fenced code: three or more, and as many close it.
fn fence_of(text: &str) -> Option<&str> {
    let after = text.trim_start_matches(if text.starts_with('`') { '`' } else { '~' });
    text.get(..text.len() - after.len()).filter(|marks| marks.len() >= 3)
}
