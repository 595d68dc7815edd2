//! What a server or a program says, as it may stand in an error.

use memdir_core::text::{escape_control, prefix};

use crate::{Key, limits};

/// Makes one line of a text: keys and secrets blotted out, control characters visible, at most [`limits::TOLD_CHARS`] characters.
pub(crate) fn told<'a>(text: &str, keys: impl IntoIterator<Item = &'a Key>) -> String {
    let bytes = usize::try_from(limits::ERROR_BYTES).unwrap_or(usize::MAX);
    let line = prefix(text, bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    let line = keys.into_iter().fold(line, |line, key| key.blot(&line));
    let line = memdir_guard::redact(&line, &memdir_guard::secrets(&line)).into_owned();
    let line = escape_control(&line);
    match line.char_indices().nth(limits::TOLD_CHARS) {
        Some(_) => line.chars().take(limits::TOLD_CHARS - 1).chain(['…']).collect(),
        None => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(told(text, &[Key::new("planted-key-0123456789")]), expect);
    }

    #[test]
    fn it_is_one_harmless_line() {
        check("", "");
        check(" slow\r\n\tdown ", "slow down");
        check("red \u{1b}[31m \u{202e}txt", "red \\u{1b}[31m \\u{202e}txt");
        check("no planted-key-0123456789 is known", "no **** is known");
        check(&["AKIA", "QYLPMN5HFIQR7XYA is no key"].concat(), "******************** is no key");
    }

    proptest! {
        #[test]
        fn it_is_short_whatever_is_said(text in "\\PC*", times in 1..100_usize) {
            let told = told(&text.repeat(times), &[Key::new("planted-key-0123456789")]);
            prop_assert!(told.chars().count() <= limits::TOLD_CHARS);
            prop_assert!(!told.contains(char::is_control));
        }
    }
}
