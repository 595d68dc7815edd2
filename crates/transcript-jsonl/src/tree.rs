//! The entries of a session as the tree that they are.

mod branch;
mod mend;
mod record;

use std::io::{self, Read};

pub use branch::{Reach, Standing, Step};

use crate::envelope::Envelope;
use crate::id::Id;
use crate::kind::Kind;
use crate::line::Place;
use crate::note::{Notes, Reason};
use crate::reader::{Counts, Reader};
use record::{Bits, Ghost, NONE, Record, Records, Table, Target};

/// An entry of a [`Tree`]: a message, a remark, an attachment, whatever has a uuid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

/// A parent that could not be followed, and what stands in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bridge {
    /// The entry that names the parent.
    pub entry: Node,
    /// The nearest earlier entry of the main conversation, `None` where there is none and for entries of subagents.
    pub to: Option<Node>,
    /// Why the parent could not be followed.
    pub why: Gap,
}

/// Why a parent could not be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Gap {
    /// The file does not hold it.
    Missing,
    /// The entry names itself.
    Itself,
    /// The entry is an ancestor of its parent.
    Cycle,
}

/// The tree of a session: who follows whom, and where each entry is in the file.
///
/// It holds no text: at most 48 bytes a line, and up to 90 more where the parent is named before it comes or never comes.
/// Entries are read again when they are wanted.
/// Each uuid stands for one entry; of several the last one counts.
/// A parent that is missing, or that would close a cycle, is bridged: see [`Tree::bridges`].
#[derive(Debug, Clone, Default)]
pub struct Tree {
    records: Records,
    table: Table,
    ghosts: Vec<Ghost>,
    /// Lines with backups of files, which have no uuid.
    snapshots: Vec<Place>,
    /// Where the conversation was before each boundary.
    logical: Vec<(u32, Id)>,
    orphans: Vec<(u32, Gap)>,
    bridges: Vec<Bridge>,
    replaced: u32,
    /// Whether some entry stands before its parent.
    disordered: bool,
    notes: Notes,
    counts: Counts,
}

impl Tree {
    /// Reads a whole session.
    ///
    /// # Errors
    ///
    /// Those of the source; nothing that a file can hold is an error.
    pub fn read<R: Read>(source: R) -> io::Result<Self> {
        let mut tree = Self::default();
        let mut reader = Reader::new(source);
        while let Some(line) = reader.next_line()? {
            tree.add(line.place, &Brief::of(&line.envelope));
        }
        tree.counts = reader.counts();
        tree.notes.merge(reader.take_notes());
        tree.mend();
        Ok(tree)
    }

    /// Makes the tree of lines that are in the order of their file, with what was odd on the way to them.
    pub(crate) fn of(lines: impl Iterator<Item = (Place, Brief)>, notes: Notes) -> Self {
        let mut tree = Self::default();
        for (place, brief) in lines {
            tree.add(place, &brief);
        }
        tree.notes.merge(notes);
        tree.mend();
        tree
    }

    #[inline]
    pub(crate) fn add(&mut self, place: Place, brief: &Brief) {
        let Some(id) = brief.id else {
            if brief.bits.kind() == Kind::FileHistorySnapshot {
                self.snapshots.push(place);
            }
            return;
        };
        let at = self.records.len();
        let parent = match brief.parent {
            None => NONE,
            Some(parent) if parent == id => {
                self.orphans.push((at, Gap::Itself));
                NONE
            }
            Some(parent) => self.point_to(parent),
        };
        self.records.push(Record::new(id, place, parent, brief.group, brief.bits));
        if let Some(logical) = brief.logical {
            self.logical.push((at, logical));
        }
        self.enter(id, at, place);
    }

    /// What an id points to; a ghost where no entry has it yet.
    #[inline]
    fn point_to(&mut self, id: Id) -> u32 {
        // Most entries follow the one before them.
        if let Some(last) = self.records.len().checked_sub(1)
            && self.records.get(last).is_some_and(|record| record.id() == id)
        {
            return last;
        }
        let slot = self.find(id);
        if let Some(target) = slot.target {
            return target.word();
        }
        let ghost = Target::Ghost(u32::try_from(self.ghosts.len()).unwrap_or(NONE));
        self.ghosts.push(Ghost { id, target: NONE });
        self.table.put(slot, ghost);
        ghost.word()
    }

    /// Makes the id point to the entry at `at`.
    #[inline]
    fn enter(&mut self, id: Id, at: u32, place: Place) {
        let slot = self.find(id);
        match slot.target {
            None => {}
            Some(Target::Ghost(ghost)) => {
                if let Some(ghost) = self.ghosts.get_mut(ghost as usize) {
                    ghost.target = at;
                }
            }
            Some(Target::Record(earlier)) => {
                if let Some(record) = self.records.get_mut(earlier) {
                    record.bits.set(Bits::REPLACED);
                    record.group = at;
                }
                self.replaced += 1;
                self.notes.add(place.offset, Reason::Duplicate);
            }
        }
        self.table.put(slot, Target::Record(at));
    }

    #[inline]
    fn find(&mut self, id: Id) -> record::Slot {
        if self.table.is_full() {
            let known = self
                .records
                .iter()
                .filter(|(at, record)| {
                    // The newest record may not have been entered yet.
                    !record.bits.has(Bits::REPLACED)
                        && (*at + 1 < self.records.len() || record.id() != id)
                })
                .map(|(at, record)| (record.id(), Target::Record(at)));
            let ghosts = (0_u32..)
                .zip(&self.ghosts)
                .filter(|(_, ghost)| ghost.target == NONE)
                .map(|(at, ghost)| (ghost.id, Target::Ghost(at)));
            self.table.rebuild(known.chain(ghosts));
        }
        self.lookup(id)
    }

    #[inline]
    fn lookup(&self, id: Id) -> record::Slot {
        self.table.find(id, |target| match target {
            Target::Record(at) => self.records.get(at).is_some_and(|record| record.id() == id),
            Target::Ghost(at) => self.ghosts.get(at as usize).is_some_and(|ghost| ghost.id == id),
        })
    }

    /// Returns the entry with a uuid.
    pub fn node(&self, uuid: &str) -> Option<Node> {
        self.node_of(Id::of(uuid))
    }

    /// Returns the entry with an id.
    pub fn node_of(&self, id: Id) -> Option<Node> {
        match self.lookup(id).target {
            Some(Target::Record(at)) => Some(Node(at)),
            Some(Target::Ghost(_)) | None => None,
        }
    }

    /// Returns the entries in the order of the file, each uuid once.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> {
        self.records
            .iter()
            .filter(|(_, record)| !record.bits.has(Bits::REPLACED))
            .map(|(at, _)| Node(at))
    }

    /// Returns where an entry is in the file; `None` for a node of another tree.
    pub fn place(&self, node: Node) -> Option<Place> {
        self.records.get(node.0).map(Record::place)
    }

    /// Returns the id of an entry.
    pub fn id(&self, node: Node) -> Option<Id> {
        self.records.get(node.0).map(Record::id)
    }

    /// Returns the kind of an entry.
    pub fn kind(&self, node: Node) -> Kind {
        self.records.get(node.0).map_or(Kind::Other, |record| record.bits.kind())
    }

    /// Returns the parent of an entry, bridged where it had to be; `None` for a root.
    pub fn parent(&self, node: Node) -> Option<Node> {
        let parent = self.records.get(node.0)?.parent;
        (parent != NONE).then_some(Node(parent))
    }

    /// Returns whether an entry belongs to a subagent.
    pub fn is_sidechain(&self, node: Node) -> bool {
        self.has(node, Bits::SIDECHAIN)
    }

    /// Returns whether an entry is the boundary of a compaction.
    pub fn is_boundary(&self, node: Node) -> bool {
        self.has(node, Bits::BOUNDARY)
    }

    /// Returns whether an entry is the summary of a compaction.
    pub fn is_compact_summary(&self, node: Node) -> bool {
        self.has(node, Bits::SUMMARY)
    }

    /// Returns whether an entry is the result of a tool.
    pub fn is_tool_result(&self, node: Node) -> bool {
        self.has(node, Bits::TOOL_RESULT)
    }

    fn has(&self, node: Node, bit: Bits) -> bool {
        self.records.get(node.0).is_some_and(|record| record.bits.has(bit))
    }

    /// Returns the parents that could not be followed, in the order of the file.
    pub fn bridges(&self) -> &[Bridge] {
        &self.bridges
    }

    /// Returns what was odd about the file.
    pub const fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Returns what was met in the file.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the bytes of memory that the tree holds.
    pub fn bytes(&self) -> usize {
        self.records.bytes()
            + self.table.bytes()
            + self.ghosts.capacity() * size_of::<Ghost>()
            + self.snapshots.capacity() * size_of::<Place>()
            + self.logical.capacity() * size_of::<(u32, Id)>()
            + self.bridges.capacity() * size_of::<Bridge>()
    }

    /// Where the entry is that begins at an offset.
    pub(crate) fn place_at(&self, offset: u64) -> Option<Place> {
        // Entries are in the order of the file.
        let all = 0..self.records.len();
        let place = |at: u32| self.records.get(at).map(Record::place);
        let (mut low, mut high) = (all.start, all.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if place(middle).is_some_and(|place| place.offset < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        place(low).filter(|place| place.offset == offset)
    }

    pub(crate) fn snapshots(&self) -> &[Place] {
        &self.snapshots
    }

    pub(crate) fn logical_parent(&self, node: Node) -> Option<Node> {
        let at = self.logical.binary_search_by_key(&node.0, |(at, _)| *at).ok()?;
        self.logical.get(at).and_then(|(_, id)| self.node_of(*id)).filter(|to| *to < node)
    }
}

/// What a tree takes from one line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Brief {
    pub(crate) id: Option<Id>,
    pub(crate) parent: Option<Id>,
    logical: Option<Id>,
    group: u32,
    bits: Bits,
}

impl Brief {
    #[inline]
    pub(crate) fn of(envelope: &Envelope<'_>) -> Self {
        Self {
            id: envelope.id(),
            parent: envelope.parent_id(),
            logical: envelope.logical_parent_id(),
            group: envelope.group(),
            bits: Bits::of(envelope),
        }
    }

    pub(crate) fn is_main_message(&self) -> bool {
        self.bits.is_main() && self.bits.kind().is_message()
    }

    pub(crate) const fn is_boundary(&self) -> bool {
        self.bits.has(Bits::BOUNDARY)
    }

    pub(crate) const fn is_compact_summary(&self) -> bool {
        self.bits.has(Bits::SUMMARY)
    }
}
