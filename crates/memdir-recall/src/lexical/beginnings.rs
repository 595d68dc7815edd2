//! How words can begin that match a question: most words of a text are told apart by their first letters.

/// First letters of words that may match.
#[derive(Debug)]
pub(super) struct Beginnings {
    /// Whether one can begin with this byte.
    firsts: [bool; 256],
    /// Which bytes can follow on this first one, by their last five bits: those of letters are all different.
    seconds: [u32; 256],
    /// Which can stand in the third place, whatever is in the second.
    thirds: [u32; 256],
}

impl Default for Beginnings {
    fn default() -> Self {
        Self { firsts: [false; 256], seconds: [0; 256], thirds: [0; 256] }
    }
}

impl Beginnings {
    /// Words that begin with the first two letters of this one.
    pub(super) fn allow(&mut self, word: &str) {
        let mut bytes = word.bytes();
        let Some(first) = bytes.next() else { return };
        set(&mut self.firsts, first, |allowed| *allowed = true);
        // A stem of one letter begins longer words.
        let second = bytes.next().map_or(u32::MAX, |second| match second {
            // The one ending that changes a second letter: `dying` has the stem of `die`.
            b'i' => bit(b'i') | bit(b'y'),
            second => bit(second),
        });
        set(&mut self.seconds, first, |allowed| *allowed |= second);
    }

    /// Words that are this one with a letter too few or too many or with two letters swapped, but for the first letter.
    pub(super) fn allow_slips(&mut self, word: &str) {
        let Some(first) = word.bytes().next() else { return };
        let mut letters = word.chars().skip(1).map(|c| u8::try_from(c).map_or(0, bit));
        let (second, third) = (letters.next().unwrap_or(0), letters.next().unwrap_or(0));
        set(&mut self.seconds, first, |allowed| *allowed |= second | third);
        set(&mut self.thirds, first, |allowed| *allowed |= second);
    }

    /// Words that begin with any letter that is not ASCII.
    pub(super) fn allow_wide(&mut self) {
        self.firsts.iter_mut().skip(0x80).for_each(|allowed| *allowed = true);
    }

    pub(super) fn have_first(&self, word: &str) -> bool {
        word.bytes().next().is_some_and(|first| at(&self.firsts, first))
    }

    /// Whether a word may match by its second and third letter; one that is not of ASCII letters there may.
    pub(super) fn have_second(&self, word: &str) -> bool {
        let mut bytes = word.bytes();
        let (Some(first), Some(second)) = (bytes.next(), bytes.next()) else { return true };
        let third = bytes.next().unwrap_or(second);
        let is_wide = !(first.is_ascii() && second.is_ascii() && third.is_ascii());
        is_wide
            || at(&self.seconds, first) & bit(second) != 0
            || at(&self.thirds, first) & bit(third) != 0
    }
}

/// Whether two words have their first two letters in common, as far as they have so many.
pub(super) fn begin_alike(a: &str, b: &str) -> bool {
    a.bytes().zip(b.bytes()).take(2).all(|(a, b)| a == b)
}

fn bit(byte: u8) -> u32 {
    1 << (byte & 31)
}

fn at<T: Copy + Default>(table: &[T; 256], byte: u8) -> T {
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

fn set<T>(table: &mut [T; 256], byte: u8, change: impl FnOnce(&mut T)) {
    if let Some(slot) = table.get_mut(usize::from(byte)) {
        change(slot);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexical::near::{Near, near};

    fn check(asked: &str, found: &str) -> bool {
        let mut begins = Beginnings::default();
        begins.allow(asked);
        begins.allow_slips(asked);
        begins.have_first(found) && begins.have_second(found)
    }

    #[test]
    fn most_other_words_are_told_apart() {
        for found in ["typescript", "tpyescript", "tyescript", "tzypescript", "typ", "t"] {
            assert!(check("typescript", found), "{found}");
        }
        for found in ["test", "tsar", "table", "script", "ätyp", ""] {
            assert!(!check("typescript", found), "{found}");
        }
    }

    proptest! {
        #[test]
        fn no_slip_is_lost(asked in "[abcüéж]{2,7}", at in 0..7_usize, extra in "[abcü]?", swap: bool) {
            let mut letters: Vec<char> = asked.chars().collect();
            let at = at % letters.len();
            match extra.chars().next() {
                Some(extra) => letters.insert(at, extra),
                None if swap && at > 0 => letters.swap(at - 1, at),
                None => drop(letters.remove(at)),
            }
            let found: String = letters.into_iter().collect();
            if near(&asked, &found).is_some_and(|near| near != Near::Same) {
                prop_assert!(check(&asked, &found));
            }
        }
    }
}
