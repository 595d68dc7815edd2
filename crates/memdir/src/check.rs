//! Comparing the index with the files, and listing what could not be read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use memdir_core::MemPath;
use memdir_core::frontmatter::decode;
use memdir_core::index::{check, lines};
use memdir_scan::{Header, ProblemKind, Scan};
use memdir_store::limits::MAX_FILE_BYTES;
use memdir_store::{Batch, IndexOp, Listed, OpKind, ReadStore, SkipReason};

use crate::finding::{Finding, FindingKind, Level};
use crate::{Error, Memory};

/// What an audit works on and what it found.
struct Seen {
    /// Of all memories.
    headers: Vec<Header>,
    /// Every `.md` file, the index and those below `logs/` and `team/` included.
    names: Vec<MemPath>,
    /// Links, folders and the like that bear the name of a memory and are not read.
    skipped: BTreeSet<MemPath>,
    findings: Vec<Finding>,
}

impl<S: ReadStore> Memory<S> {
    /// Compares index and files, lists what could not be read and what is suspicious in the rest, the worst first, then by path and line. Nothing is written.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] when the directory itself cannot be listed.
    pub fn audit(&self) -> Result<Vec<Finding>, Error> {
        let Seen { headers, mut findings, .. } = self.look()?;
        let mut paths: Vec<_> = headers.into_iter().map(|header| header.path).collect();
        paths.push(MemPath::index());
        findings.extend(self.look_for_suspicious(&paths));
        findings.sort_by(Finding::order);
        Ok(findings)
    }

    /// The batch that mends what needs no judgement in the index: lines for orphans, no lines for files that are gone.
    pub(crate) fn index_fixes(&self) -> Result<Batch, Error> {
        let Seen { headers, findings, .. } = self.look()?;
        let headers: HashMap<&str, &Header> =
            headers.iter().map(|header| (header.path.as_str(), header)).collect();
        let fixable = findings.into_iter().filter(|finding| finding.fixable);
        let ops = fixable.filter_map(|finding| match finding.kind {
            FindingKind::Orphan => {
                let header = headers.get(finding.path.as_str())?;
                Some(IndexOp::Upsert {
                    path: header.path.clone(),
                    title: header.title().to_owned(),
                    hook: header.description.clone().unwrap_or_default(),
                })
            }
            FindingKind::Dangling { target } => Some(IndexOp::Remove { path: target }),
            _ => None,
        });
        Ok(ops.fold(Batch::new(OpKind::Fix), Batch::index))
    }

    fn look(&self) -> Result<Seen, Error> {
        let (mut names, mut skipped) = (Vec::new(), BTreeSet::new());
        self.store.visit(&mut |listed| {
            match listed {
                Listed::Entry(entry) => names.push(entry.path),
                Listed::Skipped(entry) => skipped.extend(MemPath::parse(&entry.raw_name)),
            }
            ControlFlow::Continue(())
        })?;
        let Scan { headers, problems, .. } = self.scan()?;
        let mut seen = Seen { headers, names, skipped, findings: Vec::new() };
        seen.findings.extend(problems.into_iter().map(|problem| {
            if problem.path == MemPath::INDEX
                && matches!(problem.kind, ProblemKind::Skipped(SkipReason::IndexLink))
            {
                return Finding::new(
                    Level::Warning,
                    MemPath::INDEX,
                    None,
                    FindingKind::IndexIsLink,
                );
            }
            let (level, line) = match &problem.kind {
                ProblemKind::Unreadable(_) => (Level::Error, None),
                ProblemKind::Note(note) => (Level::Warning, Some(note.line)),
                _ => (Level::Warning, None),
            };
            Finding::new(level, problem.path, line, FindingKind::Scan(problem.kind))
        }));
        seen.findings.extend(seen.headers.iter().flat_map(advice));
        seen.findings.extend(twins(&seen.names));
        match self.store.read(&MemPath::index()) {
            Ok(bytes) => {
                let bytes = bytes.unwrap_or_default();
                let (text, note) = decode(&bytes);
                let is_link = seen.skipped.contains(&MemPath::index());
                let lines_can_change = !is_link && note.is_none();
                seen.findings.extend(note.map(|note| {
                    let kind = FindingKind::Scan(ProblemKind::Note(note.clone()));
                    Finding::new(Level::Warning, MemPath::INDEX, Some(note.line), kind)
                }));
                self.look_at_index(&text, &mut seen);
                if !lines_can_change {
                    seen.findings.iter_mut().for_each(|finding| finding.fixable = false);
                }
            }
            Err(error) => {
                // The error says what it is.
                seen.findings.retain(|finding| finding.path != MemPath::INDEX);
                let kind = FindingKind::IndexUnreadable(Arc::new(error));
                seen.findings.push(Finding::new(Level::Error, MemPath::INDEX, None, kind));
            }
        }
        seen.findings.sort_by(Finding::order);
        Ok(seen)
    }

    fn look_at_index(&self, index: &str, seen: &mut Seen) {
        // A further index that cannot be read is among the problems of the scan.
        let audit = check(index, &seen.names, |path| self.text(path).ok().flatten());
        let pointers: BTreeMap<_, _> =
            lines(index).filter_map(|line| Some((line.number, line.pointer?.path()?))).collect();
        // What cannot be read whole is no memory to lead to.
        let whole: BTreeSet<_> = (seen.headers.iter())
            .filter(|header| header.len <= MAX_FILE_BYTES)
            .map(|header| header.path.as_str())
            .collect();
        let mut found = |path: &str, line: Option<usize>, kind| {
            let fixable = match &kind {
                FindingKind::Orphan => whole.contains(path),
                FindingKind::Dangling { target } => {
                    path == MemPath::INDEX
                        && line.is_some_and(|line| pointers.get(&line) == Some(target))
                }
                _ => false,
            };
            seen.findings
                .push(Finding { fixable, ..Finding::new(Level::Warning, path, line, kind) });
        };
        for path in audit.orphans {
            found(path.as_str(), None, FindingKind::Orphan);
        }
        for link in audit.dangling {
            if !seen.skipped.contains(&link.target) {
                let kind = FindingKind::Dangling { target: link.target };
                found(link.index.as_str(), Some(link.line), kind);
            }
        }
        for twice in audit.duplicates {
            found(
                MemPath::INDEX,
                None,
                FindingKind::Duplicate { target: twice.path, lines: twice.lines },
            );
        }
        for long in audit.long_lines {
            found(MemPath::INDEX, Some(long.line), FindingKind::LongLine { chars: long.chars });
        }
        for refused in audit.refused {
            found(refused.index.as_str(), Some(refused.line), FindingKind::BadLink(refused.fault));
        }
        if let Some(over) = audit.over_limit {
            found(MemPath::INDEX, None, FindingKind::IndexOverLimit(over));
        }
    }
}

/// Files whose names some file system takes for one; a finding each group.
fn twins(names: &[MemPath]) -> Vec<Finding> {
    let mut groups: HashMap<String, Vec<&MemPath>> = HashMap::new();
    for name in names {
        groups.entry(name.twin_key()).or_default().push(name);
    }
    let several = groups.into_values().filter(|group| group.len() > 1);
    let findings = several.filter_map(|mut group| {
        group.sort_unstable();
        let (first, others) = group.split_first()?;
        let others = others.iter().copied().cloned().collect();
        Some(Finding::new(Level::Warning, first.as_str(), None, FindingKind::Twins { others }))
    });
    findings.collect()
}

fn advice(header: &Header) -> impl Iterator<Item = Finding> {
    header.notes.iter().filter(|note| note.kind.is_advice()).map(|note| {
        let kind = FindingKind::Advice(note.clone());
        Finding::new(Level::Remark, header.path.as_str(), Some(note.line), kind)
    })
}
