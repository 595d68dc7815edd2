//! What a terminal takes for an order: a control character, and what belongs to it.

use super::classes::{class, ends_line};
use crate::Hidden;
use crate::limits::ORDER_CHARS;

/// Whether a text in ASCII may hold controls that are to be taken out: it has some other than tabs and what ends lines.
pub(crate) fn may_have_controls(text: &str) -> bool {
    let chars = || text.bytes().map(char::from);
    let after = chars().skip(1).map(Some).chain([None]);
    chars().zip(after).any(|(c, after)| class(c) == Some(Hidden::Controls) && !ends_line(c, after))
}

/// The length in bytes of the order that `text` begins with; that of the first character where it begins none.
///
/// An order of unusual form, such as one without an end, is its first characters only: what a terminal would show stays.
pub(crate) fn order_len(text: &str) -> usize {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return 0 };
    let introducer = match first {
        '\u{1B}' => match chars.clone().next() {
            Some('[') => Some('['),
            Some(']' | 'P' | '^' | '_' | 'X') => Some(']'),
            _ => None,
        },
        '\u{9B}' => Some('['),
        '\u{9D}' | '\u{90}' | '\u{9E}' | '\u{9F}' | '\u{98}' => Some(']'),
        _ => None,
    };
    let head = first.len_utf8() + usize::from(first == '\u{1B}' && introducer.is_some());
    let rest = text.get(head..).unwrap_or_default();
    let len = match introducer {
        Some('[') => parameters_len(rest),
        Some(_) => string_len(rest),
        None => Some(0),
    };
    head + len.unwrap_or(0)
}

/// Parameters, and the letter or sign that they are for.
fn parameters_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes().iter().take(ORDER_CHARS);
    let len = bytes.take_while(|byte| matches!(byte, 0x20..=0x3F)).count();
    text.as_bytes().get(len).filter(|byte| matches!(byte, 0x40..=0x7E)).map(|_| len + 1)
}

/// A string up to the bell or terminator that ends it, within its line.
fn string_len(text: &str) -> Option<usize> {
    let line = text.char_indices().take(ORDER_CHARS).take_while(|(_, c)| *c != '\n');
    let (at, end) = line.into_iter().find(|(_, c)| matches!(c, '\u{7}' | '\u{1B}' | '\u{9C}'))?;
    let is_written_out = text.get(at..).is_some_and(|rest| rest.starts_with("\u{1B}\\"));
    Some(at + end.len_utf8() + usize::from(is_written_out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(order: &str, rest: &str) {
        assert_eq!(order_len(&format!("{order}{rest}")), order.len(), "{order:?} {rest:?}");
    }

    #[test]
    fn an_order_is_taken_whole() {
        check("\u{1B}[0;31m", "red");
        check("\u{9B}2K", "x");
        check("\u{1B}]8;;http://a.b\u{7}", "link");
        check("\u{1B}]0;title\u{1B}\\", "x");
        check("\u{9D}0;title\u{9C}", "x");
        check("\0", "[0m");
    }

    #[test]
    fn of_an_order_without_end_what_would_show_stays() {
        check("\u{1B}[", "12\nkey");
        check("\u{1B}]", "0;title\n\u{7}");
        check("\u{1B}", "");
        check("", "");
    }
}
