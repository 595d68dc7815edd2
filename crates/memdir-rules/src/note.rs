//! What is told about rules, beside the rules.

use std::fmt;
use std::path::{Path, PathBuf};

use memdir_core::text::escape_control;
use memdir_store::FileKind;

use crate::limits;
use crate::pattern::BadPattern;

/// Something about the rules that their owner may want to know; all else was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The file or folder.
    pub path: PathBuf,
    /// Line of the file, counted from 1; absent where it is about the whole.
    pub line: Option<usize>,
    /// What was met there.
    pub kind: NoteKind,
}

/// What a [`Note`] is about. Texts that come from files are as they stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// It could not be read, for this reason.
    Unreadable(String),
    /// It is no file, and was not opened.
    NotAFile(FileKind),
    /// It is larger than [`limits::FILE_BYTES`], and was left out.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// It is no text, and was left out.
    NotText,
    /// It is not UTF-8; unreadable bytes became U+FFFD.
    NotUtf8,
    /// Links lead out of the project, and nobody approved of that.
    LeadsOut {
        /// Where they lead.
        to: PathBuf,
    },
    /// An import names a file outside of the project, and nobody approved of that. It was not looked at.
    External {
        /// What stands behind the `@`.
        import: String,
    },
    /// An import names nothing.
    Missing {
        /// What stands behind the `@`.
        import: String,
    },
    /// An import names a file that imports this one.
    Cycle {
        /// What stands behind the `@`.
        import: String,
    },
    /// An import is the fifth in a row.
    TooDeep {
        /// What stands behind the `@`.
        import: String,
    },
    /// There are more imports, names or folders than are followed.
    TooMany(&'static str),
    /// A context is full; the file was left out.
    Full,
    /// Only the beginning is loaded, since the client takes so many bytes in all.
    Cut {
        /// The bytes.
        limit: usize,
    },
    /// Settings exclude it.
    Excluded,
    /// Something about its frontmatter, in words.
    Frontmatter(String),
    /// The frontmatter is too long to be read, so what the rule is for cannot be told, and it was left out.
    NoScope,
    /// A key that means nothing there.
    UnknownKey(String),
    /// The key that scopes a rule means nothing in this file.
    NotScoped(&'static str),
    /// A pattern that is not used as it is written.
    Pattern(BadPattern),
    /// A pattern among the excludes of the settings is not used.
    Exclude(String),
    /// Its name is not UTF-8, so it was left out.
    Name,
    /// It has more than [`limits::FILE_LINES`] lines.
    Long {
        /// The lines.
        lines: usize,
    },
    /// No file of the project matches any of its patterns.
    NeverMatches,
    /// Not every file of the project was looked at, so it is not told which rules never match.
    NotAllSeen,
}

impl NoteKind {
    /// Whether nothing is wrong: it says what was asked for by a setting.
    pub const fn is_advice(&self) -> bool {
        matches!(self, Self::Excluded | Self::NotAllSeen)
    }
}

impl Note {
    pub(crate) fn of(path: &Path, kind: NoteKind) -> Self {
        Self { path: path.to_owned(), line: None, kind }
    }

    pub(crate) fn at(path: &Path, line: usize, kind: NoteKind) -> Self {
        Self { path: path.to_owned(), line: Some(line), kind }
    }
}

/// Displays as one line with path and number, control characters made visible.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_control(&self.path.display().to_string()))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// Displays as a clause, control characters made visible.
impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Unreadable(why) => format!("cannot be read: {why}"),
            Self::NotAFile(kind) => format!("is {kind}, not a file"),
            Self::TooLarge { bytes } => {
                format!("{bytes} bytes are more than the {} that are loaded", limits::FILE_BYTES)
            }
            Self::NotText => "is no text".to_owned(),
            Self::NotUtf8 => "not UTF-8; unreadable bytes are shown as `\u{fffd}`".to_owned(),
            Self::LeadsOut { to } => format!("skipped: outside project, at {}", to.display()),
            Self::External { import } => format!("`@{import}` is skipped: outside project"),
            Self::Missing { import } => format!("`@{import}` names no file"),
            Self::Cycle { import } => format!("`@{import}` names a file that imports this one"),
            Self::TooDeep { import } => {
                format!(
                    "`@{import}` is not loaded: only {} imports follow one another",
                    limits::IMPORT_HOPS
                )
            }
            Self::TooMany(what) => format!("there are more {what} than are followed"),
            Self::Full => "is not loaded: one context takes no more".to_owned(),
            Self::Cut { limit } => {
                format!("only its beginning is loaded: the client takes {limit} bytes in all")
            }
            Self::Excluded => "is left out, as the settings want it".to_owned(),
            Self::Frontmatter(what) | Self::Exclude(what) => what.clone(),
            Self::NoScope => "its frontmatter is too long to be read, so it is left out".to_owned(),
            Self::UnknownKey(key) => format!("`{key}` means nothing in a rule"),
            Self::NotScoped(key) => format!("`{key}` means nothing here; it is for rules"),
            Self::Pattern(bad) => bad.to_string(),
            Self::Name => "its name is not UTF-8".to_owned(),
            Self::Long { lines } => {
                format!("has {lines} lines; up to {} are read with care", limits::FILE_LINES)
            }
            Self::NeverMatches => "no file of the project matches its patterns".to_owned(),
            Self::NotAllSeen => "the project has more files than were looked at".to_owned(),
        };
        f.write_str(&escape_control(&text))
    }
}
