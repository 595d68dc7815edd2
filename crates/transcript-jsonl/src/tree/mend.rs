//! What is done once all lines are known: parents that came late, parents that never came, and cycles.

use super::record::{Bits, NONE, Target};
use super::{Bridge, Gap, Node, Tree};

impl Tree {
    pub(crate) fn mend(&mut self) {
        if self.replaced > 0 {
            self.shorten_replacements();
        }
        if self.replaced > 0 || !self.ghosts.is_empty() {
            self.resolve_parents();
        }
        self.bridge_orphans();
        if self.disordered {
            self.cut_cycles();
        }
        self.bridges.sort_unstable_by_key(|bridge| bridge.entry);
    }

    /// Lets every replaced entry point to the last one of its uuid.
    fn shorten_replacements(&mut self) {
        for at in (0..self.records.len()).rev() {
            let Some(later) = self.replacement(at) else { continue };
            let last = self.replacement(later).unwrap_or(later);
            if let Some(record) = self.records.get_mut(at) {
                record.group = last;
            }
        }
    }

    fn replacement(&self, at: u32) -> Option<u32> {
        self.records.get(at).filter(|record| record.bits.has(Bits::REPLACED)).map(|r| r.group)
    }

    fn resolve_parents(&mut self) {
        for at in 0..self.records.len() {
            let Some(record) = self.records.get(at) else { continue };
            let target = Target::of(record.parent);
            let parent = match target {
                None => continue,
                Some(Target::Record(parent)) => self.replacement(parent).unwrap_or(parent),
                Some(Target::Ghost(ghost)) => {
                    let target = self.ghosts.get(ghost as usize).map_or(NONE, |ghost| ghost.target);
                    if target == NONE {
                        self.orphans.push((at, Gap::Missing));
                    }
                    self.replacement(target).unwrap_or(target)
                }
            };
            self.disordered |= parent != NONE && parent > at;
            if let Some(record) = self.records.get_mut(at) {
                record.parent = parent;
            }
        }
    }

    /// Gives entries whose parent is missing the nearest earlier link of the main conversation.
    fn bridge_orphans(&mut self) {
        let mut orphans = std::mem::take(&mut self.orphans);
        orphans.sort_unstable_by_key(|(at, _)| *at);
        let mut orphans = orphans.into_iter().peekable();
        let mut main = NONE;
        let mut found = Vec::new();
        for (at, record) in self.records.iter() {
            let Some((_, gap)) = orphans.next_if(|(orphan, _)| *orphan == at) else {
                if orphans.peek().is_none() {
                    break;
                }
                if record.bits.is_main() {
                    main = at;
                }
                continue;
            };
            if !record.bits.has(Bits::REPLACED) {
                let to = if record.bits.has(Bits::SIDECHAIN) { NONE } else { main };
                found.push((at, to, gap));
            }
            if record.bits.is_main() {
                main = at;
            }
        }
        for (at, to, gap) in found {
            self.bridge(at, to, gap);
        }
    }

    fn bridge(&mut self, at: u32, to: u32, why: Gap) {
        if let Some(record) = self.records.get_mut(at) {
            record.parent = to;
            record.bits.set(Bits::BRIDGED);
        }
        let to = (to != NONE).then_some(Node(to));
        self.bridges.push(Bridge { entry: Node(at), to, why });
    }

    /// Cuts each cycle above its earliest entry.
    ///
    /// The bridge leads to an entry from which the root was reached before, so that it closes no other cycle.
    fn cut_cycles(&mut self) {
        let mut main = NONE;
        let mut path = Vec::new();
        for start in 0..self.records.len() {
            let mut at = start;
            while let Some(record) = self.records.get_mut(at) {
                if record.bits.has(Bits::WALKED) {
                    break;
                }
                if record.bits.has(Bits::WALKING) {
                    let first = self.earliest_of_cycle(at);
                    let side = self.has(Node(first), Bits::SIDECHAIN);
                    self.bridge(first, if side { NONE } else { main }, Gap::Cycle);
                    break;
                }
                record.bits.set(Bits::WALKING);
                path.push(at);
                at = record.parent;
            }
            for at in path.drain(..) {
                if let Some(record) = self.records.get_mut(at) {
                    record.bits.clear(Bits::WALKING);
                    record.bits.set(Bits::WALKED);
                }
            }
            if self.records.get(start).is_some_and(|record| record.bits.is_main()) {
                main = start;
            }
        }
    }

    fn earliest_of_cycle(&self, entry: u32) -> u32 {
        let up = |at: u32| self.records.get(at).map_or(entry, |record| record.parent);
        let mut earliest = entry;
        let mut at = up(entry);
        while at != entry {
            earliest = earliest.min(at);
            at = up(at);
        }
        earliest
    }
}
