//! What a power cut leaves of a directory in memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use super::{
    Counts, MemDisk,
    state::{Kind, State, apply, parent},
};

/// What a power cut takes of that which was not made to survive it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// All of it: names and data are as they were last made safe.
    Everything,
    /// Nothing of it: everything reached the disk in time.
    Nothing,
    /// The data; the names are kept.
    Data,
    /// The names; the data is kept.
    Names,
    /// Each name and each file is kept, lost or torn as chance, seeded by this number, has it, in any order.
    Random(u64),
}

impl MemDisk {
    /// Returns the disk that is found after the power was cut now; this one is not touched.
    #[must_use]
    pub fn power_cut(&self, loss: Loss) -> Self {
        let mut state = self.state().clone();
        let mut chance = Chance(match loss {
            Loss::Random(seed) => seed.wrapping_mul(2).wrapping_add(1),
            _ => 1,
        });
        let mut names = state.durable.clone();
        for change in std::mem::take(&mut state.pending) {
            let kept = match loss {
                Loss::Everything | Loss::Names => false,
                Loss::Nothing | Loss::Data => true,
                Loss::Random(_) => chance.one_in(2),
            };
            for (path, node) in change.sets.iter().filter(|_| kept) {
                apply(&mut names, path, *node);
            }
        }
        for node in state.nodes.values_mut() {
            if let Kind::File { bytes, durable } = &mut node.kind {
                let left = match loss {
                    Loss::Everything | Loss::Data => durable.clone(),
                    Loss::Nothing | Loss::Names => bytes.clone(),
                    Loss::Random(_) => torn(bytes, durable, &mut chance),
                };
                bytes.clone_from(&left);
                *durable = left;
            }
        }
        remove_unreachable(&mut names);
        let state = State {
            durable: names.clone(),
            names,
            locks: BTreeSet::new(),
            counts: Counts::default(),
            ..state
        };
        Self { state: Arc::new(Mutex::new(state)), clock: Arc::clone(&self.clock) }
    }
}

/// What is in a folder whose own name was lost is lost with it.
fn remove_unreachable(names: &mut BTreeMap<String, u64>) {
    let all: Vec<String> = names.keys().cloned().collect();
    for path in all {
        let folder = parent(&path);
        if !folder.is_empty() && !names.contains_key(folder) {
            names.remove(&path);
        }
    }
}

/// A file whose data was on its way: old, new, cut within the new part, or with a hole of zeros in it.
fn torn(now: &[u8], safe: &[u8], chance: &mut Chance) -> Vec<u8> {
    if now == safe || chance.one_in(3) {
        return safe.to_vec();
    }
    if chance.one_in(2) || !now.starts_with(safe) {
        return now.to_vec();
    }
    let (_, new) = now.split_at_checked(safe.len()).unwrap_or_default();
    let cut = chance.below(new.len() + 1);
    let mut left = safe.to_vec();
    left.extend(new.iter().take(cut));
    if chance.one_in(2) {
        left.extend(new.iter().skip(cut).map(|_| 0));
    }
    left
}

/// A small generator of numbers (xorshift64*), so that the seed tells all.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % end.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
