//! Phrases that give orders to a model, told by their structure.

mod lexicon;

use std::ops::Range;

use self::lexicon::{LEXICON, Pattern};
use crate::fold::Folded;
use crate::limits::LEAD_BYTES;
use crate::{Finding, Kind, place};

/// Finds phrases that give orders to a model that reads the text.
///
/// A phrase is told by its structure, such as a word for disregarding, one for earlier and one for orders in one sentence;
/// it is a hint to look, and no proof of anything. English and Chinese are covered best, then German, French, Spanish,
/// Portuguese, Italian, Russian, Japanese and Korean. One finding for each place and kind of order.
pub fn instructions(text: &str) -> Vec<Finding> {
    let folded = Folded::sentences(text);
    let mut found: Vec<(Range<usize>, Kind)> = Vec::new();
    for pattern in LEXICON.that_may_match(folded.bytes()) {
        for span in pattern.matches(folded.bytes()) {
            if !is_excused(folded.bytes(), &span, pattern) {
                let kind = Kind::Instruction { what: pattern.what };
                found.push((folded.original(&span), kind));
            }
        }
    }
    place::findings(text, merge(found))
}

/// Makes one of what overlaps and is of one kind.
fn merge(mut found: Vec<(Range<usize>, Kind)>) -> Vec<(Range<usize>, Kind)> {
    found.sort_by(|(a, left), (b, right)| left.cmp(right).then(a.start.cmp(&b.start)));
    let mut merged: Vec<(Range<usize>, Kind)> = Vec::new();
    for (span, kind) in found {
        match merged.last_mut() {
            Some((last, same)) if *same == kind && span.start < last.end => {
                last.end = last.end.max(span.end);
            }
            _ => merged.push((span, kind)),
        }
    }
    merged
}

/// Whether the sentence denies the order, or quotes it to speak of it.
fn is_excused(text: &[u8], span: &Range<usize>, pattern: &Pattern) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    let lead = before.iter().rev().take(LEAD_BYTES).take_while(|byte| **byte != b'\n').count();
    let lead = text.get(span.start - lead..span.start).unwrap_or_default();
    let is_denied = pattern.can_be_denied() && LEXICON.ends_with_negation(lead);
    let is_quoted =
        lead.trim_ascii_end().ends_with(b"\"") || lead.ends_with(b"`") || lead.ends_with(b"'");
    is_denied || (is_quoted && LEXICON.speaks_of_attacks(lead))
}

#[cfg(test)]
mod tests;
