//! From where the words stand to which memories fit: BM25 over fields, and whether anything fits at all.

use std::cmp::Reverse;

use super::{
    collect::{Counts, Hits, Lengths},
    near::Near,
    terms::{Term, Terms},
    words::Role,
};
use crate::{Document, Field, Hit, Ranking, Reason, Silence, Why, limits};

/// What counts how much.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// Of an occurrence, by field.
    fields: Counted,
    /// How far the length of a field tells against it, by field.
    lengths: Counted,
    /// How soon further occurrences cease to add.
    saturation: f32,
    /// Of a word that any talk is full of, for the order.
    weak: f32,
    /// Of the same, for whether anything fits.
    weak_evidence: f32,
    /// Of a part of an identifier.
    part: f32,
    /// Of a word that is taken for the one asked.
    slip: f32,
    begins: f32,
    /// The least that a word counts for whether anything fits, as a share of what the rarest counts: that a word is in
    /// every memory does not make a question about it a question about something else.
    least_evidence: f32,
    /// Words of the question that make up what it asks; a long one is not asked to be covered whole.
    asked: usize,
}

type Counted = [f32; Field::ALL.len()];

impl Default for Weights {
    fn default() -> Self {
        Self {
            fields: [3.0, 2.0, 1.0, 1.0, 0.5],
            lengths: [0.3, 0.4, 0.5, 0.0, 0.0],
            saturation: 1.5,
            weak: 0.7,
            weak_evidence: 0.3,
            part: 0.5,
            slip: 0.8,
            begins: 0.6,
            least_evidence: 0.33,
            asked: 4,
        }
    }
}

/// What a document gathers.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    score: f32,
    evidence: f32,
    matched: usize,
    has_subject: bool,
    is_its_name: bool,
}

pub(super) fn rank(
    weights: &Weights,
    terms: &Terms,
    hits: &[Hits],
    lengths: &Lengths,
    documents: &[Document<'_>],
    mut keep: impl FnMut(usize) -> bool,
) -> Ranking {
    if documents.is_empty() {
        return Ranking::silent(Silence::NoMemories);
    }
    if terms.list.is_empty() {
        return Ranking::silent(Silence::NoWords);
    }
    let parts = weights.parts(terms, hits, documents.len());
    let asked = weights.asked(&parts);
    let sums = weights.sums(&parts, lengths, documents, terms);
    if sums.iter().all(|sum| sum.matched == 0) {
        return Ranking::silent(Silence::NoMatch);
    }
    // A question of common words only is answered by what has all of them.
    let has_subject = terms.list.iter().any(|term| term.role != Role::Weak);
    let fits = |sum: &Sum| {
        let is_about_it =
            if has_subject { sum.has_subject } else { sum.matched == terms.list.len() };
        sum.is_its_name || is_about_it
    };
    let mut order: Vec<_> = sums.iter().enumerate().filter(|(_, sum)| fits(sum)).collect();
    if order.is_empty() {
        return Ranking::silent(Silence::OnlyCommonWords);
    }
    order.sort_by(|(a, sum_a), (b, sum_b)| {
        let by_sum =
            sum_b.is_its_name.cmp(&sum_a.is_its_name).then(sum_b.score.total_cmp(&sum_a.score));
        let key =
            |at: usize| documents.get(at).map(|document| (Reverse(document.date), document.path));
        by_sum.then_with(|| key(*a).cmp(&key(*b)))
    });
    let mut kept: Vec<(usize, &Sum)> = Vec::new();
    for (at, sum) in order {
        if kept.len() == limits::RANKED {
            break;
        }
        if keep(at) {
            kept.push((at, sum));
        }
    }
    if kept.is_empty() {
        return Ranking::silent(Silence::AllSurfaced);
    }
    let share = |sum: &Sum| if asked > 0.0 { (sum.evidence / asked).min(1.0) } else { 1.0 };
    let best = kept
        .iter()
        .map(|(_, sum)| if sum.is_its_name { 1.0 } else { share(sum) })
        .fold(0.0, f32::max);
    if best * 100.0 < f32::from(limits::COVERAGE_PERCENT) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
        let percent = (best * 100.0) as u8;
        return Ranking::silent(Silence::TooLittle { percent });
    }
    let hits = kept
        .into_iter()
        .map(|(index, sum)| Hit {
            index,
            score: sum.score,
            coverage: share(sum),
            why: why(&parts, index, sum.is_its_name),
        })
        .collect();
    Ranking { hits, silence: None }
}

/// A word of the question with what it counts in these documents.
struct Part<'a> {
    term: &'a Term,
    hits: &'a Hits,
    score: f32,
    evidence: f32,
    /// How good the word found stands in for the one asked.
    nearness: f32,
}

impl Weights {
    fn parts<'a>(&self, terms: &'a Terms, hits: &'a [Hits], documents: usize) -> Vec<Part<'a>> {
        let most = idf(documents, 1);
        let part = |(term, hits): (&'a Term, &'a Hits)| {
            let rarity = idf(documents, hits.list.len());
            let (score, evidence) = match term.role {
                Role::Strong => (1.0, 1.0),
                Role::Part => (self.part, self.part),
                Role::Weak => (self.weak, self.weak_evidence),
            };
            let nearness = match hits.near {
                None | Some(Near::Same) => 1.0,
                Some(Near::Slip) => self.slip,
                Some(Near::Begins) => self.begins,
            };
            let evidence = evidence * rarity.max(self.least_evidence * most);
            Part { term, hits, score: score * rarity, evidence, nearness }
        };
        terms.list.iter().zip(hits).map(part).collect()
    }

    /// What the question asks: the evidence of its most telling words.
    fn asked(&self, parts: &[Part<'_>]) -> f32 {
        let words = parts.iter().filter(|part| part.term.role != Role::Part);
        let mut evidence: Vec<f32> = words.map(|part| part.evidence).collect();
        evidence.sort_by(|a, b| b.total_cmp(a));
        evidence.iter().take(self.asked).sum()
    }

    fn sums(
        &self,
        parts: &[Part<'_>],
        lengths: &Lengths,
        documents: &[Document<'_>],
        terms: &Terms,
    ) -> Vec<Sum> {
        let mut sums = vec![Sum::default(); documents.len()];
        for part in parts {
            for (at, counts) in &part.hits.list {
                let (Some(sum), Some(length)) = (sums.get_mut(*at), lengths.list.get(*at)) else {
                    continue;
                };
                let often = self.often(*counts, length, &lengths.mean);
                let counted = often * (self.saturation + 1.0) / (often + self.saturation);
                sum.score += part.score * part.nearness * counted;
                sum.evidence += part.evidence * part.nearness;
                sum.matched += 1;
                sum.has_subject |= part.term.role != Role::Weak;
            }
        }
        for (sum, document) in sums.iter_mut().zip(documents) {
            sum.is_its_name = sum.matched > 0
                && (terms.are_the_words_of(document.title())
                    || terms.are_the_words_of(document.path.stem()));
        }
        sums
    }

    /// Occurrences, weighted by field and length.
    fn often(&self, counts: Counts, lengths: &[u16; Field::ALL.len()], mean: &Counted) -> f32 {
        let fields = counts.into_iter().zip(lengths).zip(mean).zip(self.fields).zip(self.lengths);
        let weighted = fields.filter(|((((count, _), _), _), _)| *count > 0).map(
            |((((count, length), mean), weight), by_length)| {
                let norm = 1.0 - by_length + by_length * f32::from(*length) / mean.max(1.0);
                weight * f32::from(count) / norm
            },
        );
        weighted.sum()
    }
}

/// How telling a word is that this many documents have: Lucene's form, which is never negative.
#[expect(clippy::cast_precision_loss, reason = "counts of documents are small")]
fn idf(documents: usize, having: usize) -> f32 {
    let (documents, having) = (documents as f32, having as f32);
    (1.0 + (documents - having + 0.5) / (having + 0.5)).ln()
}

fn why(parts: &[Part<'_>], document: usize, is_its_name: bool) -> Why {
    let counts = |part: &Part<'_>| {
        let at = part.hits.list.binary_search_by_key(&document, |(at, _)| *at).ok()?;
        part.hits.list.get(at).map(|(_, counts)| *counts)
    };
    let mut found: Vec<_> = parts.iter().filter_map(|part| Some((part, counts(part)?))).collect();
    found.sort_by(|(a, _), (b, _)| (b.score * b.nearness).total_cmp(&(a.score * a.nearness)));
    let reasons = found
        .into_iter()
        .map(|(part, counts)| {
            let fields = Field::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0);
            Reason {
                word: part.term.text.clone(),
                fields: fields.map(|(field, _)| field).collect(),
                taken: part.hits.taken.clone(),
            }
        })
        .collect();
    Why { reasons, is_its_name }
}
