//! Whole words found in a text.

use std::borrow::Cow;

use memdir_core::text::{TokenKind, fold, tokens};

/// A text in which phrases are looked for.
pub(crate) struct Prose(String);

impl Prose {
    pub(crate) fn of(text: &str) -> Self {
        Self(normalize(text))
    }

    /// Whether a phrase stands in it: without regard to case, normal form and kind of space, as whole words; in scripts
    /// without spaces anywhere.
    pub(crate) fn has(&self, phrase: &str) -> bool {
        let phrase = normalize(phrase);
        let (Some(first), Some(last)) = (phrase.chars().next(), phrase.chars().next_back()) else {
            return false;
        };
        self.0.match_indices(&*phrase).any(|(at, _)| {
            let before = self.0.get(..at).and_then(|text| text.chars().next_back());
            let after = self.0.get(at + phrase.len()..).and_then(|text| text.chars().next());
            let goes_on = |inner: char, outer: Option<char>| {
                is_of_word(inner) && outer.is_some_and(is_of_word)
            };
            !goes_on(first, before) && !goes_on(last, after)
        })
    }
}

fn normalize(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(fold).collect();
    words.join(" ")
}

/// Whether a character belongs to a word with what is beside it.
fn is_of_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let text = Cow::<str>::Owned(c.into());
    tokens(&text).next().is_some_and(|token| token.kind == TokenKind::Word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words_and_without_spaces_anywhere() {
        let check = |text: &str, phrase: &str, expect: bool| {
            assert_eq!(Prose::of(text).has(phrase), expect, "`{phrase}` in `{text}`");
        };
        check("How do we DEPLOY today?", "deploy", true);
        check("deploy", "deploy", true);
        check("we redeploy, deployed and deploy_all", "deploy", false);
        check("redeploy, then deploy!", "deploy", true);
        check("merge\n  freeze", "Merge freeze", true);
        check("merge the freeze", "merge freeze", false);
        check("怎么部署到生产环境", "部署", true);
        check("怎么部署到生产环境", "部属", false);
        check("C++ or c#", "c++", true);
        check("Ｄｅｐｌｏｙ jetzt", "deploy", true);
        check("große Lüge", "lüge", true);
        check("Überlüge", "lüge", false);
        check("anything", "", false);
        check("anything", " \u{200b} ", false);
    }
}
