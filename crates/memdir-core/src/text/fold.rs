//! One form for the spellings of a text that readers take for the same.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::is_default_ignorable;

/// Folds text to the form in which a search compares it: NFKC, no invisible characters, full case folding.
///
/// `Ｓｔｒａßｅ` and `STRASSE` fold to `strasse`. Accents stay: `é` and `e` differ.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let visible = text.nfkc().filter(|&c| !is_default_ignorable(c));
    Cow::Owned(case_fold(visible).nfkc().collect())
}

/// Applies Unicode's full case folding, which std does not name but gives as lower, upper, lower.
///
/// Upper case first would miss `ẞ`; the dotless `ı` is left out, since it only folds to `i` in Turkic languages. The
/// classes are those of `CaseFolding.txt`; only Cherokee is represented by its small letters instead of its capitals.
pub(crate) fn case_fold(chars: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in chars {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if c == 'ı' {
            out.push(c);
        } else {
            let upper = c.to_lowercase().flat_map(char::to_uppercase);
            out.extend(upper.flat_map(char::to_lowercase));
        }
    }
    out
}
