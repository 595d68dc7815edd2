//! The words of all classes, looked for at once.

use super::lexicon::Span;
use crate::buckets::Buckets;

/// A word of some classes at its place.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub(super) span: Span,
    pub(super) class: usize,
}

/// The words of all classes.
#[derive(Debug)]
pub(super) struct Phrases {
    all: Vec<Phrase>,
    /// By what they begin with.
    by_lead: Buckets,
    /// The class of mail addresses, which no list can hold.
    address: Option<usize>,
}

/// A word, or several with `_` between them.
#[derive(Debug)]
struct Phrase {
    text: &'static str,
    /// The first bytes, which are sure to be at its place: a whole word of letters of ASCII, or three bytes, or two.
    lead: &'static [u8],
    /// Any more letters may follow.
    is_open: bool,
    class: usize,
}

/// Most bytes between two words of a phrase: quotes and a blank.
const MAX_BETWEEN: usize = 4;

impl Phrases {
    pub(super) fn new(entries: &[(&'static str, usize)], address: Option<usize>) -> Self {
        let phrases = entries.iter().map(|(word, class)| {
            let text = word.strip_suffix('*').unwrap_or(word);
            let is_open = text.len() < word.len();
            Phrase { text, lead: lead(text.as_bytes(), is_open), is_open, class: *class }
        });
        let all: Vec<_> = phrases.collect();
        let by_lead = Buckets::new(all.iter().map(|phrase| phrase.lead));
        Self { all, by_lead, address }
    }

    /// Every word of a class in a sentence, in order of where it begins.
    pub(super) fn hits(&self, sentence: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut before = b' ';
        for (at, byte) in sentence.iter().copied().enumerate() {
            // A word of Latin letters is not looked for within another, and nothing in the middle of a character.
            let is_within = byte.is_ascii_alphanumeric() && before.is_ascii_alphanumeric();
            if !is_within && byte != b' ' && !matches!(byte, 0x80..=0xBF) {
                self.at(sentence, at, &mut hits);
            }
            let rest = sentence.get(at + 1..).unwrap_or_default();
            let is_address = byte == b'@'
                && before.is_ascii_alphanumeric()
                && rest.first().is_some_and(u8::is_ascii_alphanumeric);
            if let Some(class) = self.address.filter(|_| is_address) {
                hits.push(Hit { span: at..at + 1 + word_len(rest), class });
            }
            before = byte;
        }
        hits
    }

    #[cfg(test)]
    pub(super) fn has(&self, class: usize) -> bool {
        self.all.iter().any(|phrase| phrase.class == class)
    }

    fn at(&self, sentence: &[u8], at: usize, hits: &mut Vec<Hit>) {
        let rest = sentence.get(at..).unwrap_or_default();
        let word = first_word(rest);
        // Of two bytes only letters of other scripts are looked for, which make no word here.
        let lengths = if word.is_empty() { [2, 3] } else { [word.len(), 3] };
        for lead in lengths.map(|len| rest.get(..len)) {
            let same = self.by_lead.of(lead.unwrap_or_default());
            let phrases = same.filter_map(|number| self.all.get(number));
            let phrases = phrases.filter(|phrase| Some(phrase.lead) == lead);
            hits.extend(phrases.filter_map(|phrase| phrase.hit(rest, at)));
            if word.len() == 3 {
                break;
            }
        }
    }
}

fn lead(text: &[u8], is_open: bool) -> &[u8] {
    let word = first_word(text);
    let is_whole = !word.is_empty() && (word.len() < text.len() || !is_open);
    if is_whole { word } else { text.get(..3).unwrap_or(text) }
}

/// The letters and digits of ASCII that a text begins with.
fn first_word(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    text.get(..len).unwrap_or_default()
}

impl Phrase {
    fn hit(&self, text: &[u8], at: usize) -> Option<Hit> {
        let len = self.len_at(text)?;
        Some(Hit { span: at..at + len, class: self.class })
    }

    /// How many bytes of `text` the phrase takes if that, which begins with its lead, begins with it.
    fn len_at(&self, text: &[u8]) -> Option<usize> {
        // The lead was compared.
        let mut len = self.lead.len();
        for byte in self.text.bytes().skip(len) {
            let rest = text.get(len..)?;
            if byte == b'_' {
                let between = rest.iter().take_while(|byte| !is_word(**byte)).count();
                if !(1..=MAX_BETWEEN).contains(&between) {
                    return None;
                }
                len += between;
            } else if rest.first() == Some(&byte) {
                len += 1;
            } else {
                return None;
            }
        }
        let rest = text.get(len..)?;
        let last = self.text.bytes().last()?;
        let goes_on =
            last.is_ascii_alphanumeric() && rest.first().is_some_and(u8::is_ascii_alphanumeric);
        match (self.is_open, goes_on) {
            (true, _) => Some(len + word_len(rest)),
            (false, true) => None,
            (false, false) => Some(len),
        }
    }
}

/// How many bytes go on to the next blank.
fn word_len(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte != b' ').count()
}

/// Letters and digits, and all of other scripts.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}
