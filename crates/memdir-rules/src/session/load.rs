//! Loading one file, if it is allowed, and once.

use std::error::Error as _;
use std::path::Path;

use memdir_core::text::prefix;
use memdir_store::FileKind;
use memdir_store::files::{Error, Files, Found, Identity};

use super::{Loaded, Session};
use crate::document::{self, Document, Role};
use crate::fragment::{Fragment, Kind, Reason, Scope};
use crate::limits;
use crate::note::{Note, NoteKind};
use crate::paths::Base;
use crate::setup::External;

impl<F: Files> Session<F> {
    /// Loads what the administrator gives.
    pub(super) fn managed(&mut self, out: &mut Loaded) {
        if let Some(path) = self.setup.managed.clone()
            && let Some(found) = self.look(&path, out)
        {
            self.instructions_found(None, &path, &found, Scope::Managed, &Reason::Start, out);
        }
        let Some((path, text)) = self.setup.managed_text.clone() else { return };
        let layout = self.setup.client.layout();
        if let Some(document) = document::read(text.as_bytes(), layout, Role::Other) {
            out.fragments.push(Fragment {
                path,
                kind: Kind::Instructions,
                scope: Scope::Managed,
                reason: Reason::Start,
                patterns: Vec::new(),
                bytes: text.len() as u64,
                text: document.text,
            });
        }
    }

    /// Loads a file of instructions; tells whether there is one.
    pub(super) fn instructions(
        &mut self,
        folder: &Path,
        name: &str,
        scope: Scope,
        reason: &Reason,
        out: &mut Loaded,
    ) -> bool {
        let path = folder.join(name);
        let Some(found) = self.look(&path, out) else { return false };
        self.instructions_found(Some(folder), &path, &found, scope, reason, out);
        true
    }

    fn instructions_found(
        &mut self,
        folder: Option<&Path>,
        path: &Path,
        found: &Found,
        scope: Scope,
        reason: &Reason,
        out: &mut Loaded,
    ) {
        if scope != Scope::Managed && self.is_excluded(path, found) {
            return out.note(Note::of(path, NoteKind::Excluded));
        }
        if !self.may_load(folder, found, scope) {
            return out.note(Note::of(path, NoteKind::LeadsOut { to: found.path.clone() }));
        }
        if self.seen.contains(&found.identity) {
            return;
        }
        let Some(document) = self.document(path, found, Role::Other, out) else { return };
        let fragment = Fragment {
            path: path.to_owned(),
            kind: Kind::Instructions,
            scope,
            reason: reason.clone(),
            patterns: Vec::new(),
            bytes: found.bytes,
            text: document.text.clone(),
        };
        self.deliver(fragment, &found.identity, &document, &mut Vec::new(), out);
    }

    /// Puts a file into the context, and what it imports right behind it. `chain` are the files that import it.
    pub(super) fn deliver(
        &mut self,
        mut fragment: Fragment,
        identity: &Identity,
        document: &Document,
        chain: &mut Vec<Identity>,
        out: &mut Loaded,
    ) {
        if !self.seen.insert(identity.clone()) {
            return;
        }
        let (path, scope) = (fragment.path.clone(), fragment.scope);
        if fragment.text.len() > self.text_left {
            let limit = self.setup.client.layout().bytes;
            out.note(Note::of(&path, NoteKind::Cut { limit }));
            let kept = prefix(&fragment.text, self.text_left).trim_end().len();
            fragment.text.truncate(kept);
            self.text_left = 0;
        } else {
            self.text_left -= fragment.text.len();
        }
        if !document.is_blank {
            out.fragments.push(fragment);
        }
        chain.push(identity.clone());
        for mention in document.imports.iter().take(limits::FILE_IMPORTS) {
            self.import(&path, scope, mention, chain, out);
        }
        if document.imports.len() > limits::FILE_IMPORTS {
            out.note(Note::of(&path, NoteKind::TooMany("imports")));
        }
        chain.pop();
    }

    /// Reads a file that may be loaded.
    pub(super) fn document(
        &mut self,
        path: &Path,
        found: &Found,
        role: Role,
        out: &mut Loaded,
    ) -> Option<Document> {
        let mut fault = |kind| out.note(Note::of(path, kind));
        if found.kind != FileKind::File {
            fault(NoteKind::NotAFile(found.kind));
            return None;
        }
        if found.bytes > limits::FILE_BYTES {
            fault(NoteKind::TooLarge { bytes: found.bytes });
            return None;
        }
        if self.files_left == 0 || self.bytes_left < found.bytes {
            fault(NoteKind::Full);
            return None;
        }
        let bytes = match self.files.read(found, limits::FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                fault(NoteKind::Unreadable(words(&error)));
                return None;
            }
        };
        self.files_left -= 1;
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        let Some(mut document) = document::read(&bytes, self.setup.client.layout(), role) else {
            fault(NoteKind::NotText);
            return None;
        };
        for (line, kind) in std::mem::take(&mut document.notes) {
            out.note(Note::at(path, line, kind));
        }
        Some(document)
    }

    /// Whether a file of this scope may be read where it really lies; `folder` is the one that it was found in.
    ///
    /// What a project cannot choose may lie anywhere: the rules of the user and of the administrator, and those of a folder
    /// above the project, which may lead to places within that folder.
    pub(super) fn may_load(&self, folder: Option<&Path>, found: &Found, scope: Scope) -> bool {
        let is_own = match scope {
            Scope::Managed | Scope::User => true,
            Scope::Project | Scope::Local => self.setup.external == External::Approved,
        };
        is_own
            || self.inside.iter().any(|base| base.holds(&found.path))
            || folder.is_some_and(|folder| {
                let is_above = self.inside.iter().all(|base| !base.holds(folder));
                is_above && self.base(folder).holds(&found.path)
            })
    }

    pub(super) fn is_excluded(&self, path: &Path, found: &Found) -> bool {
        self.excludes.is_match(path) || self.excludes.is_match(&found.path)
    }

    pub(super) fn look(&self, path: &Path, out: &mut Loaded) -> Option<Found> {
        self.files.look(path).unwrap_or_else(|error| {
            out.note(Note::of(path, NoteKind::Unreadable(words(&error))));
            None
        })
    }

    /// Whether a file is known to say nothing.
    pub(super) fn is_blank(&self, found: &Found) -> bool {
        let layout = self.setup.client.layout();
        let bytes = self.files.read(found, limits::FILE_BYTES).ok();
        let document = bytes.and_then(|bytes| document::read(&bytes, layout, Role::Other));
        document.is_some_and(|document| document.is_blank)
    }

    /// Whether a file is there; one that cannot be told of is none, and is told of when it is loaded.
    pub(super) fn is_file(&self, path: &Path) -> bool {
        let found = self.files.look(path);
        found.is_ok_and(|found| found.is_some_and(|found| found.kind == FileKind::File))
    }

    /// A folder by both of its paths; one that is not there has one.
    pub(super) fn base(&self, folder: &Path) -> Base {
        let real = match self.files.look(folder) {
            Ok(Some(found)) => found.path,
            Ok(None) | Err(_) => folder.to_owned(),
        };
        Base { path: folder.to_owned(), real }
    }
}

/// Why something could not be read, without its path.
pub(super) fn words(error: &Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
