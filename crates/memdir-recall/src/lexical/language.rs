//! Which language a text is in, as far as its little words tell.

use memdir_core::text::{TokenKind, tokens};

/// A language whose words are stemmed besides as English ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Language {
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Russian,
}

/// What the words of a text tell about its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Tongue {
    /// It has the little words of this language.
    Of(Language),
    /// It has those of English.
    English,
    /// It has none.
    Unknown,
}

impl Language {
    pub(super) const ALL: [Self; 7] = [
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Dutch,
        Self::Russian,
    ];

    /// Its mark in the table of little words.
    fn mark(self) -> char {
        match self {
            Self::German => 'd',
            Self::French => 'f',
            Self::Spanish => 's',
            Self::Italian => 'i',
            Self::Portuguese => 'p',
            Self::Dutch => 'n',
            Self::Russian => 'r',
        }
    }
}

/// Words of a text that are looked at. Ours: a sentence or two tell.
const LOOKED_AT: usize = 48;

/// Guesses the language of texts that belong together, by their first words.
pub(super) fn tongue<'a>(texts: impl IntoIterator<Item = &'a str>) -> Tongue {
    let mut english = 0_usize;
    let mut counts = [0_usize; Language::ALL.len()];
    let words = texts.into_iter().flat_map(tokens).filter(|token| token.kind == TokenKind::Word);
    for token in words.take(LOOKED_AT) {
        let marks = marks(&token.text);
        english += usize::from(marks.contains('e'));
        for (count, language) in counts.iter_mut().zip(Language::ALL) {
            *count += usize::from(marks.contains(language.mark()));
        }
    }
    let best = Language::ALL.into_iter().zip(counts).rev().max_by_key(|(_, count)| *count);
    match best {
        Some((language, count)) if count > english => Tongue::Of(language),
        _ if english > 0 => Tongue::English,
        _ => Tongue::Unknown,
    }
}

/// The marks of the languages that have a little word; what is written in Cyrillic letters counts as Russian.
fn marks(word: &str) -> &'static str {
    if word.starts_with(|c| matches!(c, 'а'..='я' | 'ё')) {
        return "r";
    }
    let found = WORDS.binary_search_by_key(&word, |(word, _)| word);
    found.ok().and_then(|at| WORDS.get(at)).map_or("", |(_, marks)| marks)
}

/// Little words, in order, with the languages that have them: `e` for English, else as in [`Language::mark`].
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("aan", "n"), ("alla", "i"), ("and", "e"), ("are", "e"), ("as", "p"), ("au", "f"),
    ("auch", "d"), ("auf", "d"), ("aus", "d"), ("aux", "f"), ("avec", "f"), ("bei", "d"),
    ("bij", "n"), ("che", "i"), ("com", "p"), ("come", "i"), ("comment", "f"), ("como", "sp"),
    ("con", "si"), ("cuándo", "s"), ("cómo", "s"), ("da", "p"), ("dans", "f"), ("das", "d"),
    ("de", "fspn"), ("dei", "i"), ("del", "si"), ("della", "i"), ("dem", "d"), ("den", "d"),
    ("der", "d"), ("des", "f"), ("di", "i"), ("die", "d"), ("do", "p"), ("dos", "p"), ("dove", "i"),
    ("du", "f"), ("dónde", "s"), ("e", "ip"), ("een", "n"), ("ein", "d"), ("eine", "d"),
    ("einen", "d"), ("el", "s"), ("elle", "f"), ("em", "p"), ("en", "sn"), ("es", "s"),
    ("est", "f"), ("está", "s"), ("et", "f"), ("for", "e"), ("für", "d"), ("gli", "i"),
    ("het", "n"), ("hoe", "n"), ("how", "e"), ("ich", "d"), ("il", "fi"), ("im", "d"), ("is", "en"),
    ("ist", "d"), ("it", "e"), ("je", "n"), ("la", "fsi"), ("las", "s"), ("le", "f"), ("les", "f"),
    ("lo", "i"), ("los", "s"), ("met", "n"), ("mit", "d"), ("na", "p"), ("naar", "n"),
    ("nach", "d"), ("ne", "f"), ("nel", "i"), ("nicht", "d"), ("niet", "n"), ("no", "p"),
    ("non", "i"), ("nos", "p"), ("nous", "f"), ("não", "p"), ("o", "p"), ("oder", "d"), ("of", "e"),
    ("onde", "p"), ("ook", "n"), ("op", "n"), ("os", "p"), ("our", "e"), ("où", "f"),
    ("para", "sp"), ("pas", "f"), ("per", "i"), ("por", "s"), ("pour", "f"), ("quand", "f"),
    ("quando", "ip"), ("que", "fsp"), ("quel", "f"), ("quelle", "f"), ("qui", "f"), ("qué", "s"),
    ("se", "s"), ("si", "i"), ("sind", "d"), ("son", "s"), ("sono", "i"), ("sont", "f"),
    ("sur", "f"), ("são", "p"), ("te", "n"), ("that", "e"), ("the", "e"), ("this", "e"),
    ("to", "e"), ("um", "p"), ("uma", "p"), ("un", "fsi"), ("una", "si"), ("und", "d"),
    ("une", "f"), ("van", "n"), ("von", "d"), ("voor", "n"), ("vous", "f"), ("waar", "n"),
    ("wat", "n"), ("we", "en"), ("wenn", "d"), ("werden", "d"), ("what", "e"), ("wie", "d"),
    ("wij", "n"), ("wir", "d"), ("wird", "d"), ("with", "e"), ("wordt", "n"), ("y", "s"),
    ("zijn", "n"), ("zu", "d"), ("zum", "d"), ("zur", "d"), ("è", "i"), ("é", "p"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_words_are_in_order() {
        assert!(WORDS.is_sorted_by(|(a, _), (b, _)| a < b));
    }

    #[test]
    fn little_words_tell_the_language() {
        let check = |text: &str, expect: Tongue| assert_eq!(tongue([text]), expect, "{text}");
        check("How do we deploy the service?", Tongue::English);
        check("Wie testen wir die Datenbank?", Tongue::Of(Language::German));
        check("Comment déployer le service dans le cluster ?", Tongue::Of(Language::French));
        check("¿Cómo se despliega el servicio?", Tongue::Of(Language::Spanish));
        check("Come si distribuisce il servizio?", Tongue::Of(Language::Italian));
        check("Como implantamos o serviço em produção?", Tongue::Of(Language::Portuguese));
        check("Hoe wordt het systeem uitgerold?", Tongue::Of(Language::Dutch));
        check("Как мы тестируем базу данных?", Tongue::Of(Language::Russian));
        check("kubernetes deployment", Tongue::Unknown);
        check("部署流程", Tongue::Unknown);
        check("", Tongue::Unknown);
    }
}
