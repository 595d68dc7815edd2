//! What a reader found odd, and where.

use std::fmt;
use std::io::{self, Read, Seek};

use crate::entry::Entry;
use crate::limits;
use crate::tree::{Gap, Tree};

/// Something about a transcript that its owner may want to know; what could be read was read all the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Note {
    /// Where it begins: bytes from the start of the file.
    pub offset: u64,
    /// What was met there.
    pub reason: Reason,
    /// The uuid of the entry that begins there, at most [`limits::TITLE_CHARS`] of it.
    ///
    /// Told by [`verify`](crate::verify) and [`Resume`](crate::Resume), which can look it up, for what is no advice.
    pub uuid: Option<String>,
}

/// What a [`Note`] is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// The file holds nothing.
    Empty,
    /// A byte order mark, passed over.
    ByteOrderMark,
    /// The first line that ends in CR LF; both ends are accepted.
    CarriageReturn,
    /// NUL bytes, as a crash leaves them; passed over.
    Nul {
        /// How many.
        bytes: u64,
    },
    /// The file ends within a line.
    Torn {
        /// Bytes that could not be read.
        bytes: u64,
    },
    /// No JSON object begins here; passed over up to the next one or the end of the line.
    Unreadable {
        /// Bytes that could not be read.
        bytes: u64,
    },
    /// JSON, but no object; passed over.
    NotAnObject,
    /// An object that follows another on the same line; read.
    Glued,
    /// A line of [`limits::LONG_LINE_BYTES`] or more; read.
    Long {
        /// Its bytes.
        bytes: u64,
    },
    /// A line over the longest that the reader holds; what is whole at its head was read.
    TooLong {
        /// Bytes that were passed over.
        bytes: u64,
    },
    /// Bytes that are not UTF-8; they read as U+FFFD.
    NotUtf8,
    /// Half a surrogate pair in an escape; it reads as U+FFFD.
    LoneSurrogate,
    /// A control character that JSON wants escaped; read as it is.
    ControlCharacter,
    /// U+2028 or U+2029, which some programs take for a line end; it is none.
    LineSeparator,
    /// A known field holds something else than it should; it counts as absent.
    WrongShape {
        /// The field.
        field: &'static str,
    },
    /// A type of line that this crate does not know; carried.
    UnknownType {
        /// The type, shortened.
        name: String,
    },
    /// A line without a type; carried.
    NoType,
    /// The same uuid as an earlier entry, which the later one replaces.
    Duplicate,
    /// The object looks whole but is not JSON; the fields that can be told are read.
    NotJson,
    /// The parent cannot be followed.
    Bridged {
        /// Why not.
        why: Gap,
        /// The uuid of the parent that is named.
        parent: String,
        /// The uuid of the earlier entry that stands in its place, `None` where nothing does.
        to: Option<String>,
    },
    /// There are lines, and no message among them.
    NoMessages,
}

impl Reason {
    /// Returns whether nothing is wrong with the file: worth knowing, not worth mending.
    pub const fn is_advice(&self) -> bool {
        matches!(
            self,
            Self::CarriageReturn
                | Self::Long { .. }
                | Self::LineSeparator
                | Self::UnknownType { .. }
                | Self::NoType
        )
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}", self.offset)?;
        if let Some(uuid) = &self.uuid {
            write!(f, " ({})", uuid.escape_debug())?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::ByteOrderMark => f.write_str("byte order mark, passed over"),
            Self::CarriageReturn => f.write_str("lines end in CR LF"),
            Self::Nul { bytes } => write!(f, "{bytes} NUL bytes, passed over"),
            Self::Torn { bytes } => write!(f, "the file ends within a line; {bytes} bytes lost"),
            Self::Unreadable { bytes } => write!(f, "{bytes} bytes that are no JSON object"),
            Self::NotAnObject => f.write_str("JSON, but no object"),
            Self::Glued => f.write_str("a further object on the same line"),
            Self::Long { bytes } => write!(f, "a line of {bytes} bytes"),
            Self::TooLong { bytes } => {
                write!(f, "a line that is too long; {bytes} bytes passed over")
            }
            Self::NotUtf8 => f.write_str("not UTF-8; shown as `\u{fffd}`"),
            Self::LoneSurrogate => f.write_str("half a surrogate pair; shown as `\u{fffd}`"),
            Self::ControlCharacter => f.write_str("a control character that is not escaped"),
            Self::LineSeparator => f.write_str("U+2028 or U+2029 within a text"),
            Self::WrongShape { field } => write!(f, "`{field}` has an unexpected shape"),
            Self::UnknownType { name } => write!(f, "unknown type `{}`", name.escape_debug()),
            Self::NoType => f.write_str("a line without a type"),
            Self::Duplicate => f.write_str("the uuid stands twice; the later entry counts"),
            Self::NotJson => f.write_str("looks whole but is not JSON"),
            Self::Bridged { why, parent, to } => {
                let parent = parent.escape_debug();
                match why {
                    Gap::Missing => write!(f, "the parent `{parent}` is missing")?,
                    Gap::Itself => f.write_str("its own parent")?,
                    Gap::Cycle => write!(f, "an ancestor of its parent `{parent}`")?,
                }
                match to {
                    Some(to) => write!(f, "; `{}` stands in its place", to.escape_debug()),
                    None => f.write_str("; nothing stands in its place"),
                }
            }
            Self::NoMessages => f.write_str("no message in the file"),
        }
    }
}

/// The notes of one reading, in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notes {
    /// The first [`limits::MAX_NOTES`].
    pub kept: Vec<Note>,
    /// How many more there were.
    pub more: u64,
}

impl Notes {
    pub(crate) fn add(&mut self, offset: u64, reason: Reason) {
        self.keep(Note { offset, reason, uuid: None });
    }

    fn keep(&mut self, note: Note) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.kept.push(note);
        }
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.kept.len() >= limits::MAX_NOTES
    }

    /// Takes in the notes of another look at the same file; all are in the order of the file then.
    pub(crate) fn merge(&mut self, other: Self) {
        for note in other.kept {
            self.keep(note);
        }
        self.more += other.more;
        self.kept.sort();
    }

    /// Looks up the uuids of the entries that the notes are about.
    pub(crate) fn name<R: Read + Seek>(&mut self, tree: &Tree, source: &mut R) -> io::Result<()> {
        for note in self.kept.iter_mut().filter(|note| !note.reason.is_advice()) {
            if let Some(place) = tree.place_at(note.offset) {
                note.uuid = Entry::read(source, place)?.id_text("uuid");
            }
        }
        Ok(())
    }

    /// Returns whether something is wrong with the file, see [`Reason::is_advice`].
    pub fn damage(&self) -> bool {
        self.more > 0 || self.kept.iter().any(|note| !note.reason.is_advice())
    }
}
