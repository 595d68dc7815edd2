//! Changing memories, which was read before and is the run's to change.

use std::borrow::Cow;

use memdir_core::{MemPath, frontmatter};
use memdir_store::{
    IndexOp, ReadStore, Revision, limits as store_limits, overlay::RecordError,
    project::ProjectFiles,
};

use super::{Desk, Ran, Seen};
use crate::{Denial, Matches, Spent, index_text, policy::writable, survey::survey};

impl<S: ReadStore, P: ProjectFiles> Desk<S, P> {
    pub(super) fn write(&mut self, path: &MemPath, text: &str) -> Ran {
        if let Some(before) = self.before(path)? {
            if !self.seen(path, &before)?.whole {
                return Err(Denial::ReadInPart(path.clone()));
            }
            if before == text.as_bytes() {
                return Ok(format!("`{path}` says that already."));
            }
        }
        self.put(path, text, true)?;
        Ok(format!("`{path}` is written."))
    }

    pub(super) fn edit(&mut self, path: &MemPath, old: &str, new: &str, matches: Matches) -> Ran {
        let before = if path.is_index() { self.index_bytes()? } else { self.before(path)? };
        let before = before.ok_or_else(|| Denial::absent(path))?;
        let seen = self.seen(path, &before)?;
        let text = str::from_utf8(&before).map_err(|_| Denial::NotText(path.clone()))?;
        let (old, new) = as_in(text, old, new);
        let count = text.matches(&*old).count();
        if count == 0 {
            return Err(Denial::OldAbsent(path.clone()));
        }
        if count > 1 && matches == Matches::One {
            return Err(Denial::OldAmbiguous { path: path.clone(), count });
        }
        let after = text.replace(&*old, &new);
        if path.is_index() {
            return self.set_lines(text, &after);
        }
        self.put(path, &after, seen.whole)?;
        Ok(format!("`{path}` is changed."))
    }

    pub(super) fn write_index(&mut self, text: &str) -> Ran {
        let before = self.index_bytes()?.unwrap_or_default();
        if !before.is_empty() && !self.seen(&MemPath::index(), &before)?.whole {
            return Err(Denial::ReadInPart(MemPath::index()));
        }
        let before = str::from_utf8(&before).map_err(|_| Denial::NotText(MemPath::index()))?;
        self.set_lines(before, text)
    }

    pub(super) fn point(&mut self, path: &MemPath, title: &str, hook: &str) -> Ran {
        let op =
            IndexOp::Upsert { path: path.clone(), title: title.to_owned(), hook: hook.to_owned() };
        self.may_point(&op)?;
        self.spend(title.len() + hook.len())?;
        self.record(op)?;
        Ok(format!("The line for `{path}` in `MEMORY.md` is set."))
    }

    pub(super) fn remove(&mut self, path: &MemPath, kept_in: Option<&MemPath>) -> Ran {
        let before = self.before(path)?.ok_or_else(|| Denial::absent(path))?;
        self.seen(path, &before)?;
        if let Some(kept_in) = kept_in {
            let head = self.overlay.read_head(kept_in, 0).map_err(|error| Denial::store(&error))?;
            if head.is_none() || kept_in == path {
                return Err(Denial::KeptNowhere(kept_in.clone()));
            }
            // What is kept elsewhere goes only together with what keeps it.
            let group = self.group(kept_in);
            self.groups.insert(path.clone(), group.number());
        }
        let group = self.group(path);
        self.overlay.remove(group, path.clone()).map_err(|error| recorded(&error))?;
        self.record(IndexOp::Remove { path: path.clone() })?;
        self.seen.remove(path);
        Ok(format!("`{path}` is removed."))
    }

    /// What a memory holds that the run is about to change; `None` if there is none of that name yet.
    fn before(&self, path: &MemPath) -> Result<Option<Vec<u8>>, Denial> {
        survey(&self.overlay, path)?;
        let bytes = self.overlay.read(path).map_err(|error| Denial::store(&error))?;
        if bytes.as_deref().is_some_and(is_pinned) {
            return Err(Denial::Pinned(path.clone()));
        }
        Ok(bytes)
    }

    /// What the model was shown of this very text.
    fn seen(&self, path: &MemPath, now: &[u8]) -> Result<Seen, Denial> {
        let seen = self.seen.get(path).ok_or_else(|| Denial::NotRead(path.clone()))?;
        if seen.revision != Revision::of(now) {
            return Err(Denial::Changed(path.clone()));
        }
        Ok(*seen)
    }

    fn put(&mut self, path: &MemPath, text: &str, whole: bool) -> Result<(), Denial> {
        if text.trim().is_empty() {
            return Err(Denial::Empty);
        }
        if is_pinned(text.as_bytes()) {
            return Err(Denial::Pinned(path.clone()));
        }
        self.spend(text.len())?;
        let group = self.group(path);
        self.overlay.put(group, path.clone(), text).map_err(|error| recorded(&error))?;
        let revision = Revision::of(text.as_bytes());
        self.seen.insert(path.clone(), Seen { revision, whole });
        Ok(())
    }

    /// Counts bytes that are written.
    fn spend(&mut self, bytes: usize) -> Result<(), Denial> {
        let written = self.written.saturating_add(bytes as u64);
        if written > self.limits.written_bytes || bytes as u64 > store_limits::MAX_FILE_BYTES {
            return Err(Denial::Spent(Spent::Written));
        }
        self.written = written;
        Ok(())
    }

    fn index_bytes(&self) -> Result<Option<Vec<u8>>, Denial> {
        self.overlay.read(&MemPath::index()).map_err(|error| Denial::store(&error))
    }

    /// Records what makes the lines of one text those of another: all of it, or nothing where one is refused.
    fn set_lines(&mut self, before: &str, after: &str) -> Ran {
        let ops = index_text::operations(before, after);
        for op in &ops {
            writable(op.path())?;
            self.may_point(op)?;
        }
        self.spend(after.len())?;
        let count = ops.len();
        for op in ops {
            self.record(op)?;
        }
        Ok(format!(
            "Lines of `MEMORY.md` that are changed: {count}. Lines that lead to no memory stay as they are."
        ))
    }

    /// Whether the line of that memory is the run's to change.
    fn may_point(&self, op: &IndexOp) -> Result<(), Denial> {
        let path = op.path();
        let is_there = self.before(path)?.is_some();
        if matches!(op, IndexOp::Upsert { .. }) && !is_there {
            return Err(Denial::absent(path));
        }
        Ok(())
    }

    fn record(&mut self, op: IndexOp) -> Result<(), Denial> {
        let index = MemPath::index();
        let before = Revision::of(&self.index_bytes()?.unwrap_or_default());
        let group = self.group(op.path());
        self.overlay.index(group, op).map_err(|error| recorded(&error))?;
        // Who knew the index and changed a line of it knows it still.
        let now = Revision::of(&self.index_bytes()?.unwrap_or_default());
        if let Some(seen) = self.seen.get_mut(&index).filter(|seen| seen.revision == before) {
            seen.revision = now;
        }
        Ok(())
    }
}

fn is_pinned(bytes: &[u8]) -> bool {
    frontmatter::parse(&frontmatter::decode(bytes).0).fields.pinned
}

fn recorded(error: &RecordError) -> Denial {
    Denial::Unreadable(error.to_string())
}

/// The old and the new text as they would stand in `text`: without the marks of a quotation if they came with them, and with its line breaks.
fn as_in<'a>(text: &str, old: &'a str, new: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
    let (mut old, mut new) = (Cow::Borrowed(old), Cow::Borrowed(new));
    if !text.contains(&*old)
        && let Some(plain) = unquoted(&old)
    {
        new = unquoted(&new).map_or(new, Cow::Owned);
        old = Cow::Owned(plain);
    }
    if text.contains("\r\n") && !text.contains(&*old) && !old.contains('\r') {
        new = Cow::Owned(new.replace('\n', "\r\n"));
        old = Cow::Owned(old.replace('\n', "\r\n"));
    }
    (old, new)
}

/// `None` where not every line is quoted.
fn unquoted(text: &str) -> Option<String> {
    let lines: Option<Vec<_>> = text
        .split('\n')
        .map(|line| line.strip_prefix("> ").or_else(|| line.strip_prefix('>')))
        .collect();
    lines.map(|lines| lines.join("\n"))
}
