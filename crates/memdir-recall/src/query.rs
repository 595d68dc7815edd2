//! A question and what goes with it.

use memdir_core::MemPath;
use memdir_store::Revision;

use crate::limits;

/// What is asked, what the asker has seen already, and what is being worked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query<'a> {
    /// The question in the words of whoever asks, in any language.
    ///
    /// Of a long one the beginning and the end are read: see [`limits::QUERY_BYTES`].
    pub text: &'a str,
    /// Memories that are in the conversation already; they are not attached again while their files are unchanged.
    pub surfaced: &'a [Surfaced],
    /// Files that are being worked on, `/`-separated from the project's root; they bring up memories by their `paths`.
    pub files: &'a [&'a str],
    /// Tools that are in use, as the agent calls them; how to use them need not be told.
    pub tools: &'a [&'a str],
    /// Hits of a ranking at most; [`limits::RANKED`] by default.
    pub most: usize,
}

impl<'a> Query<'a> {
    /// A question of somebody who has seen nothing yet.
    pub fn new(text: &'a str) -> Self {
        Self { text, surfaced: &[], files: &[], tools: &[], most: limits::RANKED }
    }

    /// Says what is in the conversation already.
    #[must_use]
    pub fn surfaced(self, surfaced: &'a [Surfaced]) -> Self {
        Self { surfaced, ..self }
    }

    /// Says which files are being worked on.
    #[must_use]
    pub fn files(self, files: &'a [&'a str]) -> Self {
        Self { files, ..self }
    }

    /// Says which tools are in use.
    #[must_use]
    pub fn tools(self, tools: &'a [&'a str]) -> Self {
        Self { tools, ..self }
    }

    /// Says how many hits are wanted at most.
    #[must_use]
    pub fn most(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

/// A memory that is in the conversation already.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Surfaced {
    /// Its file.
    pub path: MemPath,
    /// The content that was shown; absent: any content counts as shown.
    pub revision: Option<Revision>,
}

impl Surfaced {
    /// Names a memory and the content that was shown.
    pub fn new(path: MemPath, revision: Option<Revision>) -> Self {
        Self { path, revision }
    }
}
