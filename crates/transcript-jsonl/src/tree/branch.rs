//! Ways through the tree: from a leaf to its root, with what belongs to it on either side.

use std::collections::{HashMap, HashSet};

use super::record::{Bits, NONE, Record};
use super::{Node, Tree};
use crate::kind::Kind;
use crate::limits;

/// How far a branch goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reach {
    /// To the last compaction: what a model would be shown.
    #[default]
    Resumed,
    /// To the first entry, through every compaction.
    Whole,
    /// As [`Reach::Resumed`], but a parent that could not be followed ends it.
    Strict,
}

/// How an entry came onto a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Standing {
    /// The leaf follows it.
    Chain,
    /// It stands beside the chain: another block of the same reply, or the result of a tool that ran in parallel.
    Parallel,
}

/// An entry of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The entry.
    pub node: Node,
    /// How it came here.
    pub standing: Standing,
}

/// Where an entry goes on a branch; its order is the order of the branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// Place of the reply that it belongs to, or its own, on the chain.
    turn: u32,
    /// Blocks of the reply, then results of its tools, then whatever else.
    rank: Rank,
    node: u32,
    standing: Standing,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Reply,
    Result,
    Other,
}

impl Tree {
    /// Returns the entry with which the session ends: the last message of the main conversation, or the last one that
    /// follows it where the file is out of order. `None` where there is no message.
    pub fn leaf(&self) -> Option<Node> {
        let last = self
            .records
            .iter()
            .rev()
            .find(|(_, record)| record.bits.is_main() && record.bits.kind().is_message())?;
        let last = Node(last.0);
        if !self.disordered {
            return Some(last);
        }
        let root = self.chain(last, Reach::Resumed).last().copied().unwrap_or(last);
        let from = if self.is_boundary(root) || self.is_compact_summary(root) { root.0 } else { 0 };
        Some(self.last_follower(last, from))
    }

    /// The last message without a further one among those that follow `above`, looking at entries from `from` on.
    fn last_follower(&self, above: Node, from: u32) -> Node {
        let mut followed = Set::new(self.records.len());
        let mut below = Set::new(self.records.len());
        let mut known = Set::new(self.records.len());
        below.insert(above.0);
        known.insert(above.0);
        let mut path = Vec::new();
        let up_from = |record: &Record| {
            let follows = !record.bits.has(Bits::BRIDGED) && record.parent >= from;
            if follows { record.parent } else { NONE }
        };
        let messages = || {
            self.records.iter().filter(|(at, record)| {
                *at >= from && record.bits.is_main() && record.bits.kind().is_message()
            })
        };
        for (at, record) in messages() {
            let mut up = up_from(record);
            while let Some(parent) = self.records.get(up).filter(|_| followed.insert(up)) {
                up = up_from(parent);
            }
            let mut up = at;
            while let Some(parent) = self.records.get(up).filter(|_| known.insert(up)) {
                path.push(up);
                up = up_from(parent);
            }
            let is_below = below.contains(up);
            for at in path.drain(..) {
                if is_below {
                    below.insert(at);
                }
            }
        }
        messages()
            .rfind(|(at, _)| below.contains(*at) && !followed.contains(*at))
            .map_or(above, |(at, _)| Node(at))
    }

    /// The entries from a leaf to where the branch ends, the leaf first.
    pub(crate) fn chain(&self, leaf: Node, reach: Reach) -> Vec<Node> {
        let side = self.is_sidechain(leaf);
        let mut seen = Set::new(self.records.len());
        let mut chain = Vec::new();
        let mut next = Some(leaf);
        while let Some(node) = next.filter(|node| seen.insert(node.0)) {
            let Some(record) = self.records.get(node.0) else { break };
            if side && !record.bits.has(Bits::SIDECHAIN) {
                break;
            }
            chain.push(node);
            next = self.parent(node);
            let ends = match reach {
                Reach::Whole => false,
                Reach::Strict if record.bits.has(Bits::BRIDGED) => true,
                Reach::Resumed | Reach::Strict => {
                    let named = next.filter(|_| !record.bits.has(Bits::BRIDGED));
                    self.is_boundary(node)
                        || self.is_compact_summary(node)
                            && !named.is_some_and(|parent| self.is_boundary(parent))
                }
            };
            if ends {
                break;
            }
            if next.is_none() {
                next = self.logical_parent(node);
            }
        }
        chain
    }

    /// Returns the branch that ends with a leaf, the first entry first.
    ///
    /// The blocks of one reply stand together, followed by the results of its tools, both in the order of the file,
    /// also where tools ran in parallel and their results are off the chain.
    pub fn branch(&self, leaf: Node, reach: Reach) -> Vec<Step> {
        let mut chain = self.chain(leaf, reach);
        chain.reverse();
        let keys = self.keys_with_parallel(&chain);
        keys.into_iter().map(|key| Step { node: Node(key.node), standing: key.standing }).collect()
    }

    /// Entries as a branch would have them, none added.
    pub(crate) fn in_order(&self, chain: &[Node]) -> Vec<Node> {
        let mut keys = self.keys_of(chain);
        keys.sort_unstable();
        keys.into_iter().map(|key| Node(key.node)).collect()
    }

    /// The entries from one to another that follows it, with what belongs to their replies; `None` where it does not.
    pub(crate) fn segment(&self, head: &str, tail: &str) -> Option<Vec<Node>> {
        let (head, tail) = (self.node(head)?, self.node(tail)?);
        let mut chain = self.chain(tail, Reach::Whole);
        let length = chain.iter().position(|node| *node == head)? + 1;
        chain.truncate(length);
        chain.reverse();
        Some(self.keys_with_parallel(&chain).into_iter().map(|key| Node(key.node)).collect())
    }

    fn keys_with_parallel(&self, chain: &[Node]) -> Vec<Key> {
        let mut keys = self.keys_of(chain);
        let side = chain.last().is_some_and(|leaf| self.is_sidechain(*leaf));
        self.add_parallel(&mut keys, chain, side);
        keys.sort_unstable();
        keys
    }

    fn keys_of(&self, chain: &[Node]) -> Vec<Key> {
        let mut reply: Option<(u32, u32)> = None;
        let key = |(place, node): (u32, &Node)| {
            let record = self.records.get(node.0)?;
            let (turn, rank) = match record.bits.kind() {
                Kind::Assistant => {
                    let same =
                        reply.filter(|(_, group)| record.group != 0 && *group == record.group);
                    let turn = same.map_or(place, |(turn, _)| turn);
                    reply = Some((turn, record.group));
                    (turn, Rank::Reply)
                }
                Kind::User if record.bits.has(Bits::TOOL_RESULT) => match reply {
                    Some((turn, _)) => (turn, Rank::Result),
                    None => (place, Rank::Other),
                },
                Kind::User => {
                    reply = None;
                    (place, Rank::Other)
                }
                _ => (place, Rank::Other),
            };
            Some(Key { turn, rank, node: node.0, standing: Standing::Chain })
        };
        (0_u32..).zip(chain).filter_map(key).collect()
    }

    /// Adds the blocks and results that belong to replies of the chain and are not on it.
    fn add_parallel(&self, keys: &mut Vec<Key>, chain: &[Node], side: bool) {
        let mut open = Set::new(self.records.len());
        // What the chain holds of replies and results, by entry.
        let mut turns: Vec<(u32, u32)> = Vec::new();
        let mut on = Set::new(self.records.len());
        for key in keys.iter() {
            on.insert(key.node);
            if key.rank != Rank::Other {
                open.insert(key.node);
                turns.push((key.node, key.turn));
            }
        }
        turns.sort_unstable();
        let from = chain.iter().min().map_or(0, |node| node.0);
        let mut found: Vec<Key> = Vec::new();
        let mut late = HashMap::new();
        // Out of order, what belongs to something found may stand before it.
        for _ in 0..if self.disordered { limits::MAX_PASSES } else { 1 } {
            let before = found.len();
            for (at, record) in self.records.from(from) {
                if !open.contains(record.parent)
                    || on.contains(at)
                    || record.bits.has(Bits::REPLACED)
                    || record.bits.has(Bits::BRIDGED)
                    || record.bits.has(Bits::SIDECHAIN) != side
                {
                    continue;
                }
                let Some(parent) = self.records.get(record.parent) else { continue };
                let rank = match record.bits.kind() {
                    Kind::Assistant
                        if parent.bits.kind() == Kind::Assistant
                            && record.group != 0
                            && record.group == parent.group =>
                    {
                        Rank::Reply
                    }
                    Kind::User if record.bits.has(Bits::TOOL_RESULT) => Rank::Result,
                    _ => continue,
                };
                let turn = turns
                    .binary_search_by_key(&record.parent, |(node, _)| *node)
                    .ok()
                    .and_then(|place| turns.get(place))
                    .map(|(_, turn)| *turn)
                    .or_else(|| late.get(&record.parent).copied());
                let Some(turn) = turn else { continue };
                on.insert(at);
                open.insert(at);
                late.insert(at, turn);
                found.push(Key { turn, rank, node: at, standing: Standing::Parallel });
            }
            if found.len() == before {
                break;
            }
        }
        self.drop_second_answers(&mut found, keys);
        keys.append(&mut found);
    }

    /// Of several results of one tool call, keeps the one on the chain, else the last.
    fn drop_second_answers(&self, found: &mut Vec<Key>, keys: &[Key]) {
        if found.is_empty() {
            return;
        }
        let answer = |key: &Key| {
            let group = self.records.get(key.node).map_or(0, |record| record.group);
            (key.rank == Rank::Result && group != 0).then_some((key.turn, group))
        };
        let mut answered: HashSet<_> = keys.iter().filter_map(answer).collect();
        found.sort_unstable_by_key(|key| std::cmp::Reverse(key.node));
        found.retain(|key| answer(key).is_none_or(|answer| answered.insert(answer)));
    }
}

/// A set of entries, one bit each.
struct Set(Vec<u64>);

impl Set {
    fn new(entries: u32) -> Self {
        Self(vec![0; entries as usize / 64 + 1])
    }

    fn contains(&self, at: u32) -> bool {
        self.0.get(at as usize / 64).is_some_and(|word| word & (1 << (at % 64)) != 0)
    }

    /// Returns whether it was not there before; never for what is no entry.
    fn insert(&mut self, at: u32) -> bool {
        if at == NONE {
            return false;
        }
        let Some(word) = self.0.get_mut(at as usize / 64) else { return false };
        let bit = 1 << (at % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
