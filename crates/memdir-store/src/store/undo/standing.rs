//! Which changes of an operation stand: those that were not undone, or whose undo was undone in turn.

use std::collections::{BTreeMap, BTreeSet};

use memdir_core::MemPath;

use super::{Event, OpId};
use crate::store::journal::Operation;

/// An operation without those of its changes that were undone.
pub(super) struct Standing {
    pub(super) event: Event,
    /// Whether none of its changes was undone.
    pub(super) is_whole: bool,
}

impl Standing {
    pub(super) fn operation(&self) -> &Operation {
        &self.event.operation
    }

    /// Returns what is taken back or left together; see [`groups`].
    pub(super) fn groups(&self) -> BTreeSet<MemPath> {
        groups(self.operation())
    }
}

/// What was undone, as far back as the journal was read, newest first.
#[derive(Default)]
pub(super) struct Undone {
    taken_back: BTreeMap<OpId, Vec<TakenBack>>,
}

/// What one undo took back of an operation.
#[derive(Clone)]
struct TakenBack {
    /// Absent: everything.
    only: Option<BTreeSet<MemPath>>,
    /// What came back, as the undo was undone in part.
    except: BTreeSet<MemPath>,
}

impl Undone {
    /// Notes what an operation took back, after all that came later.
    pub(super) fn note(&mut self, operation: &Operation) {
        let all = groups(operation);
        let except: BTreeSet<_> =
            all.iter().filter(|path| self.is_undone(&operation.id, path)).cloned().collect();
        if !all.is_empty() && except.len() == all.len() {
            return;
        }
        let whole = operation.undoes.iter().map(|op| (op, None));
        let parts = operation.undoes_part.iter().map(|part| (&part.op, Some(part.files.clone())));
        for (op, only) in whole.chain(parts) {
            let taken = TakenBack { only, except: except.clone() };
            self.taken_back.entry(op.clone()).or_default().push(taken);
        }
    }

    /// Leaves of an operation what stands; `None` if nothing does.
    pub(super) fn standing(&self, mut event: Event) -> Option<Standing> {
        let operation = &mut event.operation;
        let mut standing = groups(operation);
        let count = standing.len();
        standing.retain(|path| !self.is_undone(&operation.id, path));
        let is_whole = standing.len() == count;
        if !is_whole {
            // Where lines of others are left out, the index is not to be had as it was.
            operation.steps.retain(|step| standing.contains(&step.path));
            operation.lines.retain(|line| standing.contains(&line.path));
        }
        (!standing.is_empty()).then_some(Standing { event, is_whole })
    }

    fn is_undone(&self, op: &OpId, path: &MemPath) -> bool {
        self.taken_back.get(op).into_iter().flatten().any(|taken| {
            let is_taken = taken.only.as_ref().is_none_or(|only| only.contains(path));
            is_taken && !taken.except.contains(path)
        })
    }
}

/// Returns what an operation takes back or leaves together: the files that it changed, each with its lines of the index.
///
/// The index is one of them only where it was changed as a file.
fn groups(operation: &Operation) -> BTreeSet<MemPath> {
    let by_lines = !operation.lines.is_empty();
    let steps = operation.steps.iter().map(|step| &step.path);
    let files = steps.filter(|path| !(by_lines && path.is_index()));
    files.chain(operation.lines.iter().map(|line| &line.path)).cloned().collect()
}
