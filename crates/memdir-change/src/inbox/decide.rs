//! A person decides: a proposal is applied, or dismissed.

use std::time::SystemTime;

use memdir_core::MemPath;
use memdir_core::frontmatter::decode;
use memdir_store::disk::Disk;
use memdir_store::{
    ApplyError, Attribution, Batch, Error, Expect, OpKind, ReadStore, Receipt, Refusal, Revision,
    Store, Turn,
};

use super::{Inbox, Item, Standing};
use crate::Rule;
use crate::place::check_place;
use crate::tombstones::Tombstones;
use crate::validate::check_file;

/// Why nothing was decided; memories and inbox are as they were.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InboxError {
    /// No proposal has that number; another process may have decided on it.
    #[error("there is no proposal {id}")]
    Missing {
        /// The number.
        id: u64,
    },
    /// A memory was changed since, so the proposal is about something else.
    #[error("proposal {id} is stale: `{path}` was changed since")]
    Stale {
        /// The number.
        id: u64,
        /// The memory.
        path: MemPath,
    },
    /// It breaks a rule that holds for a person's word too.
    #[error("proposal {id} cannot be applied: {reason}")]
    Refused {
        /// The number.
        id: u64,
        /// The rule.
        rule: Rule,
        /// How.
        reason: String,
    },
    /// Only a person decides.
    #[error("only a person applies a proposal")]
    PersonOnly,
    /// The store did not take it.
    #[error(transparent)]
    Apply(ApplyError),
    /// The disk or another writer is in the way.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<ApplyError> for InboxError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Store(error) => Self::Store(error),
            ApplyError::Refused { refusal: Refusal::PersonOnly, .. } => Self::PersonOnly,
            error => Self::Apply(error),
        }
    }
}

/// Makes the changes of a proposal and takes it out of the inbox, in one turn; `by` must be a person.
///
/// It is checked again: what was changed since makes it stale, and a stale one stays and is not applied. Where a program
/// died between the two, the changes are found made the next time and the proposal goes. What is written anew is no
/// longer forgotten.
///
/// # Errors
///
/// [`InboxError`]; of several processes that apply one proposal all but the first get [`InboxError::Missing`].
pub fn apply<D: Disk>(store: &Store<D>, id: u64, by: &Attribution) -> Result<Receipt, InboxError> {
    if !by.actor.is_person() {
        return Err(InboxError::PersonOnly);
    }
    store.turn("inbox", |turn| {
        let (mut inbox, item) = take(turn, id)?;
        check(&item, store)?;
        if let Standing::Stale { path } = item.standing(store)? {
            return Err(InboxError::Stale { id, path });
        }
        let receipt = turn.apply(&batch(&item, store)?, by)?;
        lift(turn, &item)?;
        inbox.items.retain(|other| other.id != id);
        inbox.write(turn)?;
        Ok(receipt)
    })
}

/// Takes a proposal out of the inbox without making its changes. New memories among them count as forgotten, so that the
/// next run does not propose them again.
///
/// # Errors
///
/// [`InboxError::Missing`], and when state cannot be read or written.
pub fn dismiss<D: Disk>(store: &Store<D>, id: u64, at: SystemTime) -> Result<Item, InboxError> {
    store.turn("inbox", |turn| {
        let (mut inbox, item) = take(turn, id)?;
        let mut tombstones = Tombstones::in_turn(turn)?;
        let known = tombstones.clone();
        for file in item.files.iter().filter(|file| file.before.is_none()) {
            if let Some(text) = &file.after {
                tombstones.add(&file.path, text.as_bytes(), at);
            }
        }
        if tombstones != known {
            tombstones.write(turn)?;
        }
        inbox.items.retain(|other| other.id != id);
        inbox.write(turn)?;
        Ok(item)
    })
}

/// Takes proposals that are meant out of the inbox, for good; returns how many went. Takes the lock only where some are meant.
///
/// # Errors
///
/// When state cannot be read or written.
pub fn forget_in_inbox<D: Disk>(
    store: &Store<D>,
    is_meant: impl Fn(&Item) -> bool,
) -> Result<usize, Error> {
    if !Inbox::read(store)?.items.iter().any(&is_meant) {
        return Ok(0);
    }
    store.turn("inbox", |turn| {
        let mut inbox = Inbox::in_turn(turn)?;
        let before = inbox.items.len();
        inbox.items.retain(|item| !is_meant(item));
        inbox.write(turn)?;
        Ok(before - inbox.items.len())
    })
}

fn take<D: Disk>(turn: &Turn<'_, '_, D>, id: u64) -> Result<(Inbox, Item), InboxError> {
    let inbox = Inbox::in_turn(turn)?;
    let item = inbox.item(id).cloned().ok_or(InboxError::Missing { id })?;
    Ok((inbox, item))
}

/// The rules that hold whoever writes; the file of the inbox may have been changed by another program.
fn check(item: &Item, store: &dyn ReadStore) -> Result<(), InboxError> {
    for file in &item.files {
        let before = store.read(&file.path)?.map(|bytes| decode(&bytes).0.into_owned());
        let checked = check_place(&file.path).and_then(|()| match &file.after {
            Some(text) => check_file(&file.path, text, before.as_deref()),
            None => Ok(()),
        });
        if let Err(objection) = checked {
            let (rule, reason) = (objection.rule, objection.reason);
            return Err(InboxError::Refused { id: item.id, rule, reason });
        }
    }
    Ok(())
}

/// The changes that are still to be made, on the files as they are.
fn batch(item: &Item, store: &dyn ReadStore) -> Result<Batch, Error> {
    let mut batch = Batch::new(OpKind::Named("inbox".to_owned()));
    for file in &item.files {
        let path = file.path.clone();
        let now = store.read(&path)?.map(|bytes| Revision::of(&bytes));
        let after = file.after.as_deref().map(|text| Revision::of(text.as_bytes()));
        if now == after {
            continue;
        }
        // Another program may write without the lock, at this very moment: then it is a conflict.
        let expect = file.before.map_or(Expect::Absent, Expect::Unchanged);
        batch = match &file.after {
            Some(text) => batch.put(path, text.as_bytes(), expect),
            None => batch.remove(path, expect),
        };
    }
    Ok(item.index.iter().cloned().fold(batch, Batch::index))
}

fn lift<D: Disk>(turn: &mut Turn<'_, '_, D>, item: &Item) -> Result<(), Error> {
    let mut tombstones = Tombstones::in_turn(turn)?;
    let mut lifted = false;
    for file in &item.files {
        if let Some(text) = &file.after {
            lifted |= tombstones.lift(&file.path, text.as_bytes());
        }
    }
    if lifted { tombstones.write(turn) } else { Ok(()) }
}
