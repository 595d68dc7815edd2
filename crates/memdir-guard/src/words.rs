//! Many words looked for at once, in any case of their letters, without building a machine first.

use std::ops::ControlFlow;

/// Words of two bytes and more, in lower case.
#[derive(Debug)]
pub(crate) struct Words {
    sorted: Vec<&'static str>,
    /// A bit for each pair of bytes that a word begins with.
    leads: Vec<u64>,
}

impl Words {
    pub(crate) fn new(words: impl Iterator<Item = &'static str>) -> Self {
        let mut sorted: Vec<_> = words.collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut leads = vec![0; usize::from(u16::MAX) / 64 + 1];
        for word in &sorted {
            if let [first, second, ..] = word.as_bytes() {
                let pair = u16::from_be_bytes([*first, *second]);
                if let Some(bits) = leads.get_mut(usize::from(pair / 64)) {
                    *bits |= 1 << (pair % 64);
                }
            }
        }
        Self { sorted, leads }
    }

    /// The words, sorted.
    pub(crate) fn sorted(&self) -> &[&'static str] {
        &self.sorted
    }

    /// Calls `found` with the number of each word, as in [`Self::sorted`], at each place where it occurs.
    pub(crate) fn each(&self, text: &[u8], mut found: impl FnMut(usize) -> ControlFlow<()>) {
        let pairs = text.windows(2).enumerate();
        for (at, pair) in pairs {
            let [first, second] = pair else { continue };
            let pair = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
            if !self.has_lead(pair) {
                continue;
            }
            let rest = text.get(at..).unwrap_or_default();
            let from = self.sorted.partition_point(|word| word.as_bytes() < &pair[..]);
            let same_lead = self.sorted.iter().enumerate().skip(from);
            for (number, word) in
                same_lead.take_while(|(_, word)| word.as_bytes().starts_with(&pair))
            {
                let is_here = rest
                    .get(..word.len())
                    .is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()));
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

    fn has_lead(&self, pair: [u8; 2]) -> bool {
        let pair = u16::from_be_bytes(pair);
        self.leads.get(usize::from(pair / 64)).is_some_and(|bits| bits >> (pair % 64) & 1 == 1)
    }
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
