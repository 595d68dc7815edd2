//! Lines of the index, backwards.

use crate::IndexOp;

use super::{Disk, Error, Event, Revision, Seen, Session, Step, images};

/// What undoing comes to for the index.
#[derive(Default)]
pub(super) struct Turned {
    /// What puts the lines back, in the order of undoing.
    ops: Vec<IndexOp>,
    /// Whether somebody else changed the index since, so that the old bytes are not to be had.
    is_changed: bool,
}

impl Turned {
    /// Takes back what an operation did to the index: its bytes if nobody changed it since, else its lines.
    pub(super) fn take_back<D: Disk>(
        &mut self,
        session: &Session<'_, D>,
        event: &Event,
        step: &Step,
        now: &mut Option<Vec<u8>>,
    ) -> Result<(), Error> {
        for line in event.operation.lines.iter().rev() {
            self.ops.push(IndexOp::Restore { path: line.path.clone(), line: line.before.clone() });
        }
        if self.is_changed {
            return Ok(());
        }
        let revision = now.as_deref().map(Revision::of);
        let at_hand = match (&now, revision) {
            (Some(bytes), Some(revision)) => Seen::File(revision, bytes.clone()),
            _ => Seen::Nothing,
        };
        let is_unchanged = revision == step.after && step.amends.is_empty();
        match images::before(session.files, step, &at_hand)? {
            Some(bytes) if is_unchanged => *now = Some(bytes),
            None if is_unchanged && step.before.is_none() => *now = None,
            _ => self.is_changed = true,
        }
        Ok(())
    }

    /// Tells whether the bytes are to be had as they were.
    pub(super) fn is_exact(&self) -> bool {
        !self.is_changed
    }

    pub(super) fn ops(&self) -> Vec<IndexOp> {
        self.ops.clone()
    }
}
