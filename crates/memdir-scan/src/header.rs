//! What a scan knows of a memory.

use std::time::SystemTime;

use memdir_core::{
    MemPath, MemoryType,
    age::{self, Age},
    frontmatter::{DateSource, Note, Origin},
};

/// What a scan knows about a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Its file, relative to the memory directory.
    pub path: MemPath,
    /// `name`; absent: the file name without its ending is all there is.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// Its type, if it is one of the four.
    pub kind: Option<MemoryType>,
    /// The date that orders and ages it: its own, else that of the file.
    pub date: SystemTime,
    /// Where `date` comes from.
    pub date_from: DateFrom,
    /// Whether `date` says when it was written; not so where somebody touched the directory as a whole.
    pub age_known: bool,
    /// When the file was last changed, as the file system says.
    pub modified: SystemTime,
    /// When somebody last checked that it holds.
    pub last_verified: Option<SystemTime>,
    /// Length of the file in bytes.
    pub len: u64,
    /// Only a person changes it.
    pub pinned: bool,
    /// Who it comes from, if it says so.
    pub origin: Option<Origin>,
    /// Words that bring it up, in the order written.
    pub triggers: Vec<String>,
    /// Globs of files that bring it up, in the order written.
    pub paths: Vec<String>,
    /// What was met on reading its frontmatter.
    pub notes: Vec<Note>,
}

/// Where the date of a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateFrom {
    /// A key of its frontmatter.
    Own(DateSource),
    /// The modification time of the file.
    File,
}

impl Header {
    /// The name, or the file name without its ending where there is none.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or_else(|| self.path.stem())
    }

    /// Its age at `now`; `None` where no date says when it was written. A date in the future is an age of 0 days.
    pub fn age(&self, now: SystemTime) -> Option<Age> {
        self.age_known.then(|| age::age(self.date, now))
    }

    /// The age that its caveat goes by: since it was last verified, if that was after its date, else [`age`](Self::age).
    pub fn caveat_age(&self, now: SystemTime) -> Option<Age> {
        match self.last_verified {
            Some(at) if !self.age_known || at > self.date => Some(age::age(at, now)),
            _ => self.age(now),
        }
    }

    /// What to mind about its age at `now`; nothing for one that was written or verified within the last two days.
    pub fn caveat(&self, now: SystemTime) -> Option<String> {
        let Some(age) = self.caveat_age(now) else {
            return Some(age::unknown_age_caveat());
        };
        if Some(age) == self.age(now) { age::caveat(age) } else { age::verified_caveat(age) }
    }
}
