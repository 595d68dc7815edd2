//! One rule.

use std::ops::Range;

use super::allow::{Allowed, Found};
use super::pattern::{Pattern, Source};
use crate::limits::NAME_BYTES;

/// A form that secrets of one service have.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: &'static str,
    /// In lower case; one of them is in every text that holds such a secret.
    pub(super) keys: Vec<&'static str>,
    /// Side by side in every such secret, in bytes: letters, digits and the signs of keys.
    pub(super) least: usize,
    /// Absent: the name of a file is all that matters.
    pub(super) pattern: Option<Pattern>,
    /// What the entropy must exceed, in bits a byte.
    pub(super) entropy: Option<f64>,
    /// The files that it is for; absent: all.
    pub(super) path: Option<Pattern>,
    /// The group of the expression that is the secret; absent: the first that is not empty.
    pub(super) group: Option<usize>,
    /// The group is a part by which it is judged, and all of the match is to be hidden.
    pub(super) is_whole: bool,
    pub(super) allowed: Vec<Allowed>,
}

impl Rule {
    /// What a reader must not see of what was found.
    pub(super) fn span(&self, found: &Found<'_>) -> Range<usize> {
        if self.is_whole { found.whole.clone() } else { found.secret.clone() }
    }

    pub(super) fn is_for(&self, path: Option<&str>) -> bool {
        let fits = |pattern: &Pattern| path.is_some_and(|path| pattern.is_match(path.as_bytes()));
        self.path.as_ref().is_none_or(fits)
    }

    /// Everything that the expression fits, before entropy and lists are asked.
    pub(super) fn matches<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Found<'a>> {
        let pattern = self.pattern.iter();
        pattern.flat_map(move |pattern| {
            let takes_name = matches!(pattern.source(), Source::Assigned { .. });
            pattern.regex().captures_iter(text).filter_map(move |groups| {
                let whole = groups.get(0)?;
                let mut inner = groups.iter().skip(1).flatten().filter(|group| !group.is_empty());
                let secret = match self.group {
                    Some(number) => groups.get(number),
                    None => inner.next(),
                };
                let secret = trim(text, secret.unwrap_or(whole).range());
                let mut whole = whole.range();
                if takes_name {
                    whole.start = name_start(text, whole.start);
                }
                Some(Found { text, whole: trim(text, whole), secret })
            })
        })
    }
}

/// Where the name begins that the text before `at` ends with.
fn name_start(text: &[u8], at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default().iter().rev().take(NAME_BYTES);
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    at - before.take_while(in_name).count()
}

/// Leaves line ends at both ends out.
fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let lead = inner.iter().take_while(|byte| **byte == b'\n').count();
    let tail = inner.iter().skip(lead).rev().take_while(|byte| **byte == b'\n').count();
    range.start + lead..range.end - tail
}
