//! One file of rules taken apart: whom it is for, what of it is said, what it imports.

use memdir_core::frontmatter::{self, Doubt, NoteKind as Frontmatter};

use crate::client::{Imports, Layout, Unscoped};
use crate::markdown::{self, Mention};
use crate::note::NoteKind;
use crate::pattern;

/// What a file says.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) applies: Applies,
    pub(crate) text: String,
    /// There is nothing to say.
    pub(crate) is_blank: bool,
    pub(crate) imports: Vec<Mention>,
    /// Lines, counted from 1, and what is to be said about them.
    pub(crate) notes: Vec<(usize, NoteKind)>,
}

/// When a file applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Applies {
    Always,
    To(Vec<String>),
    OnRequest,
}

/// Whether frontmatter scopes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Rule,
    Other,
}

/// Reads a file; never fails. `None` for what is no text.
pub(crate) fn read(bytes: &[u8], layout: &Layout, role: Role) -> Option<Document> {
    if bytes.contains(&0) {
        return None;
    }
    let (text, fault) = frontmatter::decode(bytes);
    let text = if text.contains('\r') { text.replace("\r\n", "\n").into() } else { text };
    let mut notes: Vec<_> = fault.map(|note| (note.line, NoteKind::NotUtf8)).into_iter().collect();
    let file = frontmatter::entries(&text);
    let mut scope = Scoping::default();
    for entry in &file.entries {
        let (name, line) = (entry.name(), entry.line());
        let mut doubt = |doubt: Option<Doubt>| {
            let words = doubt.map(|doubt| NoteKind::Frontmatter(format!("`{name}` {doubt}")));
            notes.extend(words.map(|words| (line, words)));
        };
        if role == Role::Other {
            if name == layout.key && !name.is_empty() {
                notes.push((line, NoteKind::NotScoped(layout.key)));
            }
        } else if name == layout.key {
            let (patterns, found) = entry.list();
            doubt(found);
            if scope.patterns.replace(patterns).is_some() {
                let twice = format!("`{name}` stands twice; the last one counts");
                notes.push((line, NoteKind::Frontmatter(twice)));
            }
        } else if layout.keys.contains(&name) {
            let (text, found) = entry.text();
            doubt(found);
            scope.is_forced |= name == "alwaysApply" && text.eq_ignore_ascii_case("true");
        } else {
            notes.push((line, NoteKind::UnknownKey(name.to_owned())));
        }
    }
    if role == Role::Rule {
        notes.extend(file.notes.iter().map(|note| {
            let kind = match note.kind {
                Frontmatter::TooLong => NoteKind::NoScope,
                ref kind => NoteKind::Frontmatter(kind.to_string()),
            };
            (note.line, kind)
        }));
    }
    let applies = if notes.iter().any(|(_, kind)| *kind == NoteKind::NoScope) {
        Applies::OnRequest
    } else {
        scope.applies(layout, role)
    };
    let body = markdown::read(file.body, file.body_line);
    let imports = if layout.imports == Imports::Followed { body.mentions } else { Vec::new() };
    let is_blank = body.text.is_empty();
    Some(Document { applies, text: body.text, is_blank, imports, notes })
}

#[derive(Debug, Default)]
struct Scoping {
    patterns: Option<Vec<String>>,
    /// The rule says that it always applies.
    is_forced: bool,
}

impl Scoping {
    fn applies(self, layout: &Layout, role: Role) -> Applies {
        let patterns = self.patterns.unwrap_or_default();
        if role == Role::Other || self.is_forced {
            return Applies::Always;
        }
        match layout.unscoped {
            Unscoped::Always if pattern::is_everything(&patterns) => Applies::Always,
            Unscoped::OnRequest if patterns.is_empty() => Applies::OnRequest,
            Unscoped::Always | Unscoped::OnRequest => Applies::To(patterns),
        }
    }
}
