//! Names of entries, small enough to keep one for every line.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::text;

/// The uuid of an entry, or any other text that stands in its place, in 16 bytes.
///
/// A uuid in its usual form keeps its value; of any other text this is a hash.
/// Equal texts have equal ids, also across files: a set of them counts each message of copied sessions once.
/// Texts that are no uuids can be made to have equal ids by someone who wants that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id([u64; 2]);

impl Hash for Id {
    // Word by word: the derived one writes them as bytes.
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in self.0 {
            state.write_u64(word);
        }
    }
}

impl Id {
    /// Returns the id of a text.
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The id of a raw JSON string, without its quotes.
    pub(crate) fn of_raw(raw: &[u8]) -> Self {
        if raw.len() != UUID_BYTES && memchr::memchr(b'\\', raw).is_some() {
            return Self::of(&text::decode(raw));
        }
        Self::of_bytes(raw)
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        uuid(bytes).unwrap_or_else(|| Self(hash(bytes)))
    }

    pub(crate) const fn from_words(words: [u64; 2]) -> Self {
        Self(words)
    }

    pub(crate) const fn words(self) -> [u64; 2] {
        self.0
    }

    /// A number that spreads over 32 bits, for tables.
    #[expect(clippy::cast_possible_truncation, reason = "the upper bits are mixed into it")]
    pub(crate) const fn spread(self) -> u32 {
        let [high, low] = self.words();
        (folded(high ^ SEEDS[2], low ^ SEEDS[3]) >> 16) as u32
    }
}

/// A hash for maps by [`Id`], which are numbers without a pattern already.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = folded(self.0 ^ word ^ SEEDS[2], SEEDS[3]);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map by [`Id`].
pub(crate) type IdMap<T> = HashMap<Id, T, BuildHasherDefault<IdHasher>>;
/// A set of [`Id`]s.
pub(crate) type IdSet = HashSet<Id, BuildHasherDefault<IdHasher>>;

const UUID_BYTES: usize = 36;

/// Reads `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in lower case.
#[inline]
fn uuid(bytes: &[u8]) -> Option<Id> {
    let bytes: &[u8; UUID_BYTES] = bytes.try_into().ok()?;
    let [
        a0,
        a1,
        a2,
        a3,
        a4,
        a5,
        a6,
        a7,
        b'-',
        b0,
        b1,
        b2,
        b3,
        b'-',
        c0,
        c1,
        c2,
        c3,
        b'-',
        d0,
        d1,
        d2,
        d3,
        b'-',
        rest @ ..,
    ] = bytes
    else {
        return None;
    };
    let [e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, ea, eb] = rest;
    let high = digits([*a0, *a1, *a2, *a3, *a4, *a5, *a6, *a7])? << 32
        | digits([*b0, *b1, *b2, *b3, *c0, *c1, *c2, *c3])?;
    let low = digits([*d0, *d1, *d2, *d3, *e0, *e1, *e2, *e3])? << 32
        | digits([*e4, *e5, *e6, *e7, *e8, *e9, *ea, *eb])?;
    Some(Id::from_words([high, low]))
}

/// Eight hexadecimal digits in lower case, all at once: each byte of a word holds one.
#[inline]
const fn digits(bytes: [u8; 8]) -> Option<u64> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * ONES;
    let word = u64::from_be_bytes(bytes);
    // Bytes over 0x7f would spill over.
    if word & TOP != 0 {
        return None;
    }
    // The top bit of a byte says whether it is at least the lower and over the upper end of a range.
    let decimal = (word + (0x80 - 0x30) * ONES) & !(word + (0x80 - 0x3a) * ONES) & TOP;
    let letter = (word + (0x80 - 0x61) * ONES) & !(word + (0x80 - 0x67) * ONES) & TOP;
    if decimal | letter != TOP {
        return None;
    }
    let nibbles = (word & (0x0f * ONES)) + (letter >> 7) * 9;
    let pairs = (nibbles | nibbles >> 4) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    Some((fours | fours >> 16) & 0xffff_ffff)
}

/// Numbers without a pattern: the first digits of the fraction of pi.
const SEEDS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];

/// Both halves of a product, folded together.
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the product")]
const fn folded(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

fn hash(bytes: &[u8]) -> [u64; 2] {
    let mut lanes = [SEEDS[0] ^ bytes.len() as u64, SEEDS[1]];
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(chunk) {
            *to = *from;
        }
        let word = u64::from_le_bytes(word);
        lanes = [folded(lanes[0] ^ word, SEEDS[2]), folded(lanes[1] ^ word, SEEDS[3]) ^ lanes[0]];
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_keeps_its_value() {
        let id = Id::of("00112233-4455-6677-8899-aabbccddeeff");
        assert_eq!(id, Id([0x0011_2233_4455_6677, 0x8899_aabb_ccdd_eeff]));
        assert_eq!(Id::from_words(id.words()), id);
    }

    #[test]
    fn what_is_nearly_a_uuid_is_another_text() {
        let texts = [
            "00112233-4455-6677-8899-aabbccddeeff",
            "00112233-4455-6677-8899-aabbccddeefF",
            "00112233-4455-6677-8899-aabbccddeefg",
            "00112233-4455-6677-8899-aabbccddee/f",
            "00112233-4455-6677-8899-aabbccddee:f",
            "00112233-4455-6677-8899-aabbccddee`f",
            "00112233445566778899aabbccddeeff",
            "m1",
            "m1\0",
            "",
        ];
        let ids: std::collections::HashSet<_> = texts.iter().map(|text| Id::of(text)).collect();
        assert_eq!(ids.len(), texts.len());
    }

    #[test]
    fn an_escaped_id_is_the_id_of_what_it_says() {
        assert_eq!(Id::of_raw(br"m\u0031"), Id::of("m1"));
    }
}
