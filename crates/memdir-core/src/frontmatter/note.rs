//! What a reader of frontmatter found odd.

use std::fmt;

use super::Key;
use crate::text::escape_control;

/// Something about a memory file that its owner may want to know; the values were read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Line of the file, counted from 1.
    pub line: usize,
    /// What was met there.
    pub kind: NoteKind,
}

/// What a [`Note`] is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The file is not UTF-8; what could not be read shows as U+FFFD.
    NotUtf8,
    /// The block has no closing fence, so all of the file is body.
    NotClosed,
    /// No closing fence within [`MAX_BLOCK_BYTES`](crate::limits::MAX_BLOCK_BYTES), so all of the file is body.
    TooLong,
    /// The block has more than [`HEAD_LINES`](crate::limits::HEAD_LINES) lines; it was read to its fence.
    ManyLines {
        /// Lines of the block, fences included.
        lines: usize,
    },
    /// The key stands twice at one level; the last one counts.
    Duplicate {
        /// The key.
        key: Key,
    },
    /// `metadata:` stands twice; both were read.
    DuplicateMetadata,
    /// The key stands at the top and under `metadata`; the latter counts.
    NestedWins {
        /// The key.
        key: Key,
    },
    /// The type is none of the four.
    UnknownType {
        /// As written, shortened.
        text: String,
    },
    /// The key takes one of a few words and this is none of them.
    UnknownWord {
        /// The key.
        key: Key,
        /// As written, shortened.
        text: String,
    },
    /// The date is none.
    UnreadableDate {
        /// The key.
        key: Key,
        /// As written, shortened.
        text: String,
    },
    /// The value begins like quoted or nested YAML but is none, so it was read as plain text.
    ReadAsText {
        /// The key.
        key: Key,
        /// Why it is not what it begins like.
        why: Refusal,
    },
    /// The value was read as meant, but a YAML reader refuses or changes it; quotes would help.
    NeedsQuotes {
        /// The key.
        key: Key,
    },
    /// A line that is neither a `key: value` nor belongs to one; it was passed over.
    StrayLine,
    /// `metadata` holds something else than keys; it was passed over.
    MetadataNotKeys,
}

/// Why a value was not given to the YAML reader, or what it said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A quote without its closing quote.
    QuoteOpen,
    /// Text after the closing quote.
    TextAfterQuote,
    /// A backslash sequence that YAML does not know.
    Escape,
    /// A bracket without its closing bracket.
    BracketOpen,
    /// Text after the closing bracket.
    TextAfterBracket,
    /// Lists in lists, deeper than [`MAX_DEPTH`](crate::limits::MAX_DEPTH).
    Depth,
    /// A block whose lines are not indented alike.
    Indent,
}

impl NoteKind {
    /// Whether nothing is wrong for memdir, only for other programs that may read the file.
    pub const fn is_advice(&self) -> bool {
        matches!(self, Self::ManyLines { .. } | Self::NeedsQuotes { .. })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("not UTF-8; unreadable bytes are shown as `\u{fffd}`"),
            Self::NotClosed => f.write_str("frontmatter has no closing `---`; all is read as body"),
            Self::TooLong => write!(
                f,
                "frontmatter has no closing `---` within {} bytes; all is read as body",
                crate::limits::MAX_BLOCK_BYTES
            ),
            Self::ManyLines { lines } => {
                write!(f, "frontmatter of {lines} lines (aim: {})", crate::limits::HEAD_LINES)
            }
            Self::Duplicate { key } => write!(f, "`{key}` stands twice; the last one counts"),
            Self::DuplicateMetadata => f.write_str("`metadata` stands twice; both are read"),
            Self::NestedWins { key } => {
                write!(f, "`{key}` stands at the top and under `metadata`; the latter counts")
            }
            Self::UnknownType { text } => {
                write!(f, "type `{}` is none of the four", escape_control(text))
            }
            Self::UnknownWord { key, text } => {
                write!(f, "`{key}` does not know `{}`", escape_control(text))
            }
            Self::UnreadableDate { key, text } => {
                write!(f, "`{key}` is no date: `{}`", escape_control(text))
            }
            Self::ReadAsText { key, why } => write!(f, "`{key}` is read as plain text: {why}"),
            Self::NeedsQuotes { key } => {
                write!(f, "`{key}` should be quoted; YAML readers refuse or change it")
            }
            Self::StrayLine => f.write_str("neither a `key: value` nor part of one"),
            Self::MetadataNotKeys => f.write_str("`metadata` holds no keys"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::QuoteOpen => "the quote is not closed",
            Self::TextAfterQuote => "text follows the closing quote",
            Self::Escape => "unknown backslash sequence",
            Self::BracketOpen => "the bracket is not closed",
            Self::TextAfterBracket => "text follows the closing bracket",
            Self::Depth => "nested too deep",
            Self::Indent => "the lines are not indented alike",
        })
    }
}
