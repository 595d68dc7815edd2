//! What a selector answers: memories in order, or why there are none.

use std::fmt;

use crate::{Why, limits};

/// An answer of [`Lexical`](crate::Lexical).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ranking {
    /// The memories that fit, the best first, at most [`Query::most`](crate::Query::most); of equals the newer, then by
    /// path.
    pub hits: Vec<Hit>,
    /// Memories that were looked at and are no hits, the best first: those that were not wanted, and where nothing fits the
    /// best of what there is; at most [`limits::RANKED`].
    pub passed_over: Vec<Hit>,
    /// Why nothing fits; `None` if something does.
    pub silence: Option<Silence>,
}

/// A memory that fits a question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// Its place among the documents that were ranked.
    pub index: usize,
    /// How well it fits; only to be compared within one ranking.
    pub score: f32,
    /// The share of what the question asks that it has, from 0 to 1.
    pub coverage: f32,
    /// Which words of the question it has, and where.
    pub why: Why,
}

/// Why nothing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Silence {
    /// There are no memories.
    NoMemories,
    /// The question has no word that says what it is about.
    NoWords,
    /// No memory has a word of the question.
    NoMatch,
    /// What memories share with the question are words that any talk is full of.
    OnlyCommonWords,
    /// The memories have too little of what the question asks.
    TooLittle {
        /// The share that the best has, in percent.
        percent: u8,
    },
    /// All that fits is in the conversation already.
    AllSurfaced,
    /// The model chose none.
    NoneChosen,
    /// What fits cannot be read, or none of it was wanted.
    Unreadable,
}

impl Ranking {
    pub(crate) fn silent(silence: Silence) -> Self {
        Self { hits: Vec::new(), passed_over: Vec::new(), silence: Some(silence) }
    }

    /// The first hits, at most `max`, as far as they score near the first: those worth somebody's attention.
    ///
    /// Near is [`limits::NEAR_FIRST_PERCENT`] of the score of the first. Who asks for more than
    /// [`limits::MAX_ATTACHMENTS`] is content with less.
    pub fn best(&self, max: usize) -> &[Hit] {
        let Some(first) = self.hits.first() else { return &[] };
        #[expect(clippy::cast_precision_loss, reason = "a number of memories")]
        let patience = (max as f32 / limits::MAX_ATTACHMENTS as f32).max(1.0);
        let least = first.score * f32::from(limits::NEAR_FIRST_PERCENT) / 100.0 / patience;
        let near = self.hits.iter().take(max).take_while(|hit| hit.score >= least).count();
        self.hits.get(..near).unwrap_or_default()
    }
}

/// Displays as a clause in plain words.
impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMemories => "there are no memories",
            Self::NoWords => "the question has no word to look for",
            Self::NoMatch => "no memory has a word of the question",
            Self::OnlyCommonWords => "memories share only common words with the question",
            Self::TooLittle { percent } => {
                return write!(
                    f,
                    "the best memory has {percent} % of what the question asks, and {} % are needed",
                    limits::COVERAGE_PERCENT
                );
            }
            Self::Unreadable => "what fits cannot be read",
            Self::NoneChosen => "the model found none that certainly helps",
            Self::AllSurfaced => "what fits is in the conversation already",
        })
    }
}
