//! Whether an SPDX licence expression is met by a list of allowed licences.

/// True where a choice in the expression leaves only allowed licences. `A/B`, the old spelling of
/// `A OR B`, is read too; an expression that cannot be read is not allowed.
pub(crate) fn allowed(expression: &str, licences: &[&str]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, licences };
    let met = reader.either();
    met == Some(true) && reader.words.is_empty()
}

struct Reader<'a> {
    words: &'a [&'a str],
    licences: &'a [&'a str],
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        match self.words.split_first() {
            Some((first, rest)) if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }

    fn either(&mut self) -> Option<bool> {
        let mut met = self.both()?;
        while self.take("OR") {
            met |= self.both()?;
        }
        Some(met)
    }

    fn both(&mut self) -> Option<bool> {
        let mut met = self.one()?;
        while self.take("AND") {
            met &= self.one()?;
        }
        Some(met)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let met = self.either()?;
            return self.take(")").then_some(met);
        }
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        let mut name = (*first).to_owned();
        if self.take("WITH") {
            let (exception, rest) = self.words.split_first()?;
            self.words = rest;
            name = format!("{name} WITH {exception}");
        }
        Some(self.licences.contains(&name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_choice_that_is_allowed_and_needs_all_of_a_conjunction() {
        let licences = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];
        let met = |expression| allowed(expression, &licences);
        assert!(met("MIT"));
        assert!(met("Unlicense OR MIT"));
        assert!(met("MIT/Apache-2.0"));
        assert!(met("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(met("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
        assert!(!met("MIT AND GPL-3.0"));
        assert!(!met("GPL-3.0 OR MIT AND LGPL-3.0"));
        assert!(!met("Apache-2.0"));
        for unreadable in ["", "(MIT", "MIT OR", "MIT MIT", "OR", "MIT WITH"] {
            assert!(!met(unreadable), "{unreadable}");
        }
    }
}
