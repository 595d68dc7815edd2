//! Orders whose form is more than words: marks of chats and tools, commands, links.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::limits::REGEX_BYTES;

/// An expression, compiled when a hint of it is first met.
#[derive(Debug)]
pub(super) struct Written {
    hints: &'static str,
    source: &'static str,
    compiled: OnceLock<Regex>,
}

impl Written {
    /// `hints` are two spaces apart.
    pub(super) fn new(hints: &'static str, source: &'static str) -> Self {
        Self { hints, source, compiled: OnceLock::new() }
    }

    /// Of these one occurs wherever the expression fits.
    pub(super) fn hints(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.hints.split("  ")
    }

    pub(super) fn matches<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let regex = self.compiled.get_or_init(|| {
            RegexBuilder::new(self.source)
                .unicode(false)
                .size_limit(REGEX_BYTES)
                .build()
                .expect("a test compiles every expression that the patterns hold")
        });
        regex.find_iter(text).map(|found| found.range())
    }
}
