//! Lists of what looks like a secret and is none.

use std::ops::Range;

use super::pattern::Pattern;
use crate::words::Words;

/// What a rule found.
#[derive(Debug, Clone)]
pub(super) struct Found<'a> {
    pub(super) text: &'a [u8],
    /// All that the rule's expression fits.
    pub(super) whole: Range<usize>,
    /// What of it is the secret.
    pub(super) secret: Range<usize>,
}

/// A list of what is no secret.
#[derive(Debug)]
pub(super) struct Allowed {
    pub(super) needs: Needs,
    pub(super) target: Target,
    pub(super) paths: Vec<Pattern>,
    pub(super) patterns: Vec<Pattern>,
    /// Words that the secret holds.
    pub(super) words: Option<Words>,
}

/// How much of a list has to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Needs {
    Any,
    /// Each of those that the list has: paths, patterns, words.
    All,
}

/// What the patterns of a list are for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Secret,
    Match,
    /// The lines that the match is in.
    Line,
}

impl Found<'_> {
    pub(super) fn secret(&self) -> &[u8] {
        self.text.get(self.secret.clone()).unwrap_or_default()
    }

    fn target(&self, target: Target) -> &[u8] {
        let range = match target {
            Target::Secret => self.secret.clone(),
            Target::Match => self.whole.clone(),
            Target::Line => crate::place::lines_around(self.text, &self.whole),
        };
        self.text.get(range).unwrap_or_default()
    }
}

impl Allowed {
    pub(super) fn allows(&self, found: &Found<'_>, path: Option<&str>) -> bool {
        let fits_path = || self.is_for_path(path);
        let fits_pattern = || {
            let target = found.target(self.target);
            self.patterns.iter().any(|pattern| pattern.is_match(target))
        };
        let fits_word = || self.words.as_ref().is_some_and(|words| words.occur_in(found.secret()));
        match self.needs {
            Needs::Any => fits_path() || fits_pattern() || fits_word(),
            Needs::All => {
                (self.paths.is_empty() || fits_path())
                    && (self.patterns.is_empty() || fits_pattern())
                    && (self.words.is_none() || fits_word())
            }
        }
    }

    pub(super) fn is_for_path(&self, path: Option<&str>) -> bool {
        path.is_some_and(|path| self.paths.iter().any(|pattern| pattern.is_match(path.as_bytes())))
    }
}
