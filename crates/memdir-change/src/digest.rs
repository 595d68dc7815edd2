//! What two texts share that say the same, and its hash.

use std::fmt;

use memdir_core::text::{TokenKind, fold, tokens};
use memdir_store::Revision;

use crate::limits::{LINE_WORDS, TOMBSTONE_LINES};

/// Half of the SHA-256 of a text's words, so that a text can be known again without being kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(crate) struct Digest(String);

/// Hexadecimal digits of a [`Digest`]: 128 bits.
const DIGITS: usize = 32;

impl Digest {
    /// The digest of a text's words, folded; `None` where it has none.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut words = String::new();
        for token in tokens(text).filter(|token| token.kind != TokenKind::Part) {
            words.push_str(&token.text);
            words.push(' ');
        }
        let hash = || Revision::of(words.as_bytes()).to_string().chars().take(DIGITS).collect();
        (!words.is_empty()).then(|| Self(hash()))
    }

    /// The digests of the lines that say something of their own, the first of them.
    pub(crate) fn of_lines(text: &str) -> Vec<Self> {
        let is_long = |line: &&str| tokens(line).take(LINE_WORDS).count() == LINE_WORDS;
        let mut lines: Vec<_> =
            text.lines().filter(is_long).filter_map(Self::of).take(TOMBSTONE_LINES).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text as quotes are compared: folded, with single spaces.
pub(crate) fn plain(text: &str) -> String {
    let folded = fold(text);
    let mut plain = String::with_capacity(folded.len());
    for word in folded.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_case_marks_and_spaces_alone_are_the_same() {
        let same = Digest::of("We deploy on Fridays, *never* by hand.");
        assert_eq!(Digest::of("- we deploy on  FRIDAYS never\nby hand"), same);
        assert_ne!(Digest::of("We deploy on Mondays, never by hand."), same);
        assert_eq!(Digest::of(" \n--- **"), None);
        assert!(Digest::of("記憶").is_some());
    }

    #[test]
    fn short_lines_are_nobodys_own() {
        let lines =
            Digest::of_lines("# How to apply\n\nAsk Ines before any migration.\n**Why:**\n");
        assert_eq!(lines, Vec::from_iter(Digest::of("ask ines before any migration")));
    }
}
