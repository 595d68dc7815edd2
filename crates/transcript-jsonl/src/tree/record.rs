//! What is kept of each entry, and the table that finds it: at most 48 bytes a line.

use crate::envelope::Envelope;
use crate::id::Id;
use crate::kind::Kind;
use crate::line::Place;

/// What a record says besides its place in the tree; one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bits(u16);

impl Bits {
    pub(crate) const SIDECHAIN: Self = Self(1 << 4);
    pub(crate) const BOUNDARY: Self = Self(1 << 5);
    pub(crate) const SUMMARY: Self = Self(1 << 6);
    pub(crate) const TOOL_RESULT: Self = Self(1 << 7);
    /// A later entry with the same uuid stands in its place; `group` says which.
    pub(crate) const REPLACED: Self = Self(1 << 8);
    /// The parent that is kept is not the one that is named.
    pub(crate) const BRIDGED: Self = Self(1 << 9);
    /// A walk towards the root has been here.
    pub(crate) const WALKED: Self = Self(1 << 10);
    /// The walk of the moment has been here.
    pub(crate) const WALKING: Self = Self(1 << 11);
    const KIND: u16 = 0x0f;

    pub(crate) fn of(envelope: &Envelope<'_>) -> Self {
        let kind = KINDS.iter().position(|kind| *kind == envelope.kind()).unwrap_or(0);
        let mut bits = Self(u16::try_from(kind).unwrap_or(0));
        for (holds, bit) in [
            (envelope.is_sidechain(), Self::SIDECHAIN),
            (envelope.is_boundary(), Self::BOUNDARY),
            (envelope.is_compact_summary() && envelope.kind() == Kind::User, Self::SUMMARY),
            (envelope.is_tool_result(), Self::TOOL_RESULT),
        ] {
            if holds {
                bits.set(bit);
            }
        }
        bits
    }

    pub(crate) const fn has(self, bit: Self) -> bool {
        self.0 & bit.0 != 0
    }

    pub(crate) const fn set(&mut self, bit: Self) {
        self.0 |= bit.0;
    }

    pub(crate) const fn clear(&mut self, bit: Self) {
        self.0 &= !bit.0;
    }

    pub(crate) fn kind(self) -> Kind {
        KINDS.get(usize::from(self.0 & Self::KIND)).copied().unwrap_or_default()
    }

    /// Whether the entry is a link of the main conversation.
    pub(crate) fn is_main(self) -> bool {
        !self.has(Self::SIDECHAIN) && !self.has(Self::REPLACED) && self.kind().is_link()
    }
}

/// The kinds by their number in [`Bits`].
const KINDS: [Kind; 12] = [
    Kind::Other,
    Kind::User,
    Kind::Assistant,
    Kind::System,
    Kind::Attachment,
    Kind::Progress,
    Kind::Summary,
    Kind::CustomTitle,
    Kind::AiTitle,
    Kind::LastPrompt,
    Kind::FileHistorySnapshot,
    Kind::State,
];

/// No record.
pub(crate) const NONE: u32 = u32::MAX;

/// One entry in 36 bytes: whole words only, so that nothing is lost to alignment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    id: [u32; 4],
    offset: u32,
    len: u32,
    pub(crate) parent: u32,
    /// A number for the reply, or for the tool call that is answered; of a replaced entry, the later one.
    pub(crate) group: u32,
    offset_high: u16,
    pub(crate) bits: Bits,
}

impl Record {
    #[expect(clippy::cast_possible_truncation, reason = "numbers are taken apart into words")]
    pub(crate) fn new(id: Id, place: Place, parent: u32, group: u32, bits: Bits) -> Self {
        let [high, low] = id.words();
        Self {
            id: [(high >> 32) as u32, high as u32, (low >> 32) as u32, low as u32],
            offset: place.offset as u32,
            offset_high: (place.offset >> 32) as u16,
            len: place.len,
            parent,
            group,
            bits,
        }
    }

    pub(crate) fn id(&self) -> Id {
        let [a, b, c, d] = self.id.map(u64::from);
        Id::from_words([a << 32 | b, c << 32 | d])
    }

    pub(crate) fn place(&self) -> Place {
        Place::new(u64::from(self.offset_high) << 32 | u64::from(self.offset), self.len)
    }
}

/// Records in blocks, so that growing copies nothing and needs no room twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    blocks: Vec<Vec<Record>>,
    len: u32,
}

const BLOCK: usize = 1 << 12;

impl Records {
    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub(crate) fn get(&self, at: u32) -> Option<&Record> {
        self.blocks.get(at as usize / BLOCK)?.get(at as usize % BLOCK)
    }

    pub(crate) fn get_mut(&mut self, at: u32) -> Option<&mut Record> {
        self.blocks.get_mut(at as usize / BLOCK)?.get_mut(at as usize % BLOCK)
    }

    pub(crate) fn push(&mut self, record: Record) {
        if (self.len as usize).is_multiple_of(BLOCK) {
            let first = self.blocks.is_empty();
            self.blocks.push(Vec::with_capacity(if first { 0 } else { BLOCK }));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(record);
            self.len += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &Record)> {
        self.from(0)
    }

    /// The records from `first` on.
    pub(crate) fn from(&self, first: u32) -> impl DoubleEndedIterator<Item = (u32, &Record)> {
        (first..self.len).filter_map(|at| Some((at, self.get(at)?)))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.capacity() * size_of::<Record>()).sum()
    }
}

/// A parent that was named before or without its entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ghost {
    pub(crate) id: Id,
    /// The entry, once it has come.
    pub(crate) target: u32,
}

/// What a slot of the table or a parent points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Record(u32),
    Ghost(u32),
}

const GHOST: u32 = 1 << 31;

impl Target {
    pub(crate) const fn word(self) -> u32 {
        match self {
            Self::Record(at) => at,
            Self::Ghost(at) => at | GHOST,
        }
    }

    pub(crate) const fn of(word: u32) -> Option<Self> {
        match word {
            NONE => None,
            word if word & GHOST != 0 => Some(Self::Ghost(word & !GHOST)),
            word => Some(Self::Record(word)),
        }
    }
}

/// Open addressing, filled to between a half and three quarters.
///
/// A slot is a word that points to a record or ghost, and a byte of its id's hash: what is not looked for is told by
/// that byte, without a look at the records, which are all over memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    slots: Vec<u32>,
    tags: Vec<u8>,
    used: usize,
}

impl Table {
    /// Whether one more needs a larger table first; see [`Table::rebuild`].
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used >= self.slots.len() / 4 * 3
    }

    /// Makes room for half as many again; the old table is given back first.
    pub(crate) fn rebuild(&mut self, all: impl Iterator<Item = (Id, Target)>) {
        let size = (self.slots.len() / 2 * 3).max(1 << 6);
        *self = Self::default();
        self.slots = vec![NONE; size];
        self.tags = vec![0; size];
        for (id, target) in all {
            let slot = self.find(id, |_| false);
            self.put(slot, target);
        }
    }

    /// The slot of an id, or the free one where it belongs.
    #[inline]
    pub(crate) fn find(&self, id: Id, same: impl Fn(Target) -> bool) -> Slot {
        let hash = id.spread();
        let [tag, ..] = hash.to_le_bytes();
        let size = u32::try_from(self.slots.len()).unwrap_or(NONE);
        let home = (u64::from(hash) * u64::from(size)) >> 32;
        let mut at = usize::try_from(home).unwrap_or(0);
        loop {
            let Some(word) = self.slots.get(at) else {
                if self.slots.is_empty() {
                    return Slot { at, tag, target: None };
                }
                at = 0;
                continue;
            };
            let Some(target) = Target::of(*word) else { return Slot { at, tag, target: None } };
            if self.tags.get(at) == Some(&tag) && same(target) {
                return Slot { at, tag, target: Some(target) };
            }
            at += 1;
        }
    }

    /// Fills a slot that [`Table::find`] returned.
    #[inline]
    pub(crate) fn put(&mut self, slot: Slot, target: Target) {
        if let (Some(word), Some(tag)) = (self.slots.get_mut(slot.at), self.tags.get_mut(slot.at)) {
            self.used += usize::from(*word == NONE);
            *word = target.word();
            *tag = slot.tag;
        }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>() + self.tags.capacity()
    }
}

/// Where an id is or belongs in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    at: usize,
    tag: u8,
    pub(crate) target: Option<Target>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_36_bytes_and_gives_back_what_it_was_made_of() {
        assert_eq!(size_of::<Record>(), 36);
        let (id, place) = (Id::of("m1"), Place::new(0x1234_5678_9abc, 17));
        let record = Record::new(id, place, 3, 4, Bits::SUMMARY);
        assert_eq!((record.id(), record.place()), (id, place));
    }

    #[test]
    fn a_table_finds_what_was_put_in_however_full_it_is() {
        let ids: Vec<_> = (0..1000_u32).map(|at| Id::of(&format!("m{at}"))).collect();
        let mut table = Table::default();
        for (at, id) in (0_u32..).zip(&ids) {
            if table.is_full() {
                let known = (0_u32..at).map(|at| (ids[at as usize], Target::Record(at)));
                table.rebuild(known);
            }
            let slot = table.find(*id, |target| ids[target.word() as usize] == *id);
            assert_eq!(slot.target, None);
            table.put(slot, Target::Record(at));
        }
        for (at, id) in (0_u32..).zip(&ids) {
            let slot = table.find(*id, |target| ids[target.word() as usize] == *id);
            assert_eq!(slot.target, Some(Target::Record(at)));
        }
        assert!(table.bytes() <= 1000 * 10, "{} bytes", table.bytes());
    }
}
