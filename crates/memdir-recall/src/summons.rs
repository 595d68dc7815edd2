//! What brings a memory up without ranking: its triggers, and the files that it is about.

use std::fmt;

use memdir_core::text::prefix;
use memdir_scan::Header;

use crate::{BadPattern, PatternFault, Query, lexical::read_of, limits, pattern, phrase::Prose};

/// What brought a memory up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Summons {
    /// The question has one of its `triggers`.
    Trigger(String),
    /// A file in play matches one of its `paths`.
    File {
        /// The pattern as written.
        pattern: String,
        /// The first file that matches it.
        file: String,
    },
}

/// Displays as a clause in plain words.
impl fmt::Display for Summons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trigger(phrase) => write!(f, "the question has its trigger `{phrase}`"),
            Self::File { pattern, file } => {
                write!(f, "`{file}` is in play, and it is for `{pattern}`")
            }
        }
    }
}

/// A question as what may bring memories up.
pub(crate) struct Bell<'a> {
    question: Vec<Prose>,
    files: Vec<&'a str>,
    pub(crate) bad_patterns: Vec<BadPattern>,
}

impl<'a> Bell<'a> {
    pub(crate) fn of(query: &Query<'a>) -> Self {
        let files = query.files.iter().take(limits::FILES);
        Self {
            question: read_of(query.text).into_iter().map(Prose::of).collect(),
            files: files.map(|file| file.trim_start_matches("./")).collect(),
            bad_patterns: Vec::new(),
        }
    }

    /// What brings a memory up, a trigger before a file; patterns that cannot be used are noted.
    pub(crate) fn calls(&mut self, header: &Header) -> Option<Summons> {
        let mut triggers = header.triggers.iter().take(limits::SUMMONS);
        let trigger = triggers.find(|phrase| self.question.iter().any(|prose| prose.has(phrase)));
        let trigger = trigger.map(|phrase| Summons::Trigger(phrase.clone()));
        trigger.or_else(|| self.file(header))
    }

    fn file(&mut self, header: &Header) -> Option<Summons> {
        if self.files.is_empty() {
            return None;
        }
        let mut found = None;
        for pattern in header.paths.iter().take(limits::SUMMONS) {
            match pattern::compile(pattern) {
                Ok(glob) => {
                    let file = self.files.iter().find(|file| glob.is_match(file));
                    found = found.or_else(|| {
                        Some(Summons::File { pattern: pattern.clone(), file: (*file?).to_owned() })
                    });
                }
                Err(fault) => self.bad_patterns.push(bad(header, pattern, fault)),
            }
        }
        found
    }
}

fn bad(header: &Header, pattern: &str, fault: PatternFault) -> BadPattern {
    let pattern = prefix(pattern, limits::PATTERN_BYTES).to_owned();
    BadPattern { path: header.path.clone(), pattern, fault }
}
