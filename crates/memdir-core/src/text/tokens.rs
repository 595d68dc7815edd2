use std::{borrow::Cow, collections::VecDeque};

use unicode_normalization::{
    IsNormalized, UnicodeNormalization, char::is_combining_mark, is_nfkc_quick,
};

use super::{fold, is_default_ignorable};

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

/// A unit of search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Token<'a> {
    /// Its text, [folded](fold).
    pub text: Cow<'a, str>,
    /// What it is.
    pub kind: TokenKind,
}

/// Splits text into what a search compares, in order.
///
/// A word is a run of letters, digits, marks and inner `_`. One that is written as an identifier (`snake_case`,
/// `camelCase`, `HTTPServer`) is followed by its parts. A run of Han, Hiragana, Katakana, Hangul, Bopomofo, Thai, Lao,
/// Myanmar, Khmer or Tibetan gives its overlapping pairs of characters, a single character itself. Everything else
/// separates and gives nothing.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    let mut ready = VecDeque::new();
    std::iter::from_fn(move || {
        while ready.is_empty() && !rest.is_empty() {
            let start = rest.find(|c| Class::of(c) != Class::Other)?;
            let run = rest.get(start..)?;
            let class = run.chars().next().map(Class::of)?;
            let end = run.find(|c| !class.continues_with(c)).unwrap_or(run.len());
            let (run, after) = run.split_at_checked(end)?;
            rest = after;
            match class {
                Class::Word => push_word(run, &mut ready),
                Class::Pairs => push_pairs(run, &mut ready),
                Class::Other => {}
            }
        }
        ready.pop_front()
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Pairs,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        if c.is_ascii() {
            return if c.is_ascii_alphanumeric() { Self::Word } else { Self::Other };
        }
        if is_unspaced(c) {
            Self::Pairs
        } else if c.is_alphanumeric() && !is_default_ignorable(c) {
            Self::Word
        } else {
            Self::Other
        }
    }

    fn continues_with(self, c: char) -> bool {
        Self::of(c) == self
            || (self == Self::Word && c == '_')
            || (!c.is_ascii() && (is_combining_mark(c) || is_default_ignorable(c)))
    }
}

/// Letters of the scripts that put no spaces between words, half-width forms included.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E01}'..='\u{0E3A}' | '\u{0E40}'..='\u{0E4E}' | '\u{0E81}'..='\u{0EDF}'
        | '\u{0F40}'..='\u{0FBC}' | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{109F}'
        | '\u{1100}'..='\u{115E}' | '\u{1161}'..='\u{11FF}' | '\u{1780}'..='\u{17B3}'
        | '\u{17B6}'..='\u{17D3}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
        | '\u{3031}'..='\u{3035}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309A}'
        | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}'
        | '\u{3105}'..='\u{312F}' | '\u{3131}'..='\u{3163}' | '\u{3165}'..='\u{318E}'
        | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97C}' | '\u{AC00}'..='\u{D7FB}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{FFA1}'..='\u{FFDC}'
        | '\u{1B000}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFD}')
}

fn push_word<'a>(run: &'a str, ready: &mut VecDeque<Token<'a>>) {
    let word = run.trim_end_matches('_');
    ready.push_back(Token { text: fold(word), kind: TokenKind::Word });
    let mut rest = word;
    while let Some((part, after)) = first_part(rest) {
        if part.len() < word.len() {
            ready.push_back(Token { text: fold(part), kind: TokenKind::Part });
        }
        rest = after;
    }
}

/// Splits before an upper-case letter that follows a lower-case letter or digit, or that precedes a lower-case letter
/// within capitals, and at `_`.
fn first_part(word: &str) -> Option<(&str, &str)> {
    let word = word.trim_start_matches('_');
    let mut before = None;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let starts_part = match before {
            _ if c == '_' => true,
            Some(before) if c.is_uppercase() => {
                let next_is_lower = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
                !char::is_uppercase(before) || next_is_lower
            }
            _ => false,
        };
        if starts_part {
            return word.split_at_checked(at);
        }
        before = Some(c);
    }
    (!word.is_empty()).then_some((word, ""))
}

fn push_pairs<'a>(run: &'a str, ready: &mut VecDeque<Token<'a>>) {
    let plain =
        is_nfkc_quick(run.chars()) == IsNormalized::Yes && !run.contains(is_default_ignorable);
    let run = if plain {
        Cow::Borrowed(run)
    } else {
        Cow::Owned(run.nfkc().filter(|&c| !is_default_ignorable(c)).collect::<String>())
    };
    let mut token = |start: usize, end: usize| {
        let text = match &run {
            Cow::Borrowed(run) => run.get(start..end).map(Cow::Borrowed),
            Cow::Owned(run) => run.get(start..end).map(|pair| Cow::Owned(pair.to_owned())),
        };
        ready.extend(text.map(|text| Token { text, kind: TokenKind::Cjk }));
    };
    let mut places = run.char_indices().map(|(at, _)| at).chain([run.len()]);
    let (Some(mut first), Some(mut second)) = (places.next(), places.next()) else { return };
    let mut pairs = places.peekable();
    if pairs.peek().is_none() {
        token(first, second);
    }
    for third in pairs {
        token(first, third);
        (first, second) = (second, third);
    }
}
