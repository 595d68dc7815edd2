//! Regular expressions on bytes, compiled when they are first needed.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::limits::REGEX_BYTES;

/// An expression of a data file. A test compiles every one of them.
#[derive(Debug, Default)]
pub(crate) struct Expression(OnceLock<Regex>);

impl Expression {
    /// The expression, compiled from `source` where it is needed for the first time.
    pub(crate) fn of<S: AsRef<str>>(&self, source: impl FnOnce() -> S) -> &Regex {
        self.0.get_or_init(|| {
            RegexBuilder::new(source().as_ref())
                .unicode(false)
                .size_limit(REGEX_BYTES)
                .build()
                .expect("a test compiles every expression of the data files")
        })
    }
}
