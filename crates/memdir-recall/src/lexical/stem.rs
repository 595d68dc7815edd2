//! The forms of a word in which it is compared.

use std::borrow::Cow;

use memdir_core::text::{Token, TokenKind};
use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::{
    Stems,
    english::base_form,
    language::{Language, Tongue},
};

/// Longest word that is stemmed, in bytes; what is longer is no word of a language.
const MAX_WORD: usize = 40;

/// The stem of a word in lower case by the rules of English, `testing` and `tests` as `test`; a word that is not spelled
/// with `a` to `z` is its own.
pub(super) fn english(word: &str) -> Cow<'_, str> {
    let word = base_form(word);
    let is_english = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_english || word.len() < 3 || word.len() > MAX_WORD {
        return Cow::Borrowed(word);
    }
    Stemmer::create(Algorithm::English).stem(word)
}

impl Stems {
    /// The form in which a token is compared, whatever language it is in.
    pub(super) fn of<'a>(self, token: &'a Token<'_>) -> Cow<'a, str> {
        match (token.kind, self) {
            (TokenKind::Cjk, _) | (_, Self::None) => Cow::Borrowed(&*token.text),
            _ => english(&token.text),
        }
    }

    /// How much is made of the language of a text.
    pub(super) fn heed(self, tongue: Tongue) -> Tongue {
        if self == Self::All { tongue } else { Tongue::English }
    }
}

/// Further forms in which a token is compared where a text is in a language with stems of its own; in a text that does not
/// tell its language they may be those of any.
pub(super) fn further_stems<'a>(
    token: &'a Token<'_>,
    tongue: Tongue,
    unknown: &'static [Language],
) -> impl Iterator<Item = Cow<'a, str>> {
    let languages: &[Language] = match tongue {
        Tongue::English => &[],
        Tongue::Unknown => unknown,
        Tongue::Of(language) => language.alone(),
    };
    let word: &str = &token.text;
    let is_word = word.len() <= MAX_WORD && word.chars().all(char::is_alphabetic);
    let is_stemmed = token.kind != TokenKind::Cjk && is_word;
    let languages = if is_stemmed { languages } else { &[] };
    languages.iter().map(move |language| Stemmer::create(language.algorithm()).stem(word))
}

impl Language {
    fn algorithm(self) -> Algorithm {
        match self {
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Dutch => Algorithm::Dutch,
            Self::Russian => Algorithm::Russian,
        }
    }

    /// A list of this language only.
    fn alone(self) -> &'static [Self] {
        let at = Self::ALL.iter().position(|language| *language == self);
        at.and_then(|at| Self::ALL.get(at..=at)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use memdir_core::text::tokens;
    use proptest::prelude::*;

    use super::*;
    use crate::lexical::beginnings::Beginnings;

    #[test]
    fn english_forms_meet() {
        let check = |words: &str, expect: &str| {
            for word in words.split(' ') {
                assert_eq!(english(word), expect, "{word}");
            }
        };
        check("test tests tested testing", "test");
        check("go going went gone", "go");
        check("deploy deploys deployed deployment", "deploy");
        check("happy happiness", "happi");
        check("größen", "größen");
        check("k8s", "k8s");
        check(&"testing".repeat(6), &"testing".repeat(6));
    }

    #[test]
    fn forms_of_other_languages_meet() {
        let check = |words: &str, language: Language, expect: &str| {
            for token in tokens(words) {
                let stems: Vec<_> = further_stems(&token, Tongue::Of(language), &[]).collect();
                assert_eq!(stems, [expect], "{}", token.text);
            }
        };
        check("Datenbank Datenbanken", Language::German, "datenbank");
        check("déployer déployé déployée", Language::French, "déploi");
        check("probar probamos probado", Language::Spanish, "prob");
        check("distribuire distribuito", Language::Italian, "distribu");
        check("testar testamos testado", Language::Portuguese, "test");
        check("werken werkt werk", Language::Dutch, "werk");
        check("тесты тестов тестами", Language::Russian, "тест");
    }

    #[test]
    fn a_text_of_no_known_language_is_stemmed_as_asked() {
        let token = tokens("Datenbanken").next().unwrap();
        assert_eq!(further_stems(&token, Tongue::Unknown, &Language::ALL).count(), 7);
        assert_eq!(further_stems(&token, Tongue::English, &Language::ALL).count(), 0);
    }

    proptest! {
        #[test]
        fn a_word_is_not_told_apart_from_its_stem(word in "[a-z]{1,4}(y?ing|ies|ied|y|ly|s|es|ed|e|er|ation)?") {
            let mut begins = Beginnings::default();
            begins.allow(&english(&word));
            let base = base_form(&word);
            prop_assert!(begins.have_first(base) && begins.have_second(base), "{}", word);
        }

        #[test]
        fn any_word_has_stems(word in "(\\PC|[a-zäöüßéèçñãõа-яё]){0,16}(ungen|ement|ção|ость|heden|ing|s)?") {
            for token in tokens(&word) {
                prop_assert!(!Stems::All.of(&token).is_empty());
                let stems = further_stems(&token, Tongue::Unknown, &Language::ALL);
                prop_assert!(stems.count() <= Language::ALL.len());
            }
        }
    }
}
