//! The name of a memory, checked once.

mod check;
mod fault;

use std::{fmt, str::FromStr};

use unicode_normalization::UnicodeNormalization;

pub use fault::PathFault;

use crate::text;

/// The name of a memory: a relative path within the memory directory, `/` between its parts.
///
/// A value of this type cannot lead out of the directory it is joined to, on any system: see [`MemPath::parse`].
/// It is kept in Unicode normal form C. Values order as their text does, byte by byte.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemPath(Box<str>);

impl MemPath {
    /// Takes a path as a model, a peer, a file system or a person wrote it, or says why not.
    ///
    /// Nothing is repaired except the normal form: no component is resolved, decoded or trimmed. The characters that only
    /// Windows keeps out of names (`<>"|?*`) are taken, since files with them exist elsewhere.
    ///
    /// # Errors
    ///
    /// One [`PathFault`] for the first reason found: an absolute, home, drive, UNC, device or stream path; `.`, `..` and
    /// empty components; a backslash; names that begin with a dot or a dash or end with a dot; white space at either
    /// end of a name; names reserved by Windows and short aliases; control, bidi and invisible characters; look-alikes
    /// of a separator; names that show a separator, `..`, a leading dot or such a character when they are
    /// percent-decoded or normalised (NFKC), once or repeatedly; and what is longer than the [limits](crate::limits).
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        check::check(text).map(|path| Self(path.into_boxed_str()))
    }

    /// The path of the index as text.
    pub const INDEX: &str = "MEMORY.md";

    /// Returns the path of the index, [`INDEX`](Self::INDEX).
    pub fn index() -> Self {
        Self(Self::INDEX.into())
    }

    /// A name of a plain word and hexadecimal digits, which needs no check.
    pub(crate) fn hashed(word: &'static str, hex: &str) -> Self {
        Self(format!("{word}-{hex}.md").into_boxed_str())
    }

    /// Tells whether this is the index of the directory itself; `team/MEMORY.md` is not.
    pub fn is_index(&self) -> bool {
        &*self.0 == Self::INDEX
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the components from the outermost folder to the file name.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// Returns the last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Returns the last component without its ending: `a.b` for `sub/a.b.md`.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the folder that holds it, `None` for a file of the memory directory itself.
    pub fn parent(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Tells whether the name ends in `.md`, in any case.
    pub fn is_markdown(&self) -> bool {
        self.file_name().rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("md"))
    }

    /// Tells whether it lies in the folder `pinned` of the memory directory, whose files only a person changes, or in one
    /// that some file system takes for it: `Pinned/a.md` does.
    pub fn is_in_pinned(&self) -> bool {
        let folder = self.0.split_once('/').map(|(folder, _)| Self(folder.into()));
        folder.is_some_and(|folder| folder.twin_key() == "pinned")
    }

    /// Returns a text that is equal for two paths which some file system takes for one: `OK.md` and `ok.md`.
    ///
    /// Full Unicode case folding over canonical equivalence, as the coarsest of the systems in use compares. It is for
    /// comparing only and need not be a path itself.
    pub fn twin_key(&self) -> String {
        if self.0.is_ascii() {
            return self.0.to_ascii_lowercase();
        }
        // Decomposed first: the iota below `ᾳ` becomes a letter of its own, and the marks before it must stay before it.
        text::case_fold(self.0.nfd()).nfc().collect()
    }
}

impl fmt::Display for MemPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for MemPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemPath({:?})", self.as_str())
    }
}

impl AsRef<str> for MemPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for MemPath {
    type Err = PathFault;

    fn from_str(text: &str) -> Result<Self, PathFault> {
        Self::parse(text)
    }
}
