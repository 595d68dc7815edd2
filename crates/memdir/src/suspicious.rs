//! What a text holds that its owner may not want in a memory: secrets, hidden characters, orders to a model.

use memdir_core::MemPath;
use memdir_guard::{Kind, scan};
use memdir_store::ReadStore;

use crate::Memory;
use crate::finding::{Finding, FindingKind, Level};

/// Rules for anything that is assigned to a name like `token`, or stands in a header; they say less than any other.
const ANY_VALUE: [&str; 2] = ["generic-api-key", "own-authorization-header"];

/// Most findings of one file that an audit lists. Ours: who has seen so many looks at the file.
const SUSPICIOUS_SHOWN: usize = 20;

/// Everything suspicious in a text, in order of place; of several rules for one secret the more special.
pub(crate) fn suspicious(text: &str) -> Vec<memdir_guard::Finding> {
    let all = scan(text);
    let is_special = |finding: &memdir_guard::Finding| matches!(finding.kind, Kind::Secret { rule } if !ANY_VALUE.contains(&rule));
    let special: Vec<_> = all
        .iter()
        .filter(|finding| is_special(finding))
        .map(|finding| finding.span.clone())
        .collect();
    let is_told = |finding: &memdir_guard::Finding| {
        matches!(finding.kind, Kind::Secret { rule } if ANY_VALUE.contains(&rule))
            && special
                .iter()
                .any(|span| span.start < finding.span.end && finding.span.start < span.end)
    };
    all.into_iter().filter(|finding| !is_told(finding)).collect()
}

impl<S: ReadStore> Memory<S> {
    /// What is suspicious in the files of a scan and in the index. A file that cannot be read is told by the scan.
    pub(crate) fn look_for_suspicious(&self, paths: &[MemPath]) -> Vec<Finding> {
        let texts = paths.iter().filter_map(|path| Some((path, self.text(path).ok()??)));
        let found = texts.flat_map(|(path, text)| {
            let mut all = suspicious(&text);
            let count = all.len().saturating_sub(SUSPICIOUS_SHOWN);
            all.truncate(SUSPICIOUS_SHOWN);
            let listed = all.into_iter().map(|found| {
                let level = match found.kind {
                    Kind::Secret { .. } | Kind::Hidden { .. } => Level::Warning,
                    // A hint: people write "never" and "always" for good reasons too.
                    _ => Level::Remark,
                };
                Finding::new(level, path.as_str(), Some(found.line), FindingKind::Suspicious(found))
            });
            let more = FindingKind::MoreSuspicious { count };
            let more = (count > 0).then(|| Finding::new(Level::Warning, path.as_str(), None, more));
            listed.chain(more).collect::<Vec<_>>()
        });
        found.collect()
    }
}
