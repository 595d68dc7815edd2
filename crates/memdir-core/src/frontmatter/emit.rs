//! Scalars that every YAML reader reads alike, on one line each.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::SystemTime;

use crate::age;

/// Words that some YAML reader takes for something else than text, in lower case.
const RESERVED: [&str; 11] =
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];

/// A text, quoted unless it is safe without.
pub(super) fn scalar(text: &str) -> Cow<'_, str> {
    if is_plain_safe(text) { Cow::Borrowed(text) } else { Cow::Owned(quoted(text)) }
}

/// A date in whole seconds, quoted because some readers have a type of their own for dates.
pub(super) fn date(at: SystemTime) -> String {
    quoted(&age::format_rfc3339(at))
}

/// A list in brackets, each item quoted.
pub(super) fn list(items: &[String]) -> String {
    let items: Vec<_> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}

/// A text in double quotes; all that follows JSON, and that a reader might take for a line break or refuse, escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => escape(&mut quoted, char),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                escape(&mut quoted, char);
            }
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

fn escape(quoted: &mut String, char: char) {
    write!(quoted, "\\u{:04x}", u32::from(char)).expect("writing to a string does not fail");
}

fn is_plain_safe(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    // A letter first rules out numbers, dates and every sign that begins something else.
    first.is_alphabetic()
        && !text.ends_with(' ')
        && text.chars().all(is_plain_char)
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn is_plain_char(char: char) -> bool {
    match char {
        ':' | '#' => false,
        ' '..='~' => true,
        _ => char.is_alphanumeric() || matches!(char, '、'..='】' | '！'..='～' | '‐'..='…'),
    }
}
