//! Documents prepared for many questions.

use std::{borrow::Cow, collections::HashMap};

use memdir_core::text::{Token, TokenKind, tokens};

use super::{
    Lexical,
    collect::{Collected, Counts, Lengths, Place, texts, tongue_of},
    language::Tongue,
    near::Near,
    score,
    stem::further_stems,
    terms::{Term, Terms},
};
use crate::{Document, Field, Query, Ranking};

/// Documents prepared for many questions; made by [`Lexical::index`].
#[derive(Debug)]
pub struct Index<'a> {
    lexical: Lexical,
    documents: &'a [Document<'a>],
    lengths: Lengths,
    words: Vec<Word<'a>>,
    /// Places in `words`.
    by_stem: HashMap<Box<str>, Vec<usize>>,
    /// The same by stems of the language that a document is in.
    by_further_stem: HashMap<Box<str>, Vec<usize>>,
}

/// A word of the documents, and where it stands.
#[derive(Debug)]
struct Word<'a> {
    token: Token<'a>,
    /// Documents in ascending order.
    places: Vec<Place>,
}

impl<'a> Index<'a> {
    pub(super) fn new(lexical: Lexical, documents: &'a [Document<'a>]) -> Self {
        let mut lengths = vec![[0_u16; Field::ALL.len()]; documents.len()];
        let mut words: Vec<Word<'a>> = Vec::new();
        let stems = lexical.forms.stems;
        // A word is another in a text of another language.
        let mut languages: HashMap<Tongue, HashMap<Cow<'_, str>, usize>> = HashMap::new();
        let mut by_stem: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        let mut by_further_stem: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        for ((document, texts), lengths) in
            documents.iter().map(texts).enumerate().zip(&mut lengths)
        {
            let tongue = stems.heed(tongue_of(&texts));
            let known = languages.entry(tongue).or_default();
            for (field, (pieces, length)) in texts.into_iter().zip(lengths).enumerate() {
                for token in pieces.into_iter().flat_map(tokens) {
                    let is_whole = token.kind != TokenKind::Part;
                    *length = length.saturating_add(u16::from(is_whole));
                    let at = *known.entry(token.text.clone()).or_insert_with(|| {
                        by_stem.entry(stems.of(&token).into()).or_default().push(words.len());
                        for stem in further_stems(&token, tongue, &[]) {
                            by_further_stem.entry(stem.into()).or_default().push(words.len());
                        }
                        words.push(Word { token, places: Vec::new() });
                        words.len() - 1
                    });
                    if let Some(word) = words.get_mut(at) {
                        word.count(document, field, is_whole);
                    }
                }
            }
        }
        Self { lexical, documents, lengths: Lengths::new(lengths), words, by_stem, by_further_stem }
    }

    /// Ranks the documents for one question, as [`Lexical::rank`] does.
    pub fn rank(&self, query: &Query<'_>) -> Ranking {
        self.rank_where(query, |_| true)
    }

    /// Ranks the documents for one question without some, as [`Lexical::rank_where`] does.
    pub fn rank_where(&self, query: &Query<'_>, keep: impl FnMut(usize) -> bool) -> Ranking {
        let terms = Terms::of(query.text, self.lexical.forms);
        let hits: Vec<_> = terms.list.iter().map(|term| self.find(term).into_hits()).collect();
        score::rank(
            &self.lexical.weights,
            &terms,
            &hits,
            &self.lengths,
            self.documents,
            query.most,
            keep,
        )
    }

    fn find(&self, term: &Term) -> Collected {
        let mut collected = Collected::default();
        let mut take = |word: &Word<'_>, near: Near| {
            collected.add_word(near, &word.token.text);
            word.places.iter().for_each(|place| collected.add(near, *place));
        };
        let further =
            term.further_stems.iter().filter_map(|stem| self.by_further_stem.get(&**stem));
        let same = self.by_stem.get(&*term.stem).into_iter().chain(further);
        let mut same: Vec<usize> = same.flatten().copied().collect();
        same.sort_unstable();
        same.dedup();
        for word in same.iter().filter_map(|&at| self.words.get(at)) {
            take(word, Near::Same);
        }
        // What comes near is of no use beside the word itself, but a single character lies within many pairs.
        if (same.is_empty() && term.may_be_missed()) || term.is_single() {
            for (at, word) in self.words.iter().enumerate() {
                if let Some(near) = term.near(&word.token)
                    && !same.contains(&at)
                {
                    take(word, near);
                }
            }
        }
        collected
    }
}

impl Word<'_> {
    fn count(&mut self, document: usize, field: usize, is_whole: bool) {
        if self.places.last().is_none_or(|last| last.document != document) {
            self.places.push(Place { document, counts: Counts::default(), is_whole });
        }
        if let Some(place) = self.places.last_mut() {
            place.is_whole |= is_whole;
            place
                .counts
                .iter_mut()
                .skip(field)
                .take(1)
                .for_each(|count| *count = count.saturating_add(1));
        }
    }
}
