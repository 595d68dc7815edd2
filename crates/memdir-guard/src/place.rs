//! From places in a text to findings.

use std::ops::Range;

use crate::limits::LINE_BYTES;
use crate::{Finding, Kind};

/// Makes findings of kinds and their places in `text`, in the order of [`Finding::order`].
pub(crate) fn findings(text: &str, mut found: Vec<(Range<usize>, Kind)>) -> Vec<Finding> {
    found.sort_by_key(|(span, _)| span.start);
    let (mut line, mut column, mut seen) = (1, 1, 0);
    let mut findings: Vec<_> = found
        .into_iter()
        .map(|(span, kind)| {
            for c in text.get(seen..span.start).unwrap_or_default().chars() {
                (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            seen = span.start;
            Finding { kind, span, line, column }
        })
        .collect();
    findings.sort_by(Finding::order);
    findings
}

/// Makes one of what overlaps and is of one kind.
pub(crate) fn merge<K: Ord>(mut found: Vec<(Range<usize>, K)>) -> Vec<(Range<usize>, K)> {
    found.sort_by(|(a, left), (b, right)| left.cmp(right).then(a.start.cmp(&b.start)));
    let mut merged: Vec<(Range<usize>, K)> = Vec::new();
    for (span, kind) in found {
        match merged.last_mut() {
            Some((last, same)) if *same == kind && span.start < last.end => {
                last.end = last.end.max(span.end);
            }
            _ => merged.push((span, kind)),
        }
    }
    merged
}

/// The lines of `text` that `span` is in, without the last line end, and of long lines only what is near.
pub(crate) fn lines_around(text: &[u8], span: &Range<usize>) -> Range<usize> {
    let before = text.get(..span.start).unwrap_or_default().iter().rev().take(LINE_BYTES);
    let after = text.get(span.end..).unwrap_or_default().iter().take(LINE_BYTES);
    let start = span.start - before.take_while(|byte| **byte != b'\n').count();
    let end = span.end + after.take_while(|byte| **byte != b'\n').count();
    start..end
}
