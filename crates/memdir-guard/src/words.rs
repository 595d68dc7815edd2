//! Many words looked for at once, in any case of their letters, without building a machine first.

use std::ops::ControlFlow;

use crate::buckets::Buckets;

/// Words of two bytes and more, in lower case.
#[derive(Debug)]
pub(crate) struct Words {
    sorted: Vec<&'static str>,
    /// By the first two bytes.
    by_lead: Buckets,
    /// A bit for each two bytes that a word begins with.
    leads: Vec<u64>,
}

impl Words {
    pub(crate) fn new(words: impl Iterator<Item = &'static str>) -> Self {
        let mut sorted: Vec<_> = words.collect();
        sorted.sort_unstable();
        sorted.dedup();
        let lead = |word: &&'static str| word.as_bytes().get(..2).unwrap_or_default();
        let by_lead = Buckets::new(sorted.iter().map(lead));
        let mut leads = vec![0; PAIRS / 64];
        for word in &sorted {
            if let [first, second, ..] = word.as_bytes() {
                let pair = pair(*first, *second);
                if let Some(bits) = leads.get_mut(pair / 64) {
                    *bits |= 1 << (pair % 64);
                }
            }
        }
        Self { sorted, by_lead, leads }
    }

    /// The words, sorted.
    pub(crate) fn sorted(&self) -> &[&'static str] {
        &self.sorted
    }

    /// Calls `found` with the number of each word, as in [`Self::sorted`], at each place where it occurs.
    pub(crate) fn each(&self, text: &[u8], mut found: impl FnMut(usize) -> ControlFlow<()>) {
        for (at, pair) in text.windows(2).enumerate() {
            let [first, second] = pair else { continue };
            let lead = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
            if !self.has_lead(lead) {
                continue;
            }
            for number in self.by_lead.of(&lead) {
                let word = self.sorted.get(number).map_or(&b""[..], |word| word.as_bytes());
                let here = text.get(at..at + word.len());
                let is_here = here.is_some_and(|here| here.eq_ignore_ascii_case(word));
                if is_here && found(number).is_break() {
                    return;
                }
            }
        }
    }

    /// Whether a word occurs.
    pub(crate) fn occur_in(&self, text: &[u8]) -> bool {
        let mut any = false;
        self.each(text, |_| {
            any = true;
            ControlFlow::Break(())
        });
        any
    }

    fn has_lead(&self, [first, second]: [u8; 2]) -> bool {
        let pair = pair(first, second);
        self.leads.get(pair / 64).is_some_and(|bits| bits >> (pair % 64) & 1 == 1)
    }
}

/// Words that each stand for some numbers, such as those of rules: what occurs in a text tells which may matter.
#[derive(Debug)]
pub(crate) struct Keys {
    words: Words,
    /// For each word, the numbers that have it.
    owners: Vec<Vec<usize>>,
    /// One more than the highest number.
    count: usize,
}

impl Keys {
    /// Takes the words of the numbers from 0 up.
    pub(crate) fn new<K>(words_of: impl Iterator<Item = K> + Clone) -> Self
    where
        K: Iterator<Item = &'static str>,
    {
        let words = Words::new(words_of.clone().flatten());
        let mut owners = vec![Vec::new(); words.sorted().len()];
        let mut count = 0;
        for (number, keys) in words_of.enumerate() {
            for word in keys.filter_map(|key| words.sorted().binary_search(&key).ok()) {
                if let Some(owners) = owners.get_mut(word) {
                    owners.push(number);
                }
            }
            count = number + 1;
        }
        Self { words, owners, count }
    }

    /// For each number, whether a word of it occurs.
    pub(crate) fn owners_in(&self, text: &[u8]) -> Vec<bool> {
        let mut seen = vec![false; self.owners.len()];
        let mut wanted = vec![false; self.count];
        self.words.each(text, |word| {
            if let Some(seen) = seen.get_mut(word).filter(|seen| !**seen) {
                *seen = true;
                for number in self.owners.get(word).into_iter().flatten() {
                    if let Some(wanted) = wanted.get_mut(*number) {
                        *wanted = true;
                    }
                }
            }
            ControlFlow::Continue(())
        });
        wanted
    }
}

/// How many pairs of bytes there are.
const PAIRS: usize = 1 << 16;

fn pair(first: u8, second: u8) -> usize {
    usize::from(u16::from_be_bytes([first, second]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let words = Words::new(["sk", "s.", "sk_live", "key", "key"].into_iter());
        let mut found = Vec::new();
        words.each(text.as_bytes(), |number| {
            found.push(words.sorted()[number]);
            ControlFlow::Continue(())
        });
        assert_eq!(found, expect, "{text}");
        assert_eq!(words.occur_in(text.as_bytes()), !expect.is_empty());
    }

    #[test]
    fn a_word_stands_for_all_that_have_it() {
        let keys =
            Keys::new([vec!["ab", "cd"], vec![], vec!["cd"]].iter().map(|own| own.iter().copied()));
        let check = |text: &str, expect: [bool; 3]| {
            assert_eq!(keys.owners_in(text.as_bytes()), expect, "{text}");
        };
        check("xAB ab", [true, false, false]);
        check("cd", [true, false, true]);
        check("", [false; 3]);
    }

    #[test]
    fn finds_each_word_wherever_it_occurs_in_any_case() {
        check("SK_Live keys.", &["sk", "sk_live", "key", "s."]);
        check("monKEY", &["key"]);
        check("k", &[]);
        check("", &[]);
        check("ke", &[]);
    }
}
