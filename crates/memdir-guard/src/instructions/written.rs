//! Orders whose form is more than words: marks of chats and tools, commands, links.

use std::ops::Range;

use crate::expression::Expression;

/// An expression, compiled when a hint of it is first met.
#[derive(Debug)]
pub(super) struct Written {
    hints: &'static str,
    source: &'static str,
    compiled: Expression,
}

impl Written {
    /// `hints` are two spaces apart.
    pub(super) fn new(hints: &'static str, source: &'static str) -> Self {
        Self { hints, source, compiled: Expression::default() }
    }

    /// Of these one occurs wherever the expression fits.
    pub(super) fn hints(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.hints.split("  ")
    }

    pub(super) fn matches<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        self.compiled.of(|| self.source).find_iter(text).map(|found| found.range())
    }
}
