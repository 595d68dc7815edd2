//! A question as the words that are looked for.

use std::collections::HashMap;

use memdir_core::text::{Token, TokenKind, prefix, tokens};

use super::{
    english::{base_form, irregular_forms},
    near::{Near, near},
    stem::Stemmer,
    words::{Role, role},
};
use crate::limits;

/// A word that is looked for.
#[derive(Debug)]
pub(super) struct Term {
    /// As asked, folded.
    pub(super) text: String,
    pub(super) stem: String,
    pub(super) role: Role,
    pub(super) kind: TokenKind,
}

/// All words that are looked for, each stem once.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) list: Vec<Term>,
    by_stem: HashMap<String, usize>,
    /// Whether some word that matches a term can begin with this byte.
    begins: [bool; 256],
    /// A term that is a single character of a script without spaces; it lies within pairs.
    has_single: bool,
    /// The question, for comparing it with names.
    words: Vec<String>,
}

impl Terms {
    pub(super) fn of(question: &str) -> Self {
        let mut stemmer = Stemmer::default();
        let mut terms = Self {
            list: Vec::new(),
            by_stem: HashMap::new(),
            begins: [false; 256],
            has_single: false,
            words: Vec::new(),
        };
        for token in both_ends(question).into_iter().flat_map(tokens) {
            if token.kind != TokenKind::Part {
                terms.words.push(token.text.clone().into_owned());
            }
            let stem = stem_of(&token, &mut stemmer);
            if let Some(role) = role(&token, stem) {
                let stem = stem.to_owned();
                terms.add(token, stem, role);
            }
        }
        terms.keep_both_ends();
        terms
    }

    fn add(&mut self, token: Token<'_>, stem: String, role: Role) {
        if let Some(known) = self.by_stem.get(&stem).and_then(|&at| self.list.get_mut(at)) {
            if role == Role::Strong {
                known.role = role;
            }
            return;
        }
        self.by_stem.insert(stem.clone(), self.list.len());
        self.list.push(Term { text: token.text.into_owned(), stem, role, kind: token.kind });
    }

    /// Drops the middle of a question of too many words, and notes what is left.
    fn keep_both_ends(&mut self) {
        const HALF: usize = limits::QUERY_WORDS / 2;
        if self.list.len() > limits::QUERY_WORDS {
            self.list.drain(HALF..self.list.len() - HALF);
        }
        self.by_stem =
            self.list.iter().enumerate().map(|(at, term)| (term.stem.clone(), at)).collect();
        let mut begins = [false; 256];
        let mut allow = |word: &str| {
            if let Some(slot) =
                word.bytes().next().and_then(|byte| begins.get_mut(usize::from(byte)))
            {
                *slot = true;
            }
        };
        for term in &self.list {
            allow(&term.text);
            let base = base_form(&term.text);
            allow(base);
            irregular_forms(base).for_each(&mut allow);
        }
        self.begins = begins;
        self.has_single = self.list.iter().any(Term::is_single);
    }

    /// Tells quickly that a token matches no term.
    pub(super) fn may_match(&self, token: &Token<'_>) -> bool {
        let first = token.text.bytes().next().map(usize::from);
        let begins_alike =
            first.and_then(|byte| self.begins.get(byte)).copied().unwrap_or_default();
        begins_alike || (self.has_single && token.kind == TokenKind::Cjk)
    }

    /// The terms that a token matches, and how.
    pub(super) fn matches<'s>(
        &'s self,
        token: &'s Token<'_>,
        stemmer: &mut Stemmer,
    ) -> impl Iterator<Item = (usize, Near)> + use<'s> {
        let same = self.by_stem.get(stem_of(token, stemmer)).copied();
        let others = self.list.iter().enumerate().filter(move |(at, _)| Some(*at) != same);
        let near = others.filter_map(move |(at, term)| term.near(token).map(|near| (at, near)));
        same.map(|at| (at, Near::Same)).into_iter().chain(near)
    }

    /// Whether the question is this name, word for word.
    pub(super) fn are_the_words_of(&self, name: &str) -> bool {
        let words = tokens(name).filter(|token| token.kind != TokenKind::Part);
        words.map(|token| token.text).eq(self.words.iter().map(String::as_str))
    }
}

impl Term {
    pub(super) fn is_single(&self) -> bool {
        self.kind == TokenKind::Cjk && self.text.chars().nth(1).is_none()
    }

    pub(super) fn near(&self, token: &Token<'_>) -> Option<Near> {
        if token.kind == TokenKind::Cjk {
            return (self.is_single() && token.text.contains(&*self.text)).then_some(Near::Same);
        }
        let may_stand_in = self.role == Role::Strong && self.kind == TokenKind::Word;
        if may_stand_in { near(&self.text, &token.text) } else { None }
    }
}

/// The form in which a token is compared.
pub(super) fn stem_of<'a>(token: &'a Token<'_>, stemmer: &'a mut Stemmer) -> &'a str {
    match token.kind {
        TokenKind::Cjk => &token.text,
        _ => stemmer.stem(base_form(&token.text)),
    }
}

/// The text, or its beginning and its end if it is long.
fn both_ends(text: &str) -> Vec<&str> {
    if text.len() <= 2 * limits::QUERY_BYTES {
        return vec![text];
    }
    let mut start = text.len() - limits::QUERY_BYTES;
    while !text.is_char_boundary(start) {
        start += 1;
    }
    vec![prefix(text, limits::QUERY_BYTES), text.get(start..).unwrap_or_default()]
}
