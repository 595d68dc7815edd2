//! Selection by the words that a question and a memory share.

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

use crate::{Document, Query, Ranking};

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
}

impl Lexical {
    /// With the weights that were measured.
    pub fn new() -> Self {
        Self::default()
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
        let terms = Terms::of(query.text);
        let (hits, lengths) = sieve::find(&terms, documents);
        score::rank(&self.weights, &terms, &hits, &lengths, documents, query.most, keep)
    }

    /// Prepares documents for many questions. The answers are those of [`rank`](Self::rank).
    pub fn index<'a>(&self, documents: &'a [Document<'a>]) -> Index<'a> {
        Index::new(self.clone(), documents)
    }
}
