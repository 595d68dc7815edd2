//! The words of all classes, looked for at once.

use super::lexicon::Span;

/// A word of some classes at its place.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub(super) span: Span,
    pub(super) class: usize,
}

/// The words of all classes.
#[derive(Debug)]
pub(super) struct Phrases {
    /// Those that begin with a whole word of Latin letters, by that.
    closed: Vec<Phrase>,
    /// The others, by their first bytes.
    open: Vec<Phrase>,
    /// Where those with a first byte begin in `open`.
    starts: Vec<usize>,
    /// The class of mail addresses, which no list can hold.
    address: Option<usize>,
}

/// A word, or several with `_` between them.
#[derive(Debug)]
struct Phrase {
    text: &'static str,
    /// Any more letters may follow.
    is_open: bool,
    class: usize,
}

/// Most bytes between two words of a phrase: quotes and a blank.
const MAX_BETWEEN: usize = 4;

impl Phrases {
    pub(super) fn new(entries: Vec<(&'static str, usize)>, address: Option<usize>) -> Self {
        let phrases = entries.into_iter().map(|(word, class)| {
            let text = word.strip_suffix('*').unwrap_or(word);
            Phrase { text, is_open: text.len() < word.len(), class }
        });
        let (mut closed, mut open): (Vec<_>, Vec<_>) = phrases.partition(|phrase| {
            let first = phrase.first_word().len();
            first > 0 && (first < phrase.text.len() || !phrase.is_open)
        });
        closed.sort_unstable_by_key(Phrase::first_word);
        open.sort_unstable_by_key(|phrase| phrase.text);
        let first = |phrase: &Phrase| phrase.text.bytes().next().unwrap_or(0);
        let starts = (0..=u8::MAX).map(|byte| open.partition_point(|phrase| first(phrase) < byte));
        let starts = starts.chain([open.len()]).collect();
        Self { closed, open, starts, address }
    }

    /// Every word of a class in a sentence, in order of where it begins.
    pub(super) fn hits(&self, sentence: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut before = b' ';
        for (at, byte) in sentence.iter().copied().enumerate() {
            // A word of Latin letters is not looked for within another.
            if !(byte.is_ascii_alphanumeric() && before.is_ascii_alphanumeric()) {
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
        self.closed.iter().chain(&self.open).any(|phrase| phrase.class == class)
    }

    fn at(&self, sentence: &[u8], at: usize, hits: &mut Vec<Hit>) {
        let rest = sentence.get(at..).unwrap_or_default();
        let [first, more @ ..] = rest else { return };
        let word = first_word(rest);
        if !word.is_empty() {
            let from = self.closed.partition_point(|phrase| phrase.first_word() < word);
            let same = self.closed.iter().skip(from);
            let same = same.take_while(|phrase| phrase.first_word() == word);
            hits.extend(same.filter_map(|phrase| phrase.hit(rest, at)));
        }
        let range =
            self.starts.get(usize::from(*first)).zip(self.starts.get(usize::from(*first) + 1));
        let same_first = range.and_then(|(start, end)| self.open.get(*start..*end));
        let same_first = same_first.unwrap_or_default();
        let second = |phrase: &Phrase| phrase.text.as_bytes().get(1).copied();
        let wanted = more.first().copied();
        let from = same_first.partition_point(|phrase| second(phrase) < wanted);
        let same = same_first.iter().skip(from).take_while(|phrase| second(phrase) == wanted);
        hits.extend(same.filter_map(|phrase| phrase.hit(rest, at)));
    }
}

/// The letters and digits of ASCII that a text begins with.
fn first_word(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    text.get(..len).unwrap_or_default()
}

impl Phrase {
    fn first_word(&self) -> &'static [u8] {
        first_word(self.text.as_bytes())
    }

    fn hit(&self, text: &[u8], at: usize) -> Option<Hit> {
        let len = self.len_at(text)?;
        Some(Hit { span: at..at + len, class: self.class })
    }

    /// How many bytes of `text` the phrase takes if that begins with it.
    fn len_at(&self, text: &[u8]) -> Option<usize> {
        let mut len = 0;
        for byte in self.text.bytes() {
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
