//! Phrases that give orders to a model, told by their structure.

mod lexicon;
mod phrases;
mod sequence;
mod written;

use std::ops::Range;

use self::lexicon::LEXICON;
use self::sequence::Sentence;
use crate::fold::Folded;
use crate::limits::{LEAD_BYTES, SENTENCE_BYTES};
use crate::{Finding, Instruction, Kind, place};

/// How many words before an order a negation may stand. Ours: "do not ever just ignore".
const NEGATED_WORDS: usize = 3;

/// Finds phrases that give orders to a model that reads the text.
///
/// A phrase is told by its structure: words of certain kinds, in one order and near each other in one sentence. A finding
/// is a hint to look, and no proof of anything. English and Chinese are covered best, then German, French, Spanish,
/// Portuguese, Italian, Russian, Japanese and Korean. One finding for each place and kind of order.
pub fn instructions(text: &str) -> Vec<Finding> {
    let folded = Folded::sentences(text);
    let mut found = Vec::new();
    for (start, sentence) in sentences(folded.bytes()) {
        for (span, what) in of_sentence(sentence) {
            found.push((span.start + start..span.end + start, what));
        }
    }
    for (what, written) in LEXICON.hinted_at(folded.bytes()) {
        let spans = written.matches(folded.bytes());
        let spans = spans.filter(|span| !is_quoted_in(folded.bytes(), span));
        found.extend(spans.map(|span| (span, *what)));
    }
    let kinds = place::merge(found)
        .into_iter()
        .map(|(span, what)| (folded.original(&span), Kind::Instruction { what }));
    place::findings(text, kinds.collect())
}

/// The lines of folded text and where they begin; long ones in parts.
fn sentences(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let near = rest.get(..SENTENCE_BYTES).unwrap_or(rest);
        let line_end = near.iter().position(|byte| *byte == b'\n');
        let blank =
            || near.iter().rposition(|byte| *byte == b' ').filter(|_| near.len() < rest.len());
        let end = line_end.or_else(blank).map_or(near.len(), |end| end + 1);
        let sentence = (start, rest.get(..end)?.trim_ascii_end());
        start += end;
        Some(sentence)
    })
}

fn of_sentence(text: &[u8]) -> Vec<(Range<usize>, Instruction)> {
    let hits = LEXICON.phrases.hits(text);
    // One word is no structure, unless it says all.
    if hits.is_empty() {
        return Vec::new();
    }
    let sentence = Sentence::new(text, hits);
    let sequences = sentence.classes().flat_map(|class| LEXICON.beginning_with(class));
    let fits = sequences.filter_map(|(what, sequence)| {
        let span = sequence.find(&sentence)?;
        (!is_excused(&sentence, &span, *what)).then_some((span, *what))
    });
    fits.collect()
}

/// Whether the sentence denies the order, or quotes it to speak of it. What hides is an order by its negation.
fn is_excused(sentence: &Sentence<'_>, span: &Range<usize>, what: Instruction) -> bool {
    let has = |class, words| {
        let class = LEXICON.classes.get(class);
        class.is_some_and(|class| sentence.has_before(class, span.start, words))
    };
    let is_denied = what != Instruction::Concealment && has("negation", NEGATED_WORDS);
    is_denied || (is_quoted(sentence.text, span) && has("about", usize::MAX - 1))
}

fn is_quoted_in(text: &[u8], span: &Range<usize>) -> bool {
    let before = text.get(..span.start).unwrap_or_default().iter().rev();
    let lead = before.take(LEAD_BYTES).take_while(|byte| **byte != b'\n').count();
    let start = span.start - lead;
    let line = text.get(start..span.end).unwrap_or_default();
    if !is_quoted(line, &(lead..line.len())) {
        return false;
    }
    let sentence = Sentence::new(line, LEXICON.phrases.hits(line));
    is_excused(&sentence, &(lead..line.len()), Instruction::Concealment)
}

fn is_quoted(text: &[u8], span: &Range<usize>) -> bool {
    text.get(..span.start).is_some_and(|before| {
        before.ends_with(b"\"") || before.ends_with(b"`") || before.ends_with(b"'")
    })
}

#[cfg(test)]
mod tests;
