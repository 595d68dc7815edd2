//! Classes of words in an order.

use super::lexicon::Span;
use super::phrases::{Hit, is_word};

/// A sequence of classes in one sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct Sequence {
    elements: Vec<(Gap, Vec<usize>)>,
    begins: bool,
    ends: bool,
    not_next: Option<usize>,
}

/// How much may stand before an element: at most so many words, or at most so many bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gap {
    pub(super) words: usize,
    pub(super) bytes: usize,
}

/// Most signs before the first word of a sentence. Ours: marks of lists and quotes.
const LEAD_SIGNS: usize = 8;

/// A sentence and what was found in it.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a [u8],
    hits: Vec<Hit>,
    /// For each hit, how many blanks are before its first and before its last byte.
    blanks: Vec<(usize, usize)>,
    /// A bit for each class that occurs.
    classes: [u64; CLASS_WORDS],
}

/// Words of bits, one bit a class.
const CLASS_WORDS: usize = 5;
/// Most classes; a test holds that they fit.
#[cfg(test)]
pub(super) const MAX_CLASSES: usize = 64 * CLASS_WORDS;

impl<'a> Sentence<'a> {
    pub(super) fn new(text: &'a [u8], hits: Vec<Hit>) -> Self {
        let mut classes = [0; CLASS_WORDS];
        for hit in &hits {
            if let Some(bits) = classes.get_mut(hit.class / 64) {
                *bits |= 1 << (hit.class % 64);
            }
        }
        let (mut count, mut seen) = (0, 0);
        let blanks = hits
            .iter()
            .map(|hit| {
                count += count_blanks(text, seen..hit.span.start);
                seen = hit.span.start;
                (count, count + count_blanks(text, hit.span.clone()))
            })
            .collect();
        Self { text, hits, blanks, classes }
    }

    /// Whether a class has a word among the last few words before a place.
    pub(super) fn has_before(&self, class: usize, at: usize, most_words: usize) -> bool {
        let mut hits = self.hits.iter().filter(|hit| hit.class == class && hit.span.end <= at);
        hits.any(|hit| count_blanks(self.text, hit.span.end..at) <= most_words + 1)
    }

    /// The classes that occur, ascending.
    pub(super) fn classes(&self) -> impl Iterator<Item = usize> {
        let words = self.classes.iter().enumerate();
        words.flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        })
    }

    fn has(&self, class: usize) -> bool {
        self.classes.get(class / 64).is_some_and(|bits| bits >> (class % 64) & 1 == 1)
    }

    /// Whether the end of one hit is within a gap of the start of another.
    fn is_near(&self, (left, right): (usize, usize), gap: Gap) -> bool {
        let places = self.hits.get(left).zip(self.hits.get(right));
        let blanks = self.blanks.get(left).zip(self.blanks.get(right));
        let Some(((a, b), ((_, end), (start, _)))) = places.zip(blanks) else { return false };
        let Some(between) = self.text.get(a.span.end..b.span.start) else { return false };
        let words = start.saturating_sub(*end).saturating_sub(1);
        let is_close = if gap.bytes > 0 { between.len() <= gap.bytes } else { words <= gap.words };
        // Side by side, there is no word between, not even a part of one.
        is_close && (gap.words + gap.bytes > 0 || !between.iter().copied().any(is_word))
    }
}

fn count_blanks(text: &[u8], span: Span) -> usize {
    memchr::memchr_iter(b' ', text.get(span).unwrap_or_default()).count()
}

impl Sequence {
    pub(super) fn then(&self, gap: Gap, classes: Vec<usize>) -> Self {
        let mut longer = self.clone();
        longer.elements.push((gap, classes));
        longer
    }

    /// The classes of which it begins with a word.
    pub(super) fn first(&self) -> &[usize] {
        self.elements.first().map_or(&[], |(_, classes)| classes)
    }

    /// The sentence begins with it.
    pub(super) fn beginning(self) -> Self {
        Self { begins: true, ..self }
    }

    /// The sentence ends with it.
    pub(super) fn ending(self) -> Self {
        Self { ends: true, ..self }
    }

    /// What follows is no word of a class.
    pub(super) fn not_before(self, class: usize) -> Self {
        Self { not_next: Some(class), ..self }
    }

    /// The part of a sentence that first fits.
    pub(super) fn find(&self, sentence: &Sentence<'_>) -> Option<Span> {
        let occurs =
            |(_, classes): &(Gap, Vec<usize>)| classes.iter().any(|class| sentence.has(*class));
        if !self.elements.iter().all(occurs) {
            return None;
        }
        // For each hit that can be the last of what was looked at so far: where that begins.
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for (number, (gap, classes)) in self.elements.iter().enumerate() {
            let hits = sentence.hits.iter().enumerate();
            let next =
                hits.filter(|(_, hit)| classes.contains(&hit.class)).filter_map(|(hit, here)| {
                    if number == 0 {
                        return self.may_begin(sentence, here).then_some((hit, here.span.start));
                    }
                    let near =
                        ends.iter().rev().find(|(end, _)| sentence.is_near((*end, hit), *gap));
                    near.map(|(_, start)| (hit, *start))
                });
            ends = next.collect();
        }
        let mut spans = ends
            .into_iter()
            .filter_map(|(hit, start)| Some(start..sentence.hits.get(hit)?.span.end));
        spans.find(|span| self.may_end(sentence, span.end))
    }

    fn may_begin(&self, sentence: &Sentence<'_>, hit: &Hit) -> bool {
        let before = sentence.text.get(..hit.span.start).unwrap_or_default();
        !self.begins || (before.len() <= LEAD_SIGNS && !before.iter().copied().any(is_word))
    }

    fn may_end(&self, sentence: &Sentence<'_>, end: usize) -> bool {
        let rest = sentence.text.get(end..).unwrap_or_default();
        let next = end + rest.iter().take_while(|byte| !is_word(**byte)).count();
        let is_next = |hit: &Hit| hit.span.start == next && Some(hit.class) == self.not_next;
        let goes_on = next < sentence.text.len();
        let is_bare = !self.ends || !goes_on;
        is_bare && (self.not_next.is_none() || !sentence.hits.iter().any(is_next))
    }
}
