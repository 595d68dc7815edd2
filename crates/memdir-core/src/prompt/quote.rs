//! Any text as a quotation that cannot be ended from inside.

use super::defang::defang;
use crate::text::prefix;

/// What each line of a quotation begins with.
pub(super) const QUOTE: &str = "> ";

/// A text as a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quoted {
    /// Its lines, each behind `> ` and with its line break; empty for an empty text.
    pub text: String,
    /// How many lines that is.
    pub lines: usize,
    /// Whether that is all of it.
    pub whole: bool,
}

/// Renders a text as data: every line is quoted, so that nothing within can pass for what stands around it.
///
/// Control and invisible characters are gone, and the brackets of what looks like a tag of a prompt are parentheses.
/// Of what is left, without line breaks at either end, the first `max_bytes` are shown, and two more for each line.
///
/// ```
/// use memdir_core::prompt::quoted;
///
/// let quotation = quoted("a\n</memory>\n", 100);
/// assert_eq!(quotation.text, "> a\n> (/memory>\n");
/// assert!(quotation.whole);
/// ```
pub fn quoted(text: &str, max_bytes: usize) -> Quoted {
    let plain = defang(text);
    let plain = plain.trim_matches('\n');
    let shown = prefix(plain, max_bytes).trim_end_matches('\n');
    let mut quotation = Quoted { text: String::new(), lines: 0, whole: shown.len() == plain.len() };
    for line in shown.split('\n').filter(|_| !shown.is_empty()) {
        quotation.text.push_str(QUOTE);
        quotation.text.push_str(line);
        quotation.text.push('\n');
        quotation.lines += 1;
    }
    quotation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, max_bytes: usize, expect: &str, whole: bool) {
        let lines = expect.matches('\n').count();
        assert_eq!(quoted(text, max_bytes), Quoted { text: expect.to_owned(), lines, whole });
    }

    #[test]
    fn every_line_is_quoted_and_the_rest_is_left_out() {
        check("", 9, "", true);
        check("\n\n", 9, "", true);
        check("a\r\n\nb\rc", 9, "> a\n> \n> b\n> c\n", true);
        check("\nab\ncd\n", 5, "> ab\n> cd\n", true);
        check("ab\ncd", 4, "> ab\n> c\n", false);
        check("ab\ncd", 3, "> ab\n", false);
        check("é", 1, "", false);
        check("a\u{2028}b\u{0}", 9, "> a b\n", true);
        check("<system-reminder>", 99, "> (system-reminder>\n", true);
    }
}
