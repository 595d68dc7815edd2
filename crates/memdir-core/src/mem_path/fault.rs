//! Why a name is refused.

use crate::{limits, text};

/// Why a text cannot be the path of a memory.
///
/// Each message is one line and safe to print: what it repeats of the text is escaped and shortened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault {
    /// There is nothing, or only the name of the folder itself.
    #[error("a memory needs a name, and the path is empty")]
    Empty,
    /// The whole is longer than [`limits::MAX_PATH_BYTES`].
    #[error("path `{path}` has {bytes} bytes, more than {limit}", limit = limits::MAX_PATH_BYTES)]
    PathTooLong {
        /// Its beginning.
        path: String,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A component is longer than [`limits::MAX_NAME_BYTES`].
    #[error("name `{name}` has {bytes} bytes, more than {limit}", limit = limits::MAX_NAME_BYTES)]
    NameTooLong {
        /// Its beginning.
        name: String,
        /// Its length in bytes.
        bytes: usize,
    },
    /// It starts at a root, a home, a drive, a variable or a scheme instead of at the memory directory.
    #[error("path `{path}` does not start in the memory directory: {reason}")]
    NotRelative {
        /// The path as given.
        path: String,
        /// What it starts with.
        reason: &'static str,
    },
    /// A `.` or empty component, or a `/` at the end.
    #[error("path `{path}` has an empty or `.` component")]
    NotPlain {
        /// The path as given.
        path: String,
    },
    /// `..` as a component or within a name.
    #[error("path `{path}` holds `..`, and a memory is named without it")]
    Parent {
        /// The path as given.
        path: String,
    },
    /// A component that begins with a dot, which means hidden, and a name below the private folder of memdir.
    #[error("name `{name}` begins with a dot{private}", private = private(name))]
    Hidden {
        /// The component.
        name: String,
    },
    /// A component that begins with `-`, which commands read as an option.
    #[error("name `{name}` begins with a dash, which commands take for an option")]
    LeadingDash {
        /// The component.
        name: String,
    },
    /// A component that ends in a dot, which Windows drops.
    #[error("name `{name}` ends with a dot, which Windows drops")]
    TrailingDot {
        /// The component.
        name: String,
    },
    /// A component with white space at its beginning or end.
    #[error("name `{name}` begins or ends with white space")]
    OuterSpace {
        /// The component.
        name: String,
    },
    /// A device name of Windows, whatever its ending.
    #[error("name `{name}` is reserved by Windows")]
    Reserved {
        /// The component.
        name: String,
    },
    /// A short alias such as `MEMDIR~1`, under which Windows opens a file with a longer name.
    #[error("name `{name}` is a short alias by which Windows opens another file")]
    ShortAlias {
        /// The component.
        name: String,
    },
    /// A character that no name may hold.
    #[error("path `{path}` holds {character}")]
    Character {
        /// The path as given.
        path: String,
        /// What the character is and its number.
        character: String,
    },
    /// Percent-decoding it, once or more, gives something that would be refused, or no text.
    #[error("path `{path}` is percent-encoded, and decoded it {reason}")]
    Encoded {
        /// The path as given.
        path: String,
        /// What decoding shows.
        reason: &'static str,
    },
    /// Its compatibility form (NFKC) gives something that would be refused.
    #[error("path `{path}` is disguised: in normal letters it {reason}")]
    Disguised {
        /// The path as given.
        path: String,
        /// What normalising shows.
        reason: &'static str,
    },
}

fn private(name: &str) -> &'static str {
    if name.eq_ignore_ascii_case(".memdir") {
        "; `.memdir` is the private folder of memdir"
    } else {
        ", which hides it"
    }
}

/// Makes a rejected text fit for a message.
pub(super) fn shown(name: &str) -> String {
    text::excerpt(name, limits::SHOWN_NAME_CHARS)
}
