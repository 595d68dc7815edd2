//! The state of the store itself, and mending.

use std::sync::Arc;

use memdir_store::disk::Disk;
use memdir_store::{Health, LineChanged, OpId, Recovered, StateFault, Store, WriteStore};

use crate::finding::{Finding, FindingKind, Level};
use crate::{Error, Memory};

/// What [`Memory::fix`] did; empty where there was nothing to mend.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Fixed {
    /// Operations of writers that died, which were finished or taken back.
    pub recovered: Vec<Recovered>,
    /// Temporary files that were removed.
    pub temps_removed: usize,
    /// Lines of the index that were added or removed.
    pub lines: Vec<LineChanged>,
    /// The operation that changed the index, which can be undone; absent where it was not changed.
    pub op: Option<OpId>,
    /// Why not everything was mended that can be.
    pub fault: Option<Error>,
}

impl<D: Disk> Memory<Store<D>> {
    /// Does what [`Memory::audit`] does, and looks at the store's own state: interrupted operations, leftover files, memories
    /// that somebody changed without this store. Nothing is written, no lock is taken.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the directory itself cannot be listed.
    pub fn check(&self) -> Result<Vec<Finding>, Error> {
        let mut findings = self.audit()?;
        let health = self.store.health()?;
        findings.extend(state_findings(&health));
        let outside = match self.store.outside_changes() {
            // It needs the whole journal; what of it cannot be read is among the findings.
            Err(_) if !health.faults.is_empty() => Vec::new(),
            outside => outside?,
        };
        for outside in outside {
            // What the journal never knew was simply written by somebody else.
            if outside.known.is_some() {
                let kind = FindingKind::ChangedOutside { is_gone: outside.found.is_none() };
                findings.push(Finding::new(Level::Remark, outside.path.as_str(), None, kind));
            }
        }
        findings.sort_by(Finding::order);
        Ok(findings)
    }

    /// Mends what needs no judgement: finishes or takes back interrupted operations, removes leftover files, adds index lines for
    /// memories that have none, and removes lines whose file is gone. The change of the index can be undone.
    ///
    /// Where the disk or another writer is in the way, it has done what it says, and [`Fixed::fault`] says why not more.
    #[must_use]
    pub fn fix(&self) -> Fixed {
        let mut fixed = Fixed::default();
        fixed.fault = self.mend(&mut fixed).err();
        fixed
    }

    fn mend(&self, fixed: &mut Fixed) -> Result<(), Error> {
        if state_findings(&self.store.health()?).iter().any(|finding| finding.fixable) {
            let mended = self.store.fix()?;
            (fixed.recovered, fixed.temps_removed) = (mended.recovered, mended.temps_removed);
        }
        let batch = self.index_fixes()?;
        if !batch.is_empty() {
            let receipt = self.store.apply(&batch, &self.by_because(None))?;
            fixed.op = receipt.has_changes().then_some(receipt.op);
            fixed.lines = receipt.index.map(|index| index.lines).unwrap_or_default();
            fixed.lines.retain(|line| line.before != line.after);
            fixed.recovered.extend(receipt.recovered);
        }
        Ok(())
    }
}

impl From<&StateFault> for FindingKind {
    fn from(fault: &StateFault) -> Self {
        Self::StateUnreadable { error: Arc::clone(&fault.error), remedy: fault.remedy }
    }
}

/// What of the store's own state its owner may want to know.
fn state_findings(health: &Health) -> Vec<Finding> {
    let mut findings = Vec::new();
    let writer = health.writer.as_ref().map(ToString::to_string);
    // With a writer at work this is how a commit looks from outside.
    let level = if writer.is_some() { Level::Warning } else { Level::Error };
    if let Some(op) = &health.unfinished {
        let kind = FindingKind::Unfinished { op: op.clone(), writer: writer.clone() };
        findings
            .push(Finding { fixable: true, ..Finding::new(level, ".memdir/journal", None, kind) });
    }
    findings.extend(health.temps.iter().map(|temp| {
        let kind = FindingKind::Leftover { writer: writer.clone() };
        Finding { fixable: true, ..Finding::new(Level::Warning, temp, None, kind) }
    }));
    if health.unread_lines > 0 {
        let kind = FindingKind::UnreadJournal { lines: health.unread_lines };
        findings.push(Finding::new(Level::Remark, ".memdir/journal", None, kind));
    }
    findings.extend(
        health
            .faults
            .iter()
            .map(|fault| Finding::new(Level::Error, &fault.path, None, FindingKind::from(fault))),
    );
    findings
}
