//! Names of things that are written with capitals inside, and code identifiers, which only look like them.

use std::borrow::Cow;

use memdir_core::text::{TokenKind, fold, tokens};

use super::{Stems, terms::Term};

/// The names in a text that are written like `TanStack` or `TSLint`, folded.
///
/// What begins with a small letter (`useEffect`, `refresh_token`) is an identifier, and its parts are words.
pub(super) fn names(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    words(text).filter(|word| is_name(word)).map(fold)
}

/// Whether a term stands in a text as a part of an identifier that is no such name.
pub(super) fn is_in_identifier(term: &Term, text: &str) -> bool {
    words(text)
        .filter(|word| !is_name(word))
        .flat_map(tokens)
        .any(|token| token.kind == TokenKind::Part && Stems::All.of(&token) == *term.stem)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase)
        && chars.any(char::is_uppercase)
        && word.contains(char::is_lowercase)
        && !word.contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_identifiers_and_from_shouting() {
        let text = "TSLint, SQLAlchemy and MongoDB; useEffect, My_Const, GHA, Rust, k8s, 数据库";
        assert_eq!(names(text).collect::<Vec<_>>(), ["tslint", "sqlalchemy", "mongodb"]);
    }
}
