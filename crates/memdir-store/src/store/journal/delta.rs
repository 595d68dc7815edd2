//! A content said as its difference from another.

use serde::{Deserialize, Serialize};

/// How two versions of a file differ, small where little changed: all between a common beginning and a common end.
///
/// With either version the other follows exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Delta {
    /// Bytes that both begin with.
    head: usize,
    /// Bytes that both end with.
    tail: usize,
    /// What stood between.
    old: String,
    /// What stands between.
    new: String,
}

impl Delta {
    /// Returns the difference; `None` if what differs is not text.
    pub(crate) fn between(before: &[u8], after: &[u8]) -> Option<Self> {
        let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let head = whole_chars(before, after, same);
        let (before, after) = (before.get(head..)?, after.get(head..)?);
        let ends = before.iter().rev().zip(after.iter().rev());
        let mut tail = ends.take_while(|(a, b)| a == b).count();
        // A character is not cut, so a tail does not begin within one.
        while tail > 0 && before.get(before.len() - tail).copied().is_some_and(is_inner) {
            tail -= 1;
        }
        let middle =
            |bytes: &[u8]| String::from_utf8(bytes.get(..bytes.len() - tail)?.to_vec()).ok();
        Some(Self { head, tail, old: middle(before)?, new: middle(after)? })
    }

    /// Returns what was added, if the change is that and nothing else.
    pub(crate) fn appended(&self) -> Option<&str> {
        (self.tail == 0 && self.old.is_empty()).then_some(&self.new)
    }

    /// Returns the bytes common to both versions at the beginning.
    pub(crate) fn head(&self) -> usize {
        self.head
    }

    /// Returns what it holds of either version.
    pub(crate) fn texts(&self) -> [&str; 2] {
        [&self.old, &self.new]
    }

    pub(crate) fn size(&self) -> usize {
        self.old.len() + self.new.len()
    }

    /// Returns the new version; `None` if this is not the old one.
    pub(crate) fn forward(&self, before: &[u8]) -> Option<Vec<u8>> {
        self.replace(before, &self.old, &self.new)
    }

    /// Returns the old version; `None` if this is not the new one.
    pub(crate) fn backward(&self, after: &[u8]) -> Option<Vec<u8>> {
        self.replace(after, &self.new, &self.old)
    }

    fn replace(&self, bytes: &[u8], from: &str, to: &str) -> Option<Vec<u8>> {
        let (head, rest) = bytes.split_at_checked(self.head)?;
        let (middle, tail) = rest.split_at_checked(rest.len().checked_sub(self.tail)?)?;
        (middle == from.as_bytes()).then(|| [head, to.as_bytes(), tail].concat())
    }
}

/// Returns the largest number of bytes up to `same` at which a character ends in both.
fn whole_chars(one: &[u8], other: &[u8], same: usize) -> usize {
    let mut head = same;
    let inner = |bytes: &[u8], at| bytes.get(at).copied().is_some_and(is_inner);
    while head > 0 && (inner(one, head) || inner(other, head)) {
        head -= 1;
    }
    head
}

/// Tells whether a byte of UTF-8 continues a character.
fn is_inner(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn holds_only_what_differs() {
        let delta = Delta::between(b"a\nb\nc\n", b"a\nx\nc\n").expect("text");
        assert_eq!(delta, Delta { head: 2, tail: 3, old: "b".into(), new: "x".into() });
        let delta = Delta::between(b"a\n", b"a\nb\n").expect("text");
        assert_eq!(delta.appended(), Some("b\n"));
    }

    #[test]
    fn cuts_no_character() {
        let (before, after) = ("é".as_bytes(), "è".as_bytes());
        let delta = Delta::between(before, after).expect("whole characters differ");
        assert_eq!((delta.old.as_str(), delta.new.as_str()), ("é", "è"));
        assert_eq!(Delta::between(b"a", b"a\xff"), None);
    }

    proptest! {
        #[test]
        fn gives_each_version_from_the_other(before in "[aé\n]{0,12}", after in "[aé\n]{0,12}") {
            let (before, after) = (before.as_bytes(), after.as_bytes());
            let delta = Delta::between(before, after).expect("text");
            prop_assert_eq!(delta.forward(before), Some(after.to_vec()));
            prop_assert_eq!(delta.backward(after), Some(before.to_vec()));
        }

        #[test]
        fn never_panics_on_other_bytes(
            before: Vec<u8>, after: Vec<u8>, other: Vec<u8>, head: usize, tail: usize,
        ) {
            if let Some(delta) = Delta::between(&before, &after) {
                drop((delta.forward(&other), delta.backward(&other)));
                let forged = Delta { head, tail, ..delta };
                drop((forged.forward(&other), forged.backward(&other)));
            }
        }
    }
}
