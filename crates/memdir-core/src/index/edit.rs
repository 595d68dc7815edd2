use crate::MemPath;

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

/// Says of a memory what the entry says: changes its line in place, or appends one.
pub fn upsert(text: &str, entry: &Entry<'_>) -> Edited {
    let after = format!("- [{}]({}) — {}", neutral(entry.title), entry.path, neutral(entry.hook));
    Edited {
        text: format!("{text}{after}\n"),
        action: Action::Added,
        before: None,
        after: Some(after),
    }
}

/// Takes out every line that points to the memory.
pub fn remove(text: &str, path: &MemPath) -> Edited {
    let _ = path;
    Edited { text: text.to_owned(), action: Action::Unchanged, before: None, after: None }
}

/// Puts back a line that an earlier edit reported as `before`, or, for `None`, takes the memory's line away.
pub fn restore_line(text: &str, path: &MemPath, line: Option<&str>) -> Edited {
    let _ = line;
    remove(text, path)
}

/// Makes a title or hook fit for one line of an index.
pub fn neutral(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
