//! Saving, and telling one memory from another by its type and name.

use std::borrow::Cow;

use memdir_change::{Given, check_listed, check_rendered, index_op};
use memdir_core::MemPath;
use memdir_core::frontmatter::{
    Edit, Field, NewMemory, Origin, Parsed, Shape, edit, parse, render,
};
use memdir_core::index::{OverLimit, check};
use memdir_core::limits::INDEX_LINE_CHARS;
use memdir_core::name::file_name;
use memdir_core::text::fold;
use memdir_store::{
    Action, ApplyError, Batch, Expect, OpId, OpKind, Receipt, Recovered, Revision, WriteStore,
};

use crate::memory::check_is_memory;
use crate::suspicious::suspicious;
use crate::{Error, Memory};

/// Times that a change is made anew on what another writer left. Ours: each try needs another writer to come in between.
const TRIES: usize = 8;

/// A memory to save.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Save<'a> {
    /// What it says. Who it comes from and when is filled in where it is absent.
    pub memory: NewMemory<'a>,
    /// The file; absent: the one that the memory has already, else one made from type and name.
    pub file: Option<&'a MemPath>,
    /// The title of its index line; absent: what is there, else the name.
    pub title: Option<&'a str>,
    /// The text of its index line after the title; absent: what is there, else the description.
    pub hook: Option<&'a str>,
    /// Why, for the journal.
    pub reason: Option<&'a str>,
}

impl<'a> Save<'a> {
    /// Saves this memory under a name of its own.
    pub fn new(memory: NewMemory<'a>) -> Self {
        Self { memory, file: None, title: None, hook: None, reason: None }
    }
}

/// What a save or an edit did, as found on the disk afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Saved {
    /// The file.
    pub path: MemPath,
    /// What happened to it; updated, too, where only its line in the index is another one.
    pub action: Action,
    /// Its length in bytes.
    pub bytes: u64,
    /// The SHA-256 of its content, read back.
    pub revision: Revision,
    /// The operation in the journal; absent where nothing was written.
    pub op: Option<OpId>,
    /// Its line in the index, without line end; absent where there is none.
    pub index_line: Option<String>,
    /// Whether it also holds what another program wrote at the same moment.
    pub merged: bool,
    /// Operations of writers that died, which were finished or taken back first.
    pub recovered: Vec<Recovered>,
    /// What the writer may want to mend.
    pub remarks: Vec<Remark>,
}

/// Something that a writer may want to mend; the save stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The index line is longer than a pointer should be.
    LongIndexLine {
        /// Its length in Unicode scalar values.
        chars: usize,
    },
    /// Only part of the index is loaded now.
    IndexOverLimit(OverLimit),
    /// What was saved holds a secret, hidden characters, or what reads like an order to a model.
    Suspicious(memdir_guard::Finding),
}

impl<S: WriteStore> Memory<S> {
    /// Saves a memory and its index line, whole or not at all, and reads it back.
    ///
    /// The memory with the same type and name (compared folded) is updated, wherever its file lies; what it holds besides
    /// stays. Where it says all this already nothing is written, its date included.
    ///
    /// # Errors
    ///
    /// [`Error::Blank`], [`Error::Ambiguous`] when several memories have this type and name, [`Error::Taken`] when the
    /// file is another memory's, [`Error::Edit`] and [`Error::NotUtf8`] when the existing file cannot be edited without loss,
    /// [`Error::Unreadable`] when readers would not see what is saved, and what [`WriteStore::apply`] refuses.
    pub fn save(&self, save: &Save<'_>) -> Result<Saved, Error> {
        for (field, text) in [("name", save.memory.name), ("description", save.memory.description)]
        {
            if text.trim().is_empty() {
                return Err(Error::Blank { field });
            }
        }
        let body = with_line_end(save.memory.body);
        retry(None, || {
            let path = self.save_path(save)?;
            let existing = self.existing(&path)?;
            let index = self.index_text()?;
            let (text, before, expect) = match &existing {
                None => (self.render_new(&path, save, &body)?, None, Expect::Absent),
                Some(text) => {
                    let before = parse(text);
                    check_same(&path, &before, save)?;
                    let updated = self.update_text(
                        &path,
                        text,
                        &save_edits(save, &body, &before),
                        Dated::Now,
                    )?;
                    (updated, Some(before.fields), Expect::Unchanged(Revision::of(text.as_bytes())))
                }
            };
            check_listed(&path, &text).map_err(|source| Error::unreadable(&path, source))?;
            let given = Given::new(save.title, save.hook);
            let index_op = index_op(&index, &path, before.as_ref(), &parse(&text).fields, given);
            let batch = Batch::new(OpKind::Save).put(path.clone(), text, expect);
            let batch = index_op.into_iter().fold(batch, Batch::index);
            let receipt = self.store.apply(&batch, &self.by_because(save.reason))?;
            self.saved(path, receipt)
        })
    }

    fn save_path(&self, save: &Save<'_>) -> Result<MemPath, Error> {
        if let Some(file) = save.file {
            check_is_memory(file)?;
            return Ok(file.clone());
        }
        let NewMemory { name, kind, .. } = save.memory;
        let wanted = fold(name);
        let mut candidates: Vec<_> = self
            .scan()?
            .headers
            .into_iter()
            .filter(|header| {
                header.kind == kind
                    && header.name.as_deref().is_some_and(|name| fold(name) == wanted)
            })
            .map(|header| header.path)
            .collect();
        candidates.sort_unstable();
        match candidates.len() {
            0 => Ok(file_name(kind, name)),
            1 => Ok(candidates.remove(0)),
            _ => Err(Error::Ambiguous { reference: name.to_owned(), candidates }),
        }
    }

    fn render_new(&self, path: &MemPath, save: &Save<'_>, body: &str) -> Result<String, Error> {
        let origin = if self.by().actor.is_person() { Origin::User } else { Origin::Agent };
        let mut memory = save.memory.clone();
        memory.body = body;
        memory.origin = memory.origin.or(Some(origin));
        memory.origin_session = memory.origin_session.or(self.by().session.as_deref());
        memory.modified = memory.modified.or(Some(self.now()));
        let text = render(&memory);
        check_rendered(&text, &memory).map_err(|source| Error::unreadable(path, source))?;
        Ok(text)
    }

    /// The file's text, which must be UTF-8 to be edited; `None` where there is no file.
    pub(crate) fn existing(&self, path: &MemPath) -> Result<Option<String>, Error> {
        let Some(bytes) = self.store.read(path)? else { return Ok(None) };
        String::from_utf8(bytes).map(Some).map_err(|_| Error::NotUtf8 { path: path.clone() })
    }

    /// The text with the edits made, and dated now if they changed anything.
    pub(crate) fn update_text(
        &self,
        path: &MemPath,
        text: &str,
        edits: &[Edit<'_>],
        dated: Dated,
    ) -> Result<String, Error> {
        let fault = |source| Error::Edit { path: path.clone(), source };
        let edited = edit(text, edits).map_err(fault)?;
        if edited == text || dated == Dated::AsBefore {
            return Ok(edited);
        }
        edit(&edited, &[Edit::Set(Field::Modified(self.now()))]).map_err(fault)
    }

    /// Reads back what was written, so that "saved" is what a reader sees.
    pub(crate) fn saved(&self, path: MemPath, receipt: Receipt) -> Result<Saved, Error> {
        let written = receipt.has_changes();
        let bytes = self.store.read(&path)?;
        let changed = receipt.changes.into_iter().find(|changed| changed.path == path);
        let Some((bytes, changed)) = bytes.zip(changed) else {
            return Err(Error::NotAsWritten { path });
        };
        let revision = Revision::of(&bytes);
        if changed.after != Some(revision) {
            return Err(Error::NotAsWritten { path });
        }
        let action = match changed.action {
            Action::Unchanged if written => Action::Updated,
            action => action,
        };
        let index = self.index_text()?;
        let index_line = memdir_core::index::lines(&index)
            .find(|line| line.pointer.and_then(|pointer| pointer.path()).as_ref() == Some(&path))
            .map(|line| line.text.to_owned());
        let chars = index_line.as_deref().map_or(0, |line| line.chars().count());
        let long = (chars > INDEX_LINE_CHARS).then_some(Remark::LongIndexLine { chars });
        let over = check(&index, &[], |_| None).over_limit.map(Remark::IndexOverLimit);
        let text = String::from_utf8_lossy(&bytes);
        let suspicious = suspicious(&text).into_iter().map(Remark::Suspicious);
        Ok(Saved {
            path,
            action,
            bytes: changed.bytes,
            revision,
            op: written.then_some(receipt.op),
            index_line,
            merged: changed.merged,
            recovered: receipt.recovered,
            remarks: long.into_iter().chain(over).chain(suspicious).collect(),
        })
    }
}

/// Makes a change anew when another writer came in between, unless it was meant for one revision only.
pub(crate) fn retry<T>(
    expect: Option<Revision>,
    change: impl Fn() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut tries = 1;
    loop {
        match change() {
            Err(Error::Apply(ApplyError::Conflict(_))) if expect.is_none() && tries < TRIES => {
                tries += 1;
            }
            done => return done,
        }
    }
}

/// Whether an edit is a change of content, which moves the memory's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dated {
    Now,
    AsBefore,
}

/// A file is the same memory if name and type agree. A client that rewrites names as slugs does not make it another one.
fn check_same(path: &MemPath, existing: &Parsed<'_>, save: &Save<'_>) -> Result<(), Error> {
    let NewMemory { name, kind, .. } = save.memory;
    let own = existing.fields.name.as_deref().unwrap_or_default();
    let same_name = fold(own) == fold(name) || (!own.is_empty() && own == client_slug(name));
    let same_type = existing.fields.kind == kind || existing.fields.kind_text.is_none();
    if existing.shape != Shape::None && same_name && same_type {
        return Ok(());
    }
    let name = if own.is_empty() { path.as_str() } else { own };
    Err(Error::Taken { path: path.clone(), name: name.to_owned() })
}

/// What has to be set in an existing file; keys that a save does not speak of stay, and so does what agrees already.
fn save_edits<'a>(save: &'a Save<'a>, body: &'a str, before: &Parsed<'_>) -> Vec<Edit<'a>> {
    let memory = &save.memory;
    let fields = &before.fields;
    let mut edits = Vec::new();
    let mut set = |differs: bool, field: Field<'a>| {
        if differs {
            edits.push(Edit::Set(field));
        }
    };
    set(fields.name.is_none(), Field::Name(memory.name));
    set(
        fields.description.as_deref() != Some(memory.description),
        Field::Description(memory.description),
    );
    if let Some(kind) = memory.kind {
        set(fields.kind != Some(kind), Field::Type(kind));
    }
    set(memory.pinned && !fields.pinned, Field::Pinned(true));
    let mut set_list = |new: &'a [String], old: &[String], field: Field<'a>| {
        set(!new.is_empty() && new != old, field);
    };
    set_list(memory.triggers, &fields.triggers, Field::Triggers(memory.triggers));
    set_list(memory.paths, &fields.paths, Field::Paths(memory.paths));
    set_list(memory.supersedes, &fields.supersedes, Field::Supersedes(memory.supersedes));
    let same_lines = |a: &str, b: &str| a.trim().lines().eq(b.trim().lines());
    if !same_lines(body, before.body) {
        edits.push(Edit::Body(body));
    }
    edits
}

fn with_line_end(body: &str) -> Cow<'_, str> {
    if body.is_empty() || body.ends_with('\n') {
        Cow::Borrowed(body)
    } else {
        Cow::Owned(format!("{body}\n"))
    }
}

/// A name as the client rewrites it after its own edits: lower-case ASCII letters and digits, `-` for all between.
fn client_slug(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words: Vec<_> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}
