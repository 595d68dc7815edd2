//! Selection by the words that a question and a memory share.

mod beginnings;
mod collect;
mod english;
mod index;
mod language;
mod lists;
mod near;
mod proper;
mod score;
mod sieve;
mod stem;
mod synonyms;
mod terms;
mod time;
mod weights;
mod words;

use crate::{Document, Field, Query, Ranking};

pub use index::Index;
use terms::Terms;
pub(crate) use terms::read_of;

/// Ranks memories by the words they share with a question: no key, no network, no model, any language.
///
/// Words are compared by their stems where they are of a language that is known, else as they are written, in scripts
/// without spaces by pairs of characters. A word counts by its rarity (BM25 over fields), and where nothing has it, a word that begins
/// like it or differs by a slip of the finger stands in. Words that any talk is full of do not make a hit.
#[derive(Debug, Clone, Default)]
pub struct Lexical {
    weights: weights::Weights,
    forms: Forms,
}

/// A part of the selection that can be left out, to measure what it adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// That a word in the name counts more than one in the body.
    Fields,
    /// Stems of all languages.
    Stems,
    /// Stems of languages other than English.
    Languages,
    /// Pairs of characters in scripts without spaces.
    Pairs,
    /// Synonyms.
    Synonyms,
    /// That a question for a time prefers memories that tell one.
    Times,
    /// That words outside of what a memory says it is about are less evidence.
    Topics,
    /// The share of what is asked below which there is no answer.
    CutOff,
}

/// In which forms words are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Forms {
    stems: Stems,
    has_pairs: bool,
}

/// By which rules words are stemmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stems {
    All,
    English,
    None,
}

impl Default for Forms {
    fn default() -> Self {
        Self { stems: Stems::All, has_pairs: true }
    }
}

impl Lexical {
    /// With the weights that were measured.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same without one of its parts.
    #[must_use]
    pub fn without(mut self, part: Part) -> Self {
        match part {
            Part::Fields => self.weights.fields = [1.0; Field::ALL.len()],
            Part::Stems => self.forms.stems = Stems::None,
            Part::Languages => self.forms.stems = Stems::English,
            Part::Pairs => self.forms.has_pairs = false,
            Part::Synonyms => self.weights.synonym = 0.0,
            Part::Times => self.weights.tells_when = 1.0,
            Part::Topics => self.weights.beside = 1.0,
            Part::CutOff => self.weights.cut_off = 0.0,
        }
        self
    }

    /// Ranks documents for one question.
    ///
    /// What [`Query::surfaced`] names is ranked as well; see [`rank_where`](Self::rank_where) for leaving some out.
    pub fn rank(&self, query: &Query<'_>, documents: &[Document<'_>]) -> Ranking {
        self.rank_where(query, documents, |_| true)
    }

    /// Ranks documents for one question, without those that `keep` does not want: it is asked with the place of a
    /// document, the best first, until the ranking is full.
    pub fn rank_where(
        &self,
        query: &Query<'_>,
        documents: &[Document<'_>],
        keep: impl FnMut(usize) -> bool,
    ) -> Ranking {
        let terms = Terms::of(query.text, self.forms);
        let (hits, lengths) = sieve::find(&terms, documents);
        score::rank(&self.weights, &terms, &hits, &lengths, documents, query.most, keep)
    }

    /// Prepares documents for many questions. The answers are those of [`rank`](Self::rank).
    pub fn index<'a>(&self, documents: &'a [Document<'a>]) -> Index<'a> {
        Index::new(self.clone(), documents)
    }
}
