//! What stands and falls together, and how much the whole may take away.

use std::collections::BTreeMap;

use super::Case;
use crate::verdict::FileChange;
use crate::{Change, Hold, Judgement, Plan, Policy, Rule};

/// The number of each operation's group: that of its first member.
pub(super) fn of(plan: &Plan, cases: &[Case], owners: &BTreeMap<String, usize>) -> Vec<usize> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<usize> = Vec::new();
    for (number, operation) in plan.operations.iter().enumerate() {
        let group =
            operation.group.as_deref().map_or(number, |name| *first.entry(name).or_insert(number));
        groups.push(group);
    }
    // A line goes with the memory that it leads to.
    let mut joined = Joined((0..groups.len()).collect());
    for (number, (operation, case)) in plan.operations.iter().zip(cases).enumerate() {
        let Change::Index { path, .. } = &operation.change else { continue };
        if matches!(case.judgement, Judgement::Refused { .. }) {
            continue;
        }
        let owner =
            memdir_core::MemPath::parse(path).ok().and_then(|path| owners.get(&path.twin_key()));
        if let Some(owner) = owner {
            let group = |number: usize| groups.get(number).copied().unwrap_or(number);
            joined.join(group(number), group(*owner));
        }
    }
    groups.into_iter().map(|group| joined.root(group)).collect()
}

/// Sets of groups, each named by its lowest.
struct Joined(Vec<usize>);

impl Joined {
    fn root(&mut self, mut group: usize) -> usize {
        while let Some(parent) = self.0.get(group).copied().filter(|parent| *parent != group) {
            let above = self.0.get(parent).copied().unwrap_or(parent);
            if let Some(entry) = self.0.get_mut(group) {
                *entry = above;
            }
            group = parent;
        }
        group
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(entry) = self.0.get_mut(one.max(other)) {
            *entry = one.min(other);
        }
    }
}

/// Lets each group go as a whole: refused with a member that is, or waiting with one that does.
pub(super) fn settle(cases: &mut [Case], groups: &[usize]) {
    let mut refused: BTreeMap<usize, usize> = BTreeMap::new();
    let mut held: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, (case, group)) in cases.iter().zip(groups).enumerate() {
        match case.judgement {
            Judgement::Refused { .. } => _ = refused.entry(*group).or_insert(number),
            Judgement::Held(_) => _ = held.entry(*group).or_insert(number),
            Judgement::Accepted | Judgement::Known { .. } => {}
        }
    }
    for (case, group) in cases.iter_mut().zip(groups) {
        let is_open = matches!(case.judgement, Judgement::Accepted | Judgement::Held(_));
        if let Some(operation) = refused.get(group).filter(|_| is_open) {
            case.refuse(
                Rule::Group,
                format!("operation {operation}, which belongs to it, is refused"),
            );
        } else if let Some(operation) = held.get(group)
            && case.judgement == Judgement::Accepted
        {
            case.judgement = Judgement::Held(Hold::Group { operation: *operation });
        }
    }
}

/// Lets everything that takes away wait where all of it would take away too much; tells whether it did.
pub(super) fn brake(
    cases: &mut [Case],
    (of_files, of_bytes): (usize, u64),
    policy: &Policy,
) -> bool {
    let (mut files, mut bytes) = (0, 0);
    for case in cases.iter().filter(|case| case.judgement == Judgement::Accepted) {
        files += gone(&case.prepared.files);
        bytes += lost(&case.prepared.files);
    }
    let is_over = |part: u64, whole: u64| {
        part.saturating_mul(100) > whole.saturating_mul(policy.loss_percent)
    };
    let is_too_much = files > policy.loss_files
        || is_over(files as u64, of_files as u64)
        || is_over(bytes, of_bytes);
    if !is_too_much {
        return false;
    }
    for case in cases.iter_mut().filter(|case| case.judgement == Judgement::Accepted) {
        if gone(&case.prepared.files) > 0 || lost(&case.prepared.files) > 0 {
            case.judgement = Judgement::Held(Hold::Loss { files, of_files, bytes, of_bytes });
        }
    }
    true
}

/// Files that go or say nothing any more.
fn gone(files: &[FileChange]) -> usize {
    let is_gone =
        |file: &&FileChange| file.before.is_some() && (file.after.is_none() || file.is_emptied);
    files.iter().filter(is_gone).count()
}

/// Bytes that are fewer afterwards.
fn lost(files: &[FileChange]) -> u64 {
    let before: u64 = files.iter().filter_map(|file| Some(file.before?.1)).sum();
    let after: u64 = files.iter().filter_map(|file| Some(file.after.as_ref()?.len() as u64)).sum();
    before.saturating_sub(after)
}
