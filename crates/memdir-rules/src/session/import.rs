//! Following an `@path`.

use std::path::{Path, PathBuf};

use memdir_store::FileKind;
use memdir_store::files::{Files, Identity};

use super::{Loaded, Session};
use crate::document::Role;
use crate::fragment::{Fragment, Kind, Reason, Scope};
use crate::limits;
use crate::markdown::{Mention, candidates};
use crate::note::{Note, NoteKind};
use crate::paths::absolute;
use crate::setup::External;

/// Longest token that is taken for a path, in bytes: the longest path of Linux.
const TOKEN_BYTES: usize = 4_096;

impl<F: Files> Session<F> {
    /// Loads the file that a mention in the file `by` names.
    pub(super) fn import(
        &mut self,
        by: &Path,
        scope: Scope,
        mention: &Mention,
        chain: &mut Vec<Identity>,
        out: &mut Loaded,
    ) {
        if mention.token.len() > TOKEN_BYTES {
            return;
        }
        let candidates = candidates(&mention.token);
        let shown = candidates.last().cloned().unwrap_or_default();
        let mut note = |kind| out.note(Note::at(by, mention.line, kind));
        for candidate in &candidates {
            let Some(path) = self.target(by, candidate) else { continue };
            if !self.may_look(scope, &path) {
                if is_path(&mention.token) {
                    note(NoteKind::External { import: shown });
                }
                return;
            }
            let found = match self.files.look(&path) {
                Ok(Some(found)) if found.kind == FileKind::File => found,
                Ok(_) => continue,
                Err(error) => return note(NoteKind::Unreadable(super::load::words(&error))),
            };
            let import = candidate.clone();
            if !self.may_load(None, &found, scope) {
                return note(NoteKind::LeadsOut { to: found.path });
            }
            if chain.contains(&found.identity) {
                return note(NoteKind::Cycle { import });
            }
            if self.seen.contains(&found.identity) {
                return;
            }
            if chain.len() > limits::IMPORT_HOPS {
                return note(NoteKind::TooDeep { import });
            }
            if self.is_excluded(&path, &found) {
                return out.note(Note::of(&path, NoteKind::Excluded));
            }
            let Some(document) = self.document(&path, &found, Role::Other, out) else { return };
            let fragment = Fragment {
                path,
                kind: Kind::Import,
                scope,
                reason: Reason::Import { by: by.to_owned() },
                patterns: Vec::new(),
                bytes: found.bytes,
                text: document.text.clone(),
            };
            return self.deliver(fragment, &found.identity, &document, chain, out);
        }
        if is_path(&mention.token) || has_text_ending(&shown) {
            note(NoteKind::Missing { import: shown });
        }
    }

    /// The path that is meant; `None` where it begins at a home that is not known.
    fn target(&self, by: &Path, token: &str) -> Option<PathBuf> {
        match token.strip_prefix("~/") {
            Some(rest) => Some(absolute(self.setup.home.as_ref()?, Path::new(rest))),
            None => Some(absolute(by.parent()?, Path::new(token))),
        }
    }

    /// Whether a file of this scope may ask for a path at all.
    fn may_look(&self, scope: Scope, path: &Path) -> bool {
        match scope {
            Scope::Managed | Scope::User => true,
            Scope::Project | Scope::Local => {
                self.setup.external == External::Approved
                    || self.inside.iter().any(|base| base.holds(path))
            }
        }
    }
}

/// Whether it can be nothing else than a path.
fn is_path(token: &str) -> bool {
    let begins = |start: &str| token.len() > start.len() && token.starts_with(start);
    ["/", "./", "../", "~/"].into_iter().any(begins) || token.contains("/../")
}

/// Whether it ends as files of text do; `@name` alone is most often a person, a package or a tag.
fn has_text_ending(token: &str) -> bool {
    Path::new(token).extension().is_some_and(|ending| {
        ["md", "mdc", "markdown", "txt"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    })
}
