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
    fn finds_each_word_wherever_it_occurs_in_any_case() {
        check("SK_Live keys.", &["sk", "sk_live", "key", "s."]);
        check("monKEY", &["key"]);
        check("k", &[]);
        check("", &[]);
        check("ke", &[]);
    }
}
