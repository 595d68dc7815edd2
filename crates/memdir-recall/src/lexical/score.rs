//! From where the words stand to which memories fit: BM25 over fields, and whether anything fits at all.

use std::{
    cmp::Reverse,
    f64::consts::{LN_2, SQRT_2},
};

use memdir_core::text::TokenKind;

use super::{
    collect::{Counts, Hits, Lengths, Place, texts},
    near::Near,
    proper,
    terms::{Term, Terms},
    time::tells_when,
    weights::{Counted, Weights},
    words::Role,
};
use crate::{Document, Field, Hit, Ranking, Reason, Silence, Taken, Why, limits};

/// What a document gathers.
#[derive(Debug, Clone, Copy, Default)]
struct Sum<'a> {
    score: f32,
    /// Of the whole question, of its first and of its last line.
    evidence: [f32; 3],
    matched: usize,
    /// Parts of identifiers of the question that it has.
    parts: usize,
    /// A word that names a subject and is found in it only as a part of identifiers; where there are two of them they make
    /// a subject.
    within: Option<&'a Term>,
    has_subject: bool,
    /// Fields in which a word that names a subject stands, in the order of [`Field::ALL`].
    subject_in: [bool; Field::ALL.len()],
    is_its_name: bool,
}

pub(super) fn rank(
    weights: &Weights,
    terms: &Terms,
    hits: &[Hits],
    lengths: &Lengths,
    documents: &[Document<'_>],
    most: usize,
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
    let order = match order(&sums, terms, documents) {
        Ok(order) => order,
        Err(silence) => return Ranking::silent(silence),
    };
    // Whether anything fits must not hang on how much of it is wanted.
    let looked_at = most.max(limits::RANKED);
    let mut unwanted = Vec::new();
    let mut kept = Vec::new();
    for (at, sum) in order {
        if kept.len() == looked_at {
            break;
        }
        if keep(at) { kept.push((at, sum)) } else { unwanted.push((at, sum)) }
    }
    unwanted.truncate(limits::RANKED);
    let coverage = |sum: &Sum<'_>| {
        let shares = sum.evidence.iter().zip(asked).filter(|(_, asked)| *asked > 0.0);
        let best = shares.map(|(found, asked)| found / asked).fold(0.0, f32::max);
        if sum.is_its_name { 1.0 } else { best.min(1.0) }
    };
    let hits = |sums: Vec<(usize, &Sum<'_>)>| -> Vec<Hit> {
        let hit = |(index, sum): (usize, &Sum<'_>)| Hit {
            index,
            score: sum.score,
            coverage: coverage(sum),
            why: why(&parts, index, sum.is_its_name),
        };
        sums.into_iter().map(hit).collect()
    };
    if kept.is_empty() {
        return Ranking { passed_over: hits(unwanted), ..Ranking::silent(Silence::AllSurfaced) };
    }
    let best = kept.iter().map(|(_, sum)| coverage(sum)).fold(0.0, f32::max);
    if best * 100.0 < weights.cut_off {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
        let percent = (best * 100.0) as u8;
        kept.extend(unwanted);
        kept.truncate(limits::RANKED);
        let silence = Silence::TooLittle { percent };
        return Ranking { passed_over: hits(kept), ..Ranking::silent(silence) };
    }
    kept.truncate(most);
    Ranking { hits: hits(kept), passed_over: hits(unwanted), silence: None }
}

/// The documents that have to do with the question, the best first.
fn order<'a, 't>(
    sums: &'a [Sum<'t>],
    terms: &Terms,
    documents: &[Document<'_>],
) -> Result<Vec<(usize, &'a Sum<'t>)>, Silence> {
    if sums.iter().all(|sum| sum.matched == 0) {
        return Err(Silence::NoMatch);
    }
    // A question of common words only is answered by what has all of them.
    let has_subject = terms.list.iter().any(|term| term.role != Role::Weak);
    let is_about_it = |sum: &Sum<'_>| {
        if has_subject { sum.has_subject } else { sum.matched == terms.list.len() }
    };
    let fits = |(_, sum): &(usize, &Sum<'_>)| sum.is_its_name || is_about_it(sum);
    let mut order: Vec<_> = sums.iter().enumerate().filter(fits).collect();
    if order.is_empty() {
        return Err(Silence::OnlyCommonWords);
    }
    let tie = |at: usize| documents.get(at).map(|document| (Reverse(document.date), document.path));
    order.sort_by(|(a, of_a), (b, of_b)| {
        let by_name = of_b.is_its_name.cmp(&of_a.is_its_name);
        by_name.then(of_b.score.total_cmp(&of_a.score)).then_with(|| tie(*a).cmp(&tie(*b)))
    });
    Ok(order)
}

/// A word of the question with what it counts in these documents.
struct Part<'a> {
    term: &'a Term,
    hits: &'a Hits,
    /// What it stands for where that is missing.
    stands_for: Option<&'a Hits>,
    score: f32,
    /// What it makes up of the question, found or not.
    asked: f32,
    evidence: f32,
    /// Whether what is found of it counts less in a place where it is only a part of an identifier.
    within: f32,
}

impl Part<'_> {
    /// Whether a place counts: what stands for another says nothing new where that stands.
    fn counts(&self, place: &Place) -> bool {
        self.stands_for.is_none_or(|other| other.at(place.document).is_none())
    }

    fn taken(&self) -> Option<Taken> {
        let synonym = self.term.synonym.map(|word| Taken::Synonym(word.to_owned()));
        synonym.or_else(|| self.hits.taken.clone())
    }

    fn factor(&self, place: &Place) -> f32 {
        if place.is_whole { 1.0 } else { self.within }
    }
}

impl<'a> Sum<'a> {
    /// Notes where a word that names a subject stands.
    ///
    /// One part of one name is none: `stack` is not what `TanStack` is about.
    fn add_subject(&mut self, term: &'a Term, place: &Place) {
        for (is_in, count) in self.subject_in.iter_mut().zip(place.counts) {
            *is_in |= count > 0;
        }
        self.has_subject |= place.is_whole || self.within.is_some();
        self.within = (!place.is_whole).then_some(term).or(self.within);
    }

    /// Whether the words found are not in what the memory says that it is about: its topic, or else its name and
    /// description.
    fn is_beside_the_point(&self, document: &Document<'_>) -> bool {
        let [in_name, in_description, ..] = self.subject_in;
        let is_in_summary = in_description && document.topic().is_none();
        document.is_named() && !in_name && !is_in_summary
    }
}

impl Weights {
    fn parts<'a>(&self, terms: &'a Terms, hits: &'a [Hits], documents: usize) -> Vec<Part<'a>> {
        let most = idf(documents, 1);
        let part = |(term, own): (&'a Term, &'a Hits)| {
            let rarity = idf(documents, own.list.len());
            let (score, evidence) = match term.role {
                Role::Strong => (1.0, 1.0),
                Role::Part => (self.part, self.part),
                Role::Weak => (self.weak, self.weak_evidence),
                Role::Synonym => (self.synonym, self.synonym),
            };
            let (by_score, by_evidence) = match own.near {
                None | Some(Near::Same) => (1.0, 1.0),
                Some(Near::Slip) => (self.slip, 1.0),
                Some(Near::Begins) => (self.begins, self.begins_evidence),
            };
            let ranked = match term.role {
                Role::Strong => rarity.max(self.least_score * most),
                Role::Part | Role::Weak | Role::Synonym => rarity,
            };
            // A word that nothing has asks for no more than one that a single memory has.
            let asked = evidence * rarity.clamp(self.least_evidence * most, most);
            let is_unknown_pair = term.kind == TokenKind::Cjk && own.list.is_empty();
            let asked = if is_unknown_pair { asked * self.unknown_pair } else { asked };
            Part {
                term,
                hits: own,
                stands_for: terms.stood_for(term).and_then(|other| hits.get(other)),
                score: score * by_score * ranked,
                asked,
                evidence: asked * by_evidence,
                within: if term.role == Role::Part { 1.0 } else { self.within },
            }
        };
        terms.list.iter().zip(hits).map(part).collect()
    }

    /// What is asked by the whole question, its first and its last line: the evidence of the most telling words.
    ///
    /// A line without a subject, such as a greeting, asks nothing.
    fn asked(&self, parts: &[Part<'_>]) -> [f32; 3] {
        let sum = |is_in: fn(&Term) -> bool| {
            let words = parts.iter().filter(|part| part.term.role.is_asked() && is_in(part.term));
            let mut asked: Vec<f32> = words.map(|part| part.asked).collect();
            asked.sort_by(|a, b| b.total_cmp(a));
            asked.iter().take(self.asked).sum()
        };
        let line = |is_in: fn(&Term) -> bool| {
            let mut terms = parts.iter().map(|part| part.term);
            let has_subject = terms.any(|term| term.role == Role::Strong && is_in(term));
            if has_subject { sum(is_in) } else { 0.0 }
        };
        [sum(|_| true), line(|term| term.in_line[0]), line(|term| term.in_line[1])]
    }

    fn sums<'t>(
        &self,
        parts: &[Part<'t>],
        lengths: &Lengths,
        documents: &[Document<'_>],
        terms: &Terms,
    ) -> Vec<Sum<'t>> {
        let mut sums = vec![Sum::default(); documents.len()];
        for part in parts {
            for place in part.hits.list.iter().filter(|place| part.counts(place)) {
                let at = place.document;
                let (Some(sum), Some(length)) = (sums.get_mut(at), lengths.list.get(at)) else {
                    continue;
                };
                let often = self.often(place.counts, length, &lengths.mean);
                let counted = often * (self.saturation + 1.0) / (often + self.saturation);
                sum.score += part.score * part.factor(place) * counted;
                let evidence = part.evidence * part.factor(place);
                let is_in = [true, part.term.in_line[0], part.term.in_line[1]];
                let evidences = sum.evidence.iter_mut().zip(is_in).filter(|(_, is_in)| *is_in);
                evidences.for_each(|(sum, _)| *sum += evidence);
                sum.matched += 1;
                sum.parts += usize::from(part.term.role == Role::Part);
                if part.term.role != Role::Weak {
                    sum.add_subject(part.term, place);
                }
            }
        }
        let known = self.known(parts);
        for (sum, document) in sums.iter_mut().zip(documents).filter(|(sum, _)| sum.matched > 0) {
            if let Some(term) = sum.within.filter(|_| !sum.has_subject) {
                sum.has_subject = is_in_identifier(term, document);
            }
            if sum.parts == 0 {
                sum.evidence = sum.evidence.map(|evidence| evidence * known);
            }
            if sum.is_beside_the_point(document) {
                sum.evidence = sum.evidence.map(|evidence| evidence * self.beside);
            }
            if terms.ask_when && tells_when(document) {
                sum.score *= self.tells_when;
            }
            sum.score *= 1.0 + self.used * document.uses.helpfulness();
        }
        let words = terms.list.iter().filter(|term| term.role.is_asked()).count();
        let whole = sums.iter_mut().zip(documents).filter(|(sum, _)| sum.matched >= words.max(1));
        for (sum, document) in whole {
            sum.is_its_name = [document.title(), document.path.stem()]
                .iter()
                .any(|name| terms.are_the_words_of(name));
        }
        sums
    }

    /// What is left of evidence beside names that no memory has.
    fn known(&self, parts: &[Part<'_>]) -> f32 {
        let subjects = parts.iter().filter(|part| part.term.role == Role::Strong);
        let (unknown, all) = subjects.fold((0_u8, 0_u8), |(unknown, all), part| {
            let is_unknown = part.term.is_name && part.hits.list.is_empty();
            (unknown + u8::from(is_unknown), all + 1)
        });
        if unknown == 0 {
            1.0
        } else {
            (1.0 - f32::from(unknown) / f32::from(all)).powi(self.unknown_names)
        }
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

/// Whether a word that is found only within others is a word of its own there.
fn is_in_identifier(term: &Term, document: &Document<'_>) -> bool {
    texts(document).iter().flatten().any(|text| proper::is_in_identifier(term, text))
}

/// How telling a word is that this many documents have: Lucene's form, which is never negative.
#[expect(clippy::cast_precision_loss, reason = "counts of documents are small")]
fn idf(documents: usize, having: usize) -> f32 {
    let (documents, having) = (documents as f32, having as f32);
    ln(1.0 + (documents - having + 0.5) / (having + 0.5))
}

/// The natural logarithm of a number of at least 1.
///
/// By hand, so that scores are the same on every system, and no library of functions is loaded with the program for this
/// one: that takes a tenth of the time in which a hook that has nothing to do ends.
fn ln(number: f32) -> f32 {
    let (mut rest, mut halvings) = (f64::from(number), 0.0);
    while rest > SQRT_2 {
        rest /= 2.0;
        halvings += 1.0;
    }
    // ln x = 2 (s + s^3 / 3 + s^5 / 5 + …) with s = (x - 1) / (x + 1), which is at most 0.18 here.
    let s = (rest - 1.0) / (rest + 1.0);
    let sum = (0..10).rev().fold(0.0, |sum, k| sum * s * s + 1.0 / f64::from(2 * k + 1));
    #[expect(clippy::cast_possible_truncation, reason = "as exact as a score needs to be")]
    let ln = (2.0 * s * sum + halvings * LN_2) as f32;
    ln
}

fn why(parts: &[Part<'_>], document: usize, is_its_name: bool) -> Why {
    let place =
        |part: &Part<'_>| part.hits.at(document).copied().filter(|place| part.counts(place));
    let mut found: Vec<_> = parts.iter().filter_map(|part| Some((part, place(part)?))).collect();
    found.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score));
    let reasons = found
        .into_iter()
        .map(|(part, place)| {
            let fields = Field::ALL.into_iter().zip(place.counts).filter(|(_, count)| *count > 0);
            Reason {
                word: part.term.text.clone(),
                fields: fields.map(|(field, _)| field).collect(),
                taken: part.taken(),
            }
        })
        .collect();
    Why { reasons, is_its_name }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::ln;

    proptest! {
        #[test]
        fn logarithms_are_those_of_the_system(number in 1.0_f32..1e6) {
            let system = f64::from(number).ln();
            prop_assert!((f64::from(ln(number)) - system).abs() <= system * 1e-7, "{number}");
        }
    }
}
