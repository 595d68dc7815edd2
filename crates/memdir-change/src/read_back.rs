//! What must hold of a text before it is written: that every reader sees in it what was asked for.

use memdir_core::MemPath;
use memdir_core::frontmatter::{NewMemory, NoteKind, parse};
use memdir_core::limits::MAX_BLOCK_BYTES;
use memdir_store::limits::MAX_DEPTH;

/// Why readers would not see a memory as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// Its folder is deeper than what is listed.
    #[error("it lies deeper than {limit} folders")]
    TooDeep {
        /// The limit, in folders below the memory directory.
        limit: usize,
    },
    /// It holds a NUL character, so readers take it for something other than text.
    #[error("it holds a NUL character, as no text does")]
    Nul,
    /// Name, description and lists together are longer than what is read.
    #[error("name, description and lists take more than {limit} bytes")]
    TooLong {
        /// The limit, in bytes of the frontmatter block.
        limit: usize,
    },
    /// A part would be read as something else.
    #[error("its {part} would be read as something else")]
    Altered {
        /// The part: a key of the frontmatter, or `body`.
        part: &'static str,
    },
}

/// Refuses a file that scans would pass over, whatever it says.
///
/// # Errors
///
/// [`Unreadable::TooDeep`] and [`Unreadable::Nul`].
pub fn check_listed(path: &MemPath, text: &str) -> Result<(), Unreadable> {
    let folders = path.components().count() - 1;
    if folders > MAX_DEPTH {
        return Err(Unreadable::TooDeep { limit: MAX_DEPTH });
    }
    if text.contains('\0') {
        return Err(Unreadable::Nul);
    }
    Ok(())
}

/// Refuses a rendered text from which not all of `asked` is read.
///
/// # Errors
///
/// [`Unreadable::TooLong`] and [`Unreadable::Altered`].
pub fn check_rendered(text: &str, asked: &NewMemory<'_>) -> Result<(), Unreadable> {
    let read = parse(text);
    let too_long = |kind: &NoteKind| matches!(kind, NoteKind::TooLong | NoteKind::NotClosed);
    if read.notes.iter().any(|note| too_long(&note.kind)) {
        return Err(Unreadable::TooLong { limit: MAX_BLOCK_BYTES });
    }
    let fields = &read.fields;
    let parts = [
        ("name", fields.name.as_deref() == Some(asked.name)),
        ("description", fields.description.as_deref() == Some(asked.description)),
        ("type", fields.kind == asked.kind),
        ("origin", fields.origin == asked.origin),
        ("session", fields.origin_session.as_deref() == asked.origin_session),
        ("pinned", fields.pinned == asked.pinned),
        ("triggers", fields.triggers == asked.triggers),
        ("paths", fields.paths == asked.paths),
        ("supersedes", fields.supersedes == asked.supersedes),
        ("body", read.body == asked.body),
    ];
    match parts.into_iter().find(|(_, same)| !same) {
        Some((part, _)) => Err(Unreadable::Altered { part }),
        None => Ok(()),
    }
}
