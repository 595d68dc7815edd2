//! Turning an overlay into one batch.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use memdir_core::MemPath;

use super::{
    Group, Held, HeldChange, HeldReason, IndexChange, Layer, Objection, Outcome, Overlay, Pending,
    Proposal, Uncommitted, Validate, Verdict,
};
use crate::{
    ApplyError, Attribution, Batch, Error, Expect, IndexOp, ReadStore, Receipt, Revision,
    WriteStore, limits, merge,
};

/// How often a commit is planned anew because another writer was between plan and application. Ours: the store itself
/// lets writers take turns, so this counts those that hit the very same files.
const REPLANS: usize = 5;

impl<S: ReadStore> Overlay<S> {
    /// Applies the changes as one batch to `store`, which should be the one that the overlay reads.
    ///
    /// A file that another writer changed meanwhile is merged line by line with what the run made of it. Where that cannot
    /// be done, where `validate` refuses, and where the store refuses (a pinned memory), the change is held back with
    /// every group that depends on it; the other groups are applied all the same, in one batch.
    ///
    /// # Errors
    ///
    /// [`Uncommitted`] where the store could not be read or written: nothing happened.
    pub fn commit(
        self,
        store: &dyn WriteStore,
        validate: &dyn Validate,
        by: &Attribution,
    ) -> Result<Outcome, Box<Uncommitted<S>>> {
        let mut held = Vec::new();
        match self.apply(store, validate, by, &mut held) {
            Ok(applied) => {
                held.sort_by(|a, b| a.groups.cmp(&b.groups));
                Ok(Outcome { applied, held })
            }
            Err(error) => Err(Box::new(Uncommitted { overlay: self, error })),
        }
    }

    fn apply(
        &self,
        store: &dyn WriteStore,
        validate: &dyn Validate,
        by: &Attribution,
        held: &mut Vec<Held>,
    ) -> Result<Option<Receipt>, Error> {
        let mut parts = self.parts();
        let mut replans = REPLANS;
        loop {
            let (planned, kept) = self.plan_all(parts, store, held)?;
            parts = kept;
            let proposal = self.propose(&planned, &parts);
            if proposal.changes.is_empty() && proposal.index.is_empty() {
                return Ok(None);
            }
            let mut reasons = objections(validate.validate(&proposal));
            if reasons.is_empty() {
                reasons = match store.apply(&self.batch(&planned, &parts), by) {
                    Ok(receipt) => return Ok(Some(receipt)),
                    Err(ApplyError::Store(error)) => return Err(error),
                    Err(ApplyError::Conflict(_)) if replans > 0 => {
                        replans -= 1;
                        continue;
                    }
                    Err(ApplyError::Conflict(conflicts)) => conflicts
                        .into_iter()
                        .map(|conflict| HeldReason::Changed(conflict.path))
                        .collect(),
                    Err(ApplyError::Refused { path, refusal }) => {
                        vec![HeldReason::RefusedByStore { path, refusal }]
                    }
                };
            }
            if reasons.is_empty() {
                // A conflict about nothing: there is nothing to hold, and asking again would not end.
                return Err(Error::Busy { holder: None, waited: Duration::ZERO });
            }
            parts = hold(parts, &reasons, held);
        }
    }

    /// Plans each part, and holds those that cannot be.
    fn plan_all<'a>(
        &self,
        parts: Vec<Part<'a>>,
        store: &dyn WriteStore,
        held: &mut Vec<Held>,
    ) -> Result<(Vec<Planned<'a>>, Vec<Part<'a>>), Error> {
        let (mut planned, mut kept) = (Vec::new(), Vec::new());
        for part in parts {
            match self.plan(&part, store)? {
                Ok(changes) => {
                    planned.extend(changes);
                    kept.push(part);
                }
                Err(reason) => held.push(part.held(reason)),
            }
        }
        Ok((planned, kept))
    }

    /// The groups, joined where they touch the same memory.
    fn parts(&self) -> Vec<Part<'_>> {
        let mut by_path: BTreeMap<&MemPath, BTreeSet<Group>> = BTreeMap::new();
        for (path, layer) in &self.files {
            by_path.entry(path).or_default().extend(&layer.groups);
        }
        for change in &self.index {
            by_path.entry(change.op.path()).or_default().insert(change.group);
        }
        let mut joined: Vec<BTreeSet<Group>> = Vec::new();
        for groups in by_path.into_values() {
            let (same, mut apart): (Vec<_>, Vec<_>) =
                joined.into_iter().partition(|other| !other.is_disjoint(&groups));
            apart.push(same.into_iter().flatten().chain(groups).collect());
            joined = apart;
        }
        let part = |groups: BTreeSet<Group>| Part {
            files: self.files.iter().filter(|(_, l)| !l.groups.is_disjoint(&groups)).collect(),
            index: self.index.iter().filter(|change| groups.contains(&change.group)).collect(),
            groups,
        };
        joined.into_iter().map(part).collect()
    }

    /// What the part comes to on the store as it is now, or why it is held.
    fn plan<'a>(
        &self,
        part: &Part<'a>,
        store: &dyn WriteStore,
    ) -> Result<Result<Vec<Planned<'a>>, HeldReason>, Error> {
        let mut planned = Vec::new();
        for (path, layer) in &part.files {
            let before = match store.read(path) {
                Ok(before) => before,
                Err(Error::NotAFile { .. } | Error::Link { .. } | Error::TooLarge { .. }) => {
                    return Ok(Err(HeldReason::Unreadable((*path).clone())));
                }
                Err(error) => return Err(error),
            };
            match Planned::new(path, layer, before) {
                Ok(change) => planned.extend(change),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        for IndexChange { op, had_memory, .. } in &part.index {
            let adds_line = matches!(op, IndexOp::Upsert { .. });
            if adds_line && *had_memory && !self.files.contains_key(op.path()) {
                // A line for what another writer removed would lead nowhere.
                if store.read_head(op.path(), 0)?.is_none() {
                    return Ok(Err(HeldReason::Gone(op.path().clone())));
                }
            }
        }
        Ok(Ok(planned))
    }

    fn batch(&self, planned: &[Planned<'_>], parts: &[Part<'_>]) -> Batch {
        let mut batch = Batch::new(self.kind.clone());
        for Planned { path, before, after, .. } in planned {
            let path = (*path).clone();
            let expect = match before {
                Some(bytes) => Expect::Unchanged(Revision::of(bytes)),
                None => Expect::Absent,
            };
            batch = match after {
                Some(bytes) => batch.put(path, bytes.to_vec(), expect),
                None => batch.remove(path, expect),
            };
        }
        self.index_of(parts).fold(batch, |batch, op| batch.index(op.clone()))
    }

    /// The index operations of the parts, in the order recorded.
    fn index_of<'a>(&'a self, parts: &[Part<'_>]) -> impl Iterator<Item = &'a IndexOp> {
        let kept =
            |change: &&IndexChange| parts.iter().any(|part| part.groups.contains(&change.group));
        self.index.iter().filter(kept).map(|change| &change.op)
    }

    fn propose<'a>(&'a self, planned: &'a [Planned<'_>], parts: &[Part<'_>]) -> Proposal<'a> {
        let mut changes: Vec<Pending<'a>> = planned
            .iter()
            .map(|Planned { path, before, after, merged }| Pending {
                path,
                before: before.as_deref(),
                after: after.as_deref(),
                merged: *merged,
            })
            .collect();
        changes.sort_by_key(|change| change.path);
        Proposal { changes, index: self.index_of(parts).collect() }
    }
}

fn objections(verdict: Verdict) -> Vec<HeldReason> {
    match verdict {
        Verdict::Accepted => Vec::new(),
        Verdict::Refused(objections) => objections
            .into_iter()
            .map(|Objection { path, reason }| HeldReason::Refused { path, reason })
            .collect(),
        Verdict::RefusedAll { reason } => vec![HeldReason::RefusedAll { reason }],
    }
}

/// Changes that are applied together or held together.
struct Part<'a> {
    groups: BTreeSet<Group>,
    files: Vec<(&'a MemPath, &'a Layer)>,
    index: Vec<&'a IndexChange>,
}

impl Part<'_> {
    fn touches(&self, path: &MemPath) -> bool {
        self.files.iter().any(|(file, _)| *file == path)
            || self.index.iter().any(|change| change.op.path() == path || path.is_index())
    }

    fn held(self, reason: HeldReason) -> Held {
        let change = |(path, layer): (&MemPath, &Layer)| {
            HeldChange::new(path.clone(), layer.base.clone(), layer.now.clone())
        };
        Held::new(
            self.groups.into_iter().collect(),
            reason,
            self.files.into_iter().map(change).collect(),
            self.index.into_iter().map(|change| change.op.clone()).collect(),
        )
    }
}

/// Holds the parts that the reasons are about and gives back the rest. A reason that is about none of them is about all.
fn hold<'a>(parts: Vec<Part<'a>>, reasons: &[HeldReason], held: &mut Vec<Held>) -> Vec<Part<'a>> {
    let about = |part: &Part<'_>, reason: &&HeldReason| {
        reason.path().is_some_and(|path| part.touches(path))
    };
    let about_all = reasons.iter().find(|reason| !parts.iter().any(|part| about(part, reason)));
    let mut rest = Vec::new();
    for part in parts {
        match reasons.iter().find(|reason| about(&part, reason)).or(about_all) {
            Some(reason) => held.push(part.held(reason.clone())),
            None => rest.push(part),
        }
    }
    rest
}

/// What a file's change comes to.
struct Planned<'a> {
    path: &'a MemPath,
    before: Option<Vec<u8>>,
    after: Option<Cow<'a, [u8]>>,
    merged: bool,
}

impl<'a> Planned<'a> {
    /// `None` where the store already is as wanted.
    fn new(
        path: &'a MemPath,
        layer: &'a Layer,
        before: Option<Vec<u8>>,
    ) -> Result<Option<Self>, HeldReason> {
        if before == layer.now {
            return Ok(None);
        }
        if layer.now.as_ref().is_some_and(|bytes| bytes.len() as u64 > limits::MAX_FILE_BYTES) {
            return Err(HeldReason::TooLarge(path.clone()));
        }
        if before == layer.base {
            let after = layer.now.as_deref().map(Cow::Borrowed);
            return Ok(Some(Self { path, before, after, merged: false }));
        }
        match (&layer.base, &layer.now, &before) {
            (Some(base), Some(wanted), Some(found)) => {
                let merged = merge::clean(base, wanted, found);
                let after = merged.ok_or_else(|| HeldReason::Changed(path.clone()))?;
                let after = Some(Cow::Owned(after));
                Ok(Some(Self { path, before, after, merged: true }))
            }
            (None, _, Some(_)) => Err(HeldReason::Exists(path.clone())),
            (_, None, Some(_)) => Err(HeldReason::Changed(path.clone())),
            (_, _, None) => Err(HeldReason::Gone(path.clone())),
        }
    }
}
