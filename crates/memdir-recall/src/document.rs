//! A memory as the selector sees it.

use std::time::SystemTime;

use memdir_core::{MemPath, MemoryType};
use memdir_scan::Header;

use crate::{Uses, limits};

/// A memory as a search sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document<'a> {
    /// Its file.
    pub path: &'a MemPath,
    /// `name`, if it has one.
    pub name: Option<&'a str>,
    /// `description`, if it has one.
    pub description: Option<&'a str>,
    /// Its type, if it has one.
    pub kind: Option<MemoryType>,
    /// The head of its body; a few kilobytes are enough, since what a long text is about stands at its beginning.
    pub body: &'a str,
    /// Its date; of two memories that fit equally the newer comes first.
    pub date: SystemTime,
    /// How it was used before.
    pub uses: Uses,
}

impl<'a> Document<'a> {
    /// A memory of which only file and date are known; set the other fields as they are known.
    pub fn new(path: &'a MemPath, date: SystemTime) -> Self {
        Self {
            path,
            name: None,
            description: None,
            kind: None,
            body: "",
            date,
            uses: Uses::default(),
        }
    }

    /// A memory with the header that a scan made, and the head of its body.
    pub fn of(header: &'a Header, body: &'a str) -> Self {
        Self {
            path: &header.path,
            name: header.name.as_deref(),
            description: header.description.as_deref(),
            kind: header.kind,
            body,
            date: header.date,
            uses: Uses::default(),
        }
    }

    /// What the description says it is about before it says more: `error handling` of `error handling: return them`.
    pub(crate) fn topic(&self) -> Option<&'a str> {
        let (topic, more) = self.description?.split_once(':')?;
        let is_topic = topic.len() <= limits::TOPIC_BYTES && !topic.contains(". ");
        (is_topic && more.starts_with(char::is_whitespace)).then_some(topic)
    }

    /// Whether it has a name or a topic.
    pub(crate) fn is_named(&self) -> bool {
        self.name.is_some() || self.topic().is_some()
    }

    /// The name, or the file name without its ending where there is none.
    pub(crate) fn title(&self) -> &'a str {
        self.name.unwrap_or_else(|| self.path.stem())
    }
}
