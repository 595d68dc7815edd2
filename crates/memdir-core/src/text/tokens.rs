//! The words of a text, and pairs of characters where words have no spaces.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{fold, is_default_ignorable, is_stable};

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
    /// Its text, [folded](fold()).
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
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { run: Run::Done, rest: text }
}

/// The tokens of a text in order; made by [`tokens`].
#[derive(Debug)]
pub struct Tokens<'a> {
    run: Run<'a>,
    rest: &'a str,
}

impl Tokens<'_> {
    /// Passes over what comes next as long as it is words that `is_wanted` does not want, and returns how many.
    ///
    /// Asked and passed over are only words of small ASCII letters and digits, each a token as it stands; whatever else
    /// comes is left for [`next`](Iterator::next). A search that wants few words of a long text is spared the others.
    pub fn pass_over(&mut self, is_wanted: impl Fn(&str) -> bool) -> usize {
        if !matches!(self.run, Run::Done) {
            return 0;
        }
        let mut passed = 0;
        while let Some((word, after)) = small_word(self.rest)
            && !is_wanted(word)
        {
            passed += 1;
            self.rest = after;
        }
        passed
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(token) = self.run.next() {
                return Some(token);
            }
            (self.run, self.rest) = next_run(self.rest)?;
        }
    }
}

/// The first word and what follows it, if the word is of small letters and digits only.
fn small_word(text: &str) -> Option<(&str, &str)> {
    let start = text.bytes().position(|byte| kind(byte) != 0)?;
    let text = text.get(start..)?;
    let bytes = text.as_bytes();
    let len = bytes.iter().position(|byte| kind(*byte) != SMALL).unwrap_or(bytes.len());
    let goes_on = bytes.get(len).is_some_and(|byte| kind(*byte) != 0);
    if len == 0 || goes_on { None } else { text.split_at_checked(len) }
}

/// What is left of the run that is being given out.
#[derive(Debug)]
enum Run<'a> {
    Done,
    /// A word of ASCII letters and digits without parts.
    Simple {
        word: &'a str,
        has_capital: bool,
    },
    Word {
        word: &'a str,
    },
    Parts {
        word: &'a str,
        rest: &'a str,
    },
    /// Pairs of a run that is as it was written.
    Pairs {
        run: &'a str,
        first: bool,
    },
    /// Pairs of a run that had to be normalised, from the byte `at` on.
    Normalised {
        run: String,
        at: usize,
    },
}

impl<'a> Run<'a> {
    fn of_word(run: &'a str) -> Self {
        Self::Word { word: run.trim_end_matches('_') }
    }

    fn of_pairs(run: &'a str) -> Self {
        if run.chars().all(is_stable) {
            return Self::Pairs { run, first: true };
        }
        let run = run.nfkc().filter(|&c| !is_default_ignorable(c)).collect();
        Self::Normalised { run, at: 0 }
    }

    fn next(&mut self) -> Option<Token<'a>> {
        match self {
            Self::Done => None,
            Self::Simple { word, has_capital } => {
                let text = if *has_capital { fold(word) } else { Cow::Borrowed(*word) };
                *self = Self::Done;
                Some(Token { text, kind: TokenKind::Word })
            }
            Self::Word { word } => {
                let word = *word;
                *self = if is_simple(word) { Self::Done } else { Self::Parts { word, rest: word } };
                Some(Token { text: fold(word), kind: TokenKind::Word })
            }
            Self::Parts { word, rest } => {
                let (part, after) = first_part(rest).filter(|(part, _)| part.len() < word.len())?;
                *rest = after;
                Some(Token { text: fold(part), kind: TokenKind::Part })
            }
            Self::Pairs { run, first } => {
                let (pair, step) = first_pair(run, *first)?;
                (*run, *first) = (run.get(step..)?, false);
                Some(Token { text: Cow::Borrowed(pair), kind: TokenKind::Cjk })
            }
            Self::Normalised { run, at } => {
                let (pair, step) = first_pair(run.get(*at..)?, *at == 0)?;
                let text = Cow::Owned(pair.to_owned());
                *at += step;
                Some(Token { text, kind: TokenKind::Cjk })
            }
        }
    }
}

/// The first two characters of a run, or the only one if it is the run's `first`, and the length of the first.
fn first_pair(run: &str, first: bool) -> Option<(&str, usize)> {
    let mut chars = run.chars();
    let step = chars.next()?.len_utf8();
    match chars.next() {
        Some(second) => Some((run.get(..step + second.len_utf8())?, step)),
        None => first.then_some((run, step)),
    }
}

/// Splits off what precedes and follows the first run.
fn next_run(text: &str) -> Option<(Run<'_>, &str)> {
    // Most text is ASCII, and for that one look at each byte does.
    let start = text.bytes().position(|byte| kind(byte) & (SMALL | CAPITAL | WIDE) != 0)?;
    let text = text.get(start..)?;
    let first = text.bytes().next().map(kind)?;
    let mut others = 0;
    let inner = text.bytes().skip(1).take_while(|&byte| {
        let kind = kind(byte);
        others |= kind;
        kind & (SMALL | CAPITAL | LINK) != 0
    });
    let len = 1 + inner.count();
    if (first | others) & WIDE == 0 {
        let (word, after) = text.split_at_checked(len)?;
        let run = if others & (CAPITAL | LINK) == 0 {
            Run::Simple { word, has_capital: first == CAPITAL }
        } else {
            Run::of_word(word)
        };
        return Some((run, after));
    }
    let (start, class) = text
        .char_indices()
        .map(|(at, c)| (at, Class::of(c)))
        .find(|(_, class)| *class != Class::Other)?;
    let run = text.get(start..)?;
    let end = run.char_indices().find(|(_, c)| !class.continues_with(*c));
    let (run, after) = run.split_at_checked(end.map_or(run.len(), |(end, _)| end))?;
    let run = if class == Class::Pairs { Run::of_pairs(run) } else { Run::of_word(run) };
    Some((run, after))
}

/// A small letter or a digit.
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;
/// `_`, which a word may have inside.
const LINK: u8 = 4;
/// A byte of a character that is not ASCII.
const WIDE: u8 = 8;

/// What a byte is to a word; zero for what separates words.
#[expect(clippy::indexing_slicing, reason = "what is out of bounds does not compile")]
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0_u8;
    loop {
        kinds[byte as usize] = match byte {
            b'a'..=b'z' | b'0'..=b'9' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            b'_' => LINK,
            0x80.. => WIDE,
            _ => 0,
        };
        if byte == u8::MAX {
            break kinds;
        }
        byte += 1;
    }
};

fn kind(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Tells words that surely have no parts, without reading them character by character.
fn is_simple(word: &str) -> bool {
    word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
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
        if is_stable(c) || is_unspaced(c) {
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
            || (!c.is_ascii() && !is_stable(c) && (is_combining_mark(c) || is_default_ignorable(c)))
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
