//! Single edits of an index.

use super::Editor;
use crate::{MemPath, text::with_danger};

/// What a line of the index shall say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a line of the index has these three parts and no others"
)]
pub struct Entry<'a> {
    /// The memory.
    pub path: &'a MemPath,
    /// The text of the link; written [`neutral`], the stem of the path if empty.
    pub title: &'a str,
    /// The one-line hook; written [`neutral`], left out with its separator if empty.
    pub hook: &'a str,
}

/// What an edit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// A line was added.
    Added,
    /// A line was changed in place.
    Updated,
    /// The text already said so.
    Unchanged,
    /// One or more lines were taken out.
    Removed,
}

/// What an edit did to the lines of one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What was done.
    pub action: Action,
    /// The line as it was, without its line break; several, where several were removed, are joined by `\n`.
    pub before: Option<String>,
    /// The line as it is now, without its line break.
    pub after: Option<String>,
}

impl Change {
    pub(super) fn none(line: Option<&str>) -> Self {
        let line = line.map(str::to_owned);
        Self { action: Action::Unchanged, before: line.clone(), after: line }
    }
}

/// An index after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// What was done.
    pub action: Action,
    /// The line as it was, without its line break; several, where several were removed, are joined by `\n`.
    pub before: Option<String>,
    /// The line as it is now, without its line break.
    pub after: Option<String>,
}

impl Edited {
    /// Describes a change that made this text.
    pub fn new(text: String, change: Change) -> Self {
        let Change { action, before, after } = change;
        Self { text, action, before, after }
    }

    fn once(text: &str, edit: impl FnOnce(&mut Editor<'_>) -> Change) -> Self {
        let mut editor = Editor::new(text);
        let change = edit(&mut editor);
        Self::new(editor.finish(), change)
    }
}

/// Makes one [`Editor::upsert`]; for several edits of one text, an [`Editor`] reads it only once.
pub fn upsert(text: &str, entry: &Entry<'_>) -> Edited {
    Edited::once(text, |editor| editor.upsert(entry))
}

/// Makes one [`Editor::remove`].
pub fn remove(text: &str, path: &MemPath) -> Edited {
    Edited::once(text, |editor| editor.remove(path))
}

/// Makes one [`Editor::restore_line`].
pub fn restore_line(text: &str, path: &MemPath, line: Option<&str>) -> Edited {
    Edited::once(text, |editor| editor.restore_line(path, line))
}

/// Makes a title or hook fit for one line of an index; what is fit already stays as it is.
///
/// White space and line breaks become single spaces, `[`, `]` and `|` become `(`, `)` and `/`, a comment cannot open or
/// close, and control, bidi and invisible characters are dropped, except those that spelling needs.
pub fn neutral(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (c, danger) in with_danger(text) {
        match c {
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            _ if danger => {}
            '[' => out.push('('),
            ']' => out.push(')'),
            '|' => out.push('/'),
            // `<!--` would hide what follows from whoever strips comments.
            '-' if out.ends_with("<!") => out.push_str(" -"),
            '>' if out.ends_with("--") => out.push_str(" >"),
            c => out.push(c),
        }
    }
    // A backslash before the closing bracket would escape it.
    out.truncate(out.trim_end_matches([' ', '\\']).len());
    out
}
