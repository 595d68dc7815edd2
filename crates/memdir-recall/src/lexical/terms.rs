//! A question as the words that are looked for.

use std::{borrow::Cow, collections::HashMap};

use memdir_core::text::{Token, TokenKind, prefix, tokens};

use super::{
    Forms, Stems,
    beginnings::{Beginnings, begin_alike},
    english::irregular_forms,
    language::{Language, Tongue, tongue},
    near::{Near, near},
    proper,
    stem::further_stems,
    synonyms::synonyms,
    time::asks_when,
    words::{Role, role},
};
use crate::limits;

/// A word that is looked for.
#[derive(Debug)]
pub(super) struct Term {
    /// As asked, folded.
    pub(super) text: String,
    pub(super) stem: String,
    /// Forms in the language of the question, or in any where it does not tell its language.
    pub(super) further_stems: Vec<String>,
    pub(super) role: Role,
    pub(super) kind: TokenKind,
    /// Whether it is written like `TanStack`.
    pub(super) is_name: bool,
    /// The stem of the term for which this stands where a memory lacks it: the identifier that it is a part of, or the
    /// word of which it is a synonym.
    stands_for: Option<String>,
    /// The synonym that this is.
    pub(super) synonym: Option<&'static str>,
    /// Whether it stands in the first and in the last line of the question.
    pub(super) in_line: [bool; 2],
}

/// All words that are looked for, each stem once.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) list: Vec<Term>,
    by_stem: HashMap<String, usize>,
    by_further_stem: HashMap<String, usize>,
    begins: Beginnings,
    stems: Stems,
    /// A term that is a single character of a script without spaces; it lies within pairs.
    has_single: bool,
    /// The question, for comparing it with names.
    words: Vec<String>,
    /// Whether the question asks for a time.
    pub(super) ask_when: bool,
}

impl Terms {
    pub(super) fn of(question: &str, forms: Forms) -> Self {
        let tongue = forms.stems.heed(tongue(read_of(question)));
        let mut whole = String::new();
        let mut terms = Self {
            list: Vec::new(),
            by_stem: HashMap::new(),
            by_further_stem: HashMap::new(),
            begins: Beginnings::default(),
            stems: forms.stems,
            has_single: false,
            words: Vec::new(),
            ask_when: asks_when(question),
        };
        for (line, in_line) in lines(question) {
            let names: Vec<_> = proper::names(line).collect();
            let is_wanted = |token: &Token<'_>| forms.has_pairs || token.kind != TokenKind::Cjk;
            for token in tokens(line).filter(is_wanted) {
                if token.kind != TokenKind::Part {
                    terms.words.push(token.text.clone().into_owned());
                }
                let stem = forms.stems.of(&token).into_owned();
                if token.kind == TokenKind::Word {
                    whole.clone_from(&stem);
                }
                if let Some(role) = role(&token, &stem) {
                    let stands_for = (token.kind == TokenKind::Part).then(|| whole.clone());
                    let further_stems = match role {
                        Role::Weak => Vec::new(),
                        _ => further_stems(&token, tongue, &Language::ALL)
                            .map(Cow::into_owned)
                            .collect(),
                    };
                    let (text, kind) = (token.text.into_owned(), token.kind);
                    let is_name = role == Role::Strong && names.iter().any(|name| *name == text);
                    let synonym = None;
                    terms.add(Term {
                        text,
                        stem,
                        further_stems,
                        role,
                        kind,
                        is_name,
                        stands_for,
                        synonym,
                        in_line,
                    });
                }
            }
        }
        terms.keep_both_ends();
        terms.add_synonyms();
        terms.prepare();
        terms
    }

    fn add(&mut self, mut term: Term) {
        let Some(known) = self.by_stem.get(&term.stem).and_then(|&at| self.list.get_mut(at)) else {
            self.by_stem.insert(term.stem.clone(), self.list.len());
            self.list.push(term);
            return;
        };
        for (known, also) in known.in_line.iter_mut().zip(&mut term.in_line) {
            *known |= *also;
            *also = *known;
        }
        if term.stands_for.is_none() && known.stands_for.is_some() {
            *known = term;
        }
    }

    /// The term for which another stands, as its place among the terms.
    pub(super) fn stood_for(&self, term: &Term) -> Option<usize> {
        term.stands_for.as_ref().and_then(|stem| self.by_stem.get(stem)).copied()
    }

    /// Drops the middle of a question of too many words.
    fn keep_both_ends(&mut self) {
        const HALF: usize = limits::QUERY_WORDS / 2;
        if self.list.len() > limits::QUERY_WORDS {
            self.list.drain(HALF..self.list.len() - HALF);
        }
        self.by_stem =
            self.list.iter().enumerate().map(|(at, term)| (term.stem.clone(), at)).collect();
    }

    fn add_synonyms(&mut self) {
        let mut found = Vec::new();
        for term in self.list.iter().filter(|term| term.role == Role::Strong) {
            found.extend(synonyms(&term.stem).map(|(word, stem)| Term {
                text: term.text.clone(),
                stem: stem.into_owned(),
                further_stems: Vec::new(),
                role: Role::Synonym,
                kind: term.kind,
                is_name: false,
                stands_for: Some(term.stem.clone()),
                synonym: Some(word),
                in_line: term.in_line,
            }));
        }
        for term in found {
            // What the question itself says needs no other word to stand for it.
            if !self.by_stem.contains_key(&term.stem) {
                self.add(term);
            }
        }
    }

    /// Notes how words that match can begin.
    fn prepare(&mut self) {
        for (at, term) in self.list.iter().enumerate() {
            for stem in &term.further_stems {
                self.by_further_stem.entry(stem.clone()).or_insert(at);
            }
        }
        let mut begins = Beginnings::default();
        for term in &self.list {
            begins.allow(&term.text);
            begins.allow(&term.stem);
            if term.may_be_missed() {
                begins.allow_slips(&term.text);
            }
            term.further_stems.iter().for_each(|stem| begins.allow(stem));
        }
        for (form, base) in irregular_forms() {
            let is_asked = |term: &Term| begin_alike(&term.stem, base);
            if self.list.iter().any(is_asked) {
                begins.allow(form);
            }
        }
        if self.has_further_stems() {
            // Some languages lose accents when they are stemmed: `über` becomes `uber`.
            begins.allow_wide();
        }
        self.begins = begins;
        self.has_single = self.list.iter().any(Term::is_single);
    }

    /// Tells quickly that a word of a text matches no term.
    pub(super) fn may_match(&self, word: &str, tongue: Tongue) -> bool {
        // Other languages change more of a word than its end.
        let is_told = matches!(tongue, Tongue::Of(_)) || self.begins.have_second(word);
        is_told && self.begins.have_first(word)
    }

    /// The same of a pair of characters.
    pub(super) fn may_match_pair(&self, pair: &str) -> bool {
        self.has_single || self.begins.have_first(pair)
    }

    /// Whether the language of a text matters.
    pub(super) fn has_further_stems(&self) -> bool {
        !self.by_further_stem.is_empty()
    }

    /// The terms that a token of a text matches, and how.
    pub(super) fn matches(&self, token: &Token<'_>, tongue: Tongue) -> Vec<(usize, Near)> {
        let same = self.by_stem.get(&*self.stems.of(token));
        let mut further = further_stems(token, tongue, &[]);
        let further = further.find_map(|stem| self.by_further_stem.get(&*stem));
        let mut found: Vec<_> =
            same.into_iter().chain(further).map(|at| (*at, Near::Same)).collect();
        found.dedup();
        for (at, term) in self.list.iter().enumerate() {
            if let Some(near) = term.near(token)
                && found.iter().all(|(known, _)| *known != at)
            {
                found.push((at, near));
            }
        }
        found
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

    /// Whether a word that comes near may stand in.
    pub(super) fn may_be_missed(&self) -> bool {
        self.role == Role::Strong && self.kind == TokenKind::Word
    }

    pub(super) fn near(&self, token: &Token<'_>) -> Option<Near> {
        if token.kind == TokenKind::Cjk {
            return (self.is_single() && token.text.contains(&*self.text)).then_some(Near::Same);
        }
        if self.may_be_missed() { near(&self.text, &token.text) } else { None }
    }
}

/// What is read of a question, in one piece or two.
pub(crate) fn read_of(question: &str) -> Vec<&str> {
    both_ends(question.trim())
}

/// What is read of a question: pieces that are its first or last line, and the rest, in order.
fn lines(question: &str) -> Vec<(&str, [bool; 2])> {
    let question = question.trim();
    let mut pieces = Vec::new();
    let mut rest = question;
    if let Some((first, others)) = rest.split_once('\n') {
        pieces.push((prefix(first, limits::QUERY_BYTES), [true, false]));
        rest = others;
    }
    let (between, last) = match rest.rsplit_once('\n') {
        Some((between, last)) => (between, Some(last)),
        None if pieces.is_empty() => (rest, None),
        None => ("", Some(rest)),
    };
    pieces.extend(both_ends(between).into_iter().map(|piece| (piece, [false; 2])));
    pieces.extend(last.map(|last| (prefix(last, limits::QUERY_BYTES), [false, true])));
    pieces
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
