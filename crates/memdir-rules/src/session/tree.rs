//! A tree of rules, such as `.claude/rules`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memdir_store::FileKind;
use memdir_store::files::{Files, Found, Identity, Name};

use super::load::words;
use super::{Level, Loaded, Scoped, Session};
use crate::document::{Applies, Role};
use crate::fragment::{Fragment, Kind, Reason, Scope};
use crate::limits;
use crate::note::{Note, NoteKind};

/// A tree that is being walked: what is still to be listed, and what was found.
#[derive(Debug)]
struct Walk<'a> {
    /// The folder whose tree it is.
    home: &'a Path,
    ending: &'a str,
    scope: Scope,
    folders: Vec<(PathBuf, Found, usize)>,
    visited: HashSet<Identity>,
    names: usize,
    files: Vec<(PathBuf, Found)>,
}

impl<F: Files> Session<F> {
    /// Loads the rules of a tree that always apply, by path, and keeps those that wait for a file.
    pub(super) fn tree(
        &mut self,
        name: &str,
        ending: &str,
        scope: Scope,
        reason: &Reason,
        level: &mut Level,
        out: &mut Loaded,
    ) {
        let home = level.folder.clone();
        let root = home.join(name);
        let Some(found) = self.look(&root, out).filter(|it| it.kind == FileKind::Folder) else {
            return;
        };
        if !self.may_load(Some(&home), &found, scope) {
            return out.note(Note::of(&root, NoteKind::LeadsOut { to: found.path }));
        }
        let is_link = found.path != root && found.path != self.base(&home).real.join(name);
        let root = if is_link { found.path.clone() } else { root };
        let mut walk = Walk {
            home: &home,
            ending,
            scope,
            visited: HashSet::from([found.identity.clone()]),
            folders: vec![(root.clone(), found, 0)],
            names: 0,
            files: Vec::new(),
        };
        while let Some((folder, found, depth)) = walk.folders.pop() {
            let left = limits::TREE_NAMES.saturating_sub(walk.names);
            let names = match self.files.list(&found, left.saturating_add(1)) {
                Ok(names) => names,
                Err(error) => {
                    out.note(Note::of(&folder, NoteKind::Unreadable(words(&error))));
                    continue;
                }
            };
            walk.names += names.len();
            if names.len() > left {
                out.note(Note::of(&root, NoteKind::TooMany("names in a tree of rules")));
                break;
            }
            for name in names {
                self.name(&folder, &name, depth, &mut walk, out);
            }
        }
        walk.files.sort_by(|a, b| a.0.cmp(&b.0));
        for (path, found) in walk.files {
            self.rule(path, &found, scope, reason, level, out);
        }
    }

    /// Takes one name of a tree. What a link leads to goes on under its own path, as the client names it.
    fn name(
        &self,
        folder: &Path,
        name: &Name,
        depth: usize,
        walk: &mut Walk<'_>,
        out: &mut Loaded,
    ) {
        let path = folder.join(&name.name);
        let Some(text) = name.name.to_str() else {
            return out.note(Note::of(&path, NoteKind::Name));
        };
        let is_rule = text.ends_with(walk.ending);
        let may_count = is_rule || matches!(name.kind, FileKind::Folder | FileKind::Link);
        let Some(found) = may_count.then(|| self.look(&path, out)).flatten() else { return };
        if found.kind != FileKind::Folder && !is_rule {
            return;
        }
        if !self.may_load(Some(walk.home), &found, walk.scope) {
            return out.note(Note::of(&path, NoteKind::LeadsOut { to: found.path }));
        }
        let path = if name.kind == FileKind::Link { found.path.clone() } else { path };
        match found.kind {
            FileKind::File => walk.files.push((path, found)),
            FileKind::Folder if depth == limits::TREE_DEPTH => {
                out.note(Note::of(&path, NoteKind::TooMany("folders within one another")));
            }
            FileKind::Folder => {
                if walk.visited.insert(found.identity.clone()) {
                    walk.folders.push((path, found, depth + 1));
                }
            }
            kind => out.note(Note::of(&path, NoteKind::NotAFile(kind))),
        }
    }

    fn rule(
        &mut self,
        path: PathBuf,
        found: &Found,
        scope: Scope,
        reason: &Reason,
        level: &mut Level,
        out: &mut Loaded,
    ) {
        if self.is_excluded(&path, found) {
            return out.note(Note::of(&path, NoteKind::Excluded));
        }
        let is_known = |rule: &Scoped| rule.identity == found.identity;
        if self.seen.contains(&found.identity) || level.scoped.iter().any(is_known) {
            return;
        }
        let Some(document) = self.document(&path, found, Role::Rule, out) else { return };
        let patterns = match &document.applies {
            Applies::Always => {
                let fragment = Fragment {
                    path,
                    kind: Kind::Rule,
                    scope,
                    reason: reason.clone(),
                    patterns: Vec::new(),
                    bytes: found.bytes,
                    text: document.text.clone(),
                };
                let mut chain = Vec::new();
                return self.deliver(fragment, &found.identity, &document, &mut chain, out);
            }
            Applies::To(patterns) => patterns.clone(),
            Applies::OnRequest => Vec::new(),
        };
        let (identity, bytes) = (found.identity.clone(), found.bytes);
        level.scoped.push(Scoped { path, scope, patterns, bytes, identity, document });
    }
}
