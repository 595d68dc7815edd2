//! Changes of an existing memory.

use memdir_change::{Given, check_listed, index_op};
use memdir_core::MemPath;
use memdir_core::frontmatter::{Edit, Field, parse};
use memdir_store::{ApplyError, Batch, Conflict, Expect, OpKind, Revision, WriteStore};

use crate::memory::check_is_memory;
use crate::save::{Dated, retry};
use crate::{Error, Memory, Saved};

/// A change of an existing memory.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Change<'a> {
    /// What is changed, in order. Everything else in the file stays byte for byte, except its date.
    pub edits: Vec<Edit<'a>>,
    /// The content that the change was made for; absent: whatever is there.
    pub expect: Option<Revision>,
    /// Why, for the journal.
    pub reason: Option<&'a str>,
}

impl<'a> Change<'a> {
    /// Makes these edits.
    pub fn new(edits: impl IntoIterator<Item = Edit<'a>>) -> Self {
        Self { edits: edits.into_iter().collect(), ..Self::default() }
    }
}

impl<S: WriteStore> Memory<S> {
    /// Edits a memory. Its index line follows name and description; its date is now, unless only the date of its verification
    /// was set.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`] when there is no such file, [`Error::NotAMemory`], [`Error::Blank`], [`Error::Edit`] and
    /// [`Error::NotUtf8`] when it cannot be edited without loss, [`Error::Unreadable`], and what [`WriteStore::apply`] refuses: with
    /// [`Change::expect`] a conflict when the content is another one.
    pub fn edit(&self, path: &MemPath, change: &Change<'_>) -> Result<Saved, Error> {
        check_is_memory(path)?;
        change.edits.iter().try_for_each(check_not_blank)?;
        let verifies = |edit: &Edit<'_>| matches!(edit, Edit::Set(Field::LastVerified(_)));
        let dated = if change.edits.iter().all(verifies) { Dated::AsBefore } else { Dated::Now };
        retry(change.expect, || {
            let missing = || Error::Missing { reference: path.to_string(), near: Vec::new() };
            let text = self.existing(path)?.ok_or_else(missing)?;
            let found = Revision::of(text.as_bytes());
            let updated = self.update_text(path, &text, &change.edits, dated)?;
            if let Some(expected) = change.expect.filter(|expected| *expected != found) {
                let wanted = Revision::of(updated.as_bytes());
                let conflict =
                    Conflict::new(path.clone(), Some(expected), Some(found), Some(wanted));
                return Err(ApplyError::Conflict(vec![conflict]).into());
            }
            check_listed(path, &updated).map_err(|source| Error::unreadable(path, source))?;
            let (before, after) = (parse(&text).fields, parse(&updated).fields);
            let index = self.index_text()?;
            let follows = before.name != after.name || before.description != after.description;
            let index_op = if follows {
                index_op(&index, path, Some(&before), &after, Given::default())
            } else {
                None
            };
            let batch =
                Batch::new(OpKind::Edit).put(path.clone(), updated, Expect::Unchanged(found));
            let batch = index_op.into_iter().fold(batch, Batch::index);
            let receipt = self.store.apply(&batch, &self.by_because(change.reason))?;
            self.saved(path.clone(), receipt)
        })
    }
}

/// As for a save. Who wants a memory without one of these removes the key.
fn check_not_blank(edit: &Edit<'_>) -> Result<(), Error> {
    let (field, text) = match edit {
        Edit::Set(Field::Name(name)) => ("name", name),
        Edit::Set(Field::Description(description)) => ("description", description),
        _ => return Ok(()),
    };
    if text.trim().is_empty() { Err(Error::Blank { field }) } else { Ok(()) }
}
