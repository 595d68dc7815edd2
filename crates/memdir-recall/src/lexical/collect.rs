//! What a set of documents has of the words of a question, however it was found.

use super::{
    language::{Tongue, tongue},
    near::Near,
};
use crate::{Document, Field, Taken};

/// How often a word stands in each field, in the order of [`Field::ALL`].
pub(super) type Counts = [u8; Field::ALL.len()];

/// A document that has a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) document: usize,
    pub(super) counts: Counts,
    /// The word stands for itself at least once, not only as a part of identifiers.
    pub(super) is_whole: bool,
}

/// Where one word stands.
#[derive(Debug, Default)]
pub(super) struct Hits {
    /// Documents in ascending order.
    pub(super) list: Vec<Place>,
    pub(super) near: Option<Near>,
    pub(super) taken: Option<Taken>,
}

impl Hits {
    pub(super) fn at(&self, document: usize) -> Option<&Place> {
        let at = self.list.binary_search_by_key(&document, |place| place.document).ok()?;
        self.list.get(at)
    }
}

/// Where one word stands, and what comes near it, while that is being collected.
#[derive(Debug, Default)]
pub(super) struct Collected {
    same: Vec<Place>,
    slips: Vec<Place>,
    begins: Vec<Place>,
    words: Vec<(Near, String)>,
}

impl Collected {
    /// Notes occurrences; in any order of documents.
    pub(super) fn add(&mut self, near: Near, place: Place) {
        let list = match near {
            Near::Same => &mut self.same,
            Near::Slip => &mut self.slips,
            Near::Begins => &mut self.begins,
        };
        match list.last_mut() {
            Some(known) if known.document == place.document => known.add(place),
            _ => list.push(place),
        }
    }

    /// Notes a word that comes near.
    pub(super) fn add_word(&mut self, near: Near, word: &str) {
        if near != Near::Same {
            self.words.push((near, word.to_owned()));
        }
    }

    /// Decides for the word itself if some document has it, else for the slips, else for the beginnings.
    pub(super) fn into_hits(self) -> Hits {
        let choice =
            [(Near::Same, self.same), (Near::Slip, self.slips), (Near::Begins, self.begins)];
        let Some((near, mut list)) = choice.into_iter().find(|(_, list)| !list.is_empty()) else {
            return Hits::default();
        };
        list.sort_unstable_by_key(|place| place.document);
        list.dedup_by(|next, place| {
            let is_same = next.document == place.document;
            if is_same {
                place.add(*next);
            }
            is_same
        });
        let words = self.words.into_iter().filter(|(of, _)| *of == near).map(|(_, word)| word);
        let word = words.min_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let taken = word.and_then(|word| match near {
            Near::Same => None,
            Near::Slip => Some(Taken::Slip(word)),
            Near::Begins => Some(Taken::Begins(word)),
        });
        Hits { list, near: Some(near), taken }
    }
}

impl Place {
    fn add(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
        self.is_whole |= other.is_whole;
    }
}

/// How many words the fields have.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    /// For each document.
    pub(super) list: Vec<[u16; Field::ALL.len()]>,
    pub(super) mean: [f32; Field::ALL.len()],
}

impl Lengths {
    pub(super) fn new(list: Vec<[u16; Field::ALL.len()]>) -> Self {
        let mut sums = [0_u32; Field::ALL.len()];
        for lengths in &list {
            for (sum, length) in sums.iter_mut().zip(lengths) {
                *sum += u32::from(*length);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean need not be exact")]
        let mean = sums.map(|sum| sum as f32 / list.len().max(1) as f32);
        Self { list, mean }
    }
}

/// The text of each field, in the order of [`Field::ALL`], in two pieces: a topic is a second name.
pub(super) fn texts<'a>(document: &Document<'a>) -> [[&'a str; 2]; Field::ALL.len()] {
    let path = document.path.as_str();
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    [
        [document.name.unwrap_or_default(), document.topic().unwrap_or_default()],
        [document.description.unwrap_or_default(), ""],
        [document.body, ""],
        [path, ""],
        [document.kind.map_or("", memdir_core::MemoryType::as_str), ""],
    ]
}

/// The language of a document: that of its description and body.
pub(super) fn tongue_of(texts: &[[&str; 2]; Field::ALL.len()]) -> Tongue {
    let [_, [description, _], [body, _], ..] = *texts;
    tongue([description, body])
}
