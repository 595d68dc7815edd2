use std::borrow::Cow;

use super::fold;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenKind {
    /// A word, or an identifier as a whole.
    Word,
    /// A part of the identifier that came just before: `case` of `snake_case`.
    Part,
    /// Two adjacent characters of a script that puts no spaces between words, or one that stands alone.
    Cjk,
}

/// A unit of search, folded.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Token<'a> {
    /// Its folded text.
    pub text: Cow<'a, str>,
    /// What it is.
    pub kind: TokenKind,
}

/// Splits text into what a search compares, in order.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| Token { text: fold(word), kind: TokenKind::Word })
}
