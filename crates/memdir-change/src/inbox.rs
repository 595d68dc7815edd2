//! What waits for a person: changes that a run proposed and may not make by itself.

mod decide;
mod wire;

use std::time::{Duration, SystemTime};

use memdir_core::MemPath;
use memdir_core::frontmatter::{Edit, Key, Origin, edit};
use memdir_store::disk::Disk;
use memdir_store::{Error, IndexOp, ReadStore, Revision, StateName, Store, Turn};

pub use decide::{InboxError, apply, dismiss, forget_in_inbox};

use crate::limits::{INBOX_AGE, INBOX_BYTES, INBOX_ITEMS};
use crate::{Evidence, OpWord};

pub(crate) const STATE: StateName = StateName::new("inbox.json");

/// What waits for a person, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Inbox {
    /// The proposals.
    pub items: Vec<Item>,
    /// The number of the next one.
    next: u64,
}

/// Changes that are made together or not at all, and why they wait.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item {
    /// Its number; no other item of this inbox ever has it.
    pub id: u64,
    /// When it was proposed.
    pub at: SystemTime,
    /// Who proposed it, as the journal names actors.
    pub actor: String,
    /// The run.
    pub run: Option<String>,
    /// The conversation that led to it.
    pub session: Option<String>,
    /// Why it waits, in words for a person.
    pub waits: String,
    /// The operations, with the run's own reasons.
    pub operations: Vec<Asked>,
    /// The files that change.
    pub files: Vec<ProposedFile>,
    /// The lines of the index that change.
    pub index: Vec<IndexOp>,
}

/// An operation as the run asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked {
    /// What kind; absent: one of a later version.
    pub word: Option<OpWord>,
    /// Why, in the run's words, with secrets blotted out.
    pub reason: String,
    /// Who it comes from, as the run says.
    pub origin: Origin,
    /// What the run quoted, with secrets blotted out.
    pub evidence: Vec<Evidence>,
}

/// A file as a proposal wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProposedFile {
    /// The file.
    pub path: MemPath,
    /// Its content when it was proposed; absent: no file.
    pub before: Option<Revision>,
    /// What it says afterwards; absent: it goes.
    pub after: Option<String>,
}

/// How a proposal stands to the memories of now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "what it is about is as it was, as it should be, or else"
)]
pub enum Standing {
    /// What it is about is as it was.
    Open,
    /// The memories are as it wants them.
    Done,
    /// What it is about was changed since, so it is not applied any more.
    Stale {
        /// The first memory that was.
        path: MemPath,
    },
}

/// What became of proposals that were to be added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Added {
    /// The numbers of those that wait now, known ones included.
    pub waiting: Vec<u64>,
    /// How many found no room; the inbox is full until a person looks through it.
    pub turned_away: usize,
    /// How many older ones had waited too long and went.
    pub expired: usize,
}

impl Item {
    /// Tells how it stands to the memories of now.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn standing(&self, store: &dyn ReadStore) -> Result<Standing, Error> {
        let mut is_done = !self.files.is_empty();
        for file in &self.files {
            let now = store.read(&file.path)?.map(|bytes| Revision::of(&bytes));
            let after = file.after.as_deref().map(|text| Revision::of(text.as_bytes()));
            is_done &= now == after;
            if now != after && now != file.before {
                return Ok(Standing::Stale { path: file.path.clone() });
            }
        }
        for op in &self.index {
            let is_own = self.files.iter().any(|file| file.path == *op.path());
            let leads_nowhere = matches!(op, IndexOp::Upsert { .. })
                && !is_own
                && store.read_head(op.path(), 0)?.is_none();
            if leads_nowhere {
                return Ok(Standing::Stale { path: op.path().clone() });
            }
        }
        Ok(if is_done { Standing::Done } else { Standing::Open })
    }

    /// Tells whether it is about a memory.
    pub fn touches(&self, path: &MemPath) -> bool {
        self.files.iter().any(|file| file.path == *path)
            || self.index.iter().any(|op| op.path() == path)
    }

    fn same_change(&self, other: &Self) -> bool {
        let kept = |file: &ProposedFile| {
            (file.path.clone(), file.before, file.after.as_deref().map(undated))
        };
        self.index == other.index && self.files.iter().map(kept).eq(other.files.iter().map(kept))
    }
}

/// A text without the date of its change, which differs from run to run.
fn undated(text: &str) -> String {
    edit(text, &[Edit::Remove(Key::Modified)]).unwrap_or_else(|_| text.to_owned())
}

impl Inbox {
    /// Reads the inbox of a store; empty where nothing waits.
    ///
    /// # Errors
    ///
    /// [`Error::NewerFormat`], and when the file cannot be read or is damaged.
    pub fn read<D: Disk>(store: &Store<D>) -> Result<Self, Error> {
        wire::read(store.state(STATE)?.as_deref())
    }

    /// Returns the proposal of that number.
    pub fn item(&self, id: u64) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    pub(crate) fn in_turn<D: Disk>(turn: &Turn<'_, '_, D>) -> Result<Self, Error> {
        wire::read(turn.state(STATE)?.as_deref())
    }

    pub(crate) fn write<D: Disk>(&self, turn: &mut Turn<'_, '_, D>) -> Result<(), Error> {
        turn.set_state(STATE, &wire::write(self)?)
    }

    /// Adds proposals as far as there is room. One that waits already is not added again, and those that waited too long go.
    pub(crate) fn add(&mut self, proposals: Vec<Item>, now: SystemTime) -> Result<Added, Error> {
        let is_young =
            |item: &Item| now.duration_since(item.at).unwrap_or(Duration::ZERO) <= INBOX_AGE;
        let before = self.items.len();
        self.items.retain(is_young);
        let mut added = Added { expired: before - self.items.len(), ..Added::default() };
        let mut bytes = wire::write(self)?.len();
        for mut item in proposals {
            if let Some(known) = self.items.iter().find(|known| known.same_change(&item)) {
                added.waiting.push(known.id);
                continue;
            }
            item.id = self.next.max(1);
            let size = wire::size(&item)?;
            if self.items.len() >= INBOX_ITEMS || bytes + size > INBOX_BYTES {
                added.turned_away += 1;
                continue;
            }
            bytes += size;
            self.next = item.id + 1;
            added.waiting.push(item.id);
            self.items.push(item);
        }
        Ok(added)
    }
}
