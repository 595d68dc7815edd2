//! Finding the end of a block in the head of a file.

use memchr::memchr;

use crate::limits;

const BOM: &str = "\u{feff}";

/// What the head of a file shows of its frontmatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockEnd {
    /// There is no frontmatter.
    NoBlock,
    /// It ends before this byte.
    At(usize),
    /// The closing fence is not in the bytes seen; more must be read.
    Beyond,
    /// The closing fence is not within [`MAX_BLOCK_BYTES`](crate::limits::MAX_BLOCK_BYTES); nothing is gained by reading on.
    TooLong,
}

/// Tells from the head of a file whether all of its frontmatter is there.
///
/// A fence in which `head` ends counts only with its line feed; if `head` is the whole file, [`parse`](super::parse)
/// it whatever this says.
pub fn block_end(head: &[u8]) -> BlockEnd {
    let mut at = if head.starts_with(BOM.as_bytes()) { BOM.len() } else { 0 };
    let mut opened = false;
    while let Some(rest) = head.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, _) = rest.split_at(length);
        at += length;
        if at > limits::MAX_BLOCK_BYTES {
            return if opened { BlockEnd::TooLong } else { BlockEnd::NoBlock };
        }
        match (is_fence(line), opened) {
            (true, false) => opened = true,
            (true, true) if line.ends_with(b"\n") => return BlockEnd::At(at),
            (false, false) => return BlockEnd::NoBlock,
            _ => {}
        }
    }
    match opened {
        true if head.len() >= limits::MAX_BLOCK_BYTES => BlockEnd::TooLong,
        true => BlockEnd::Beyond,
        false => BlockEnd::NoBlock,
    }
}

pub(super) fn is_fence(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.trim_ascii().is_empty())
}

/// Length of the byte order mark, if there is one.
pub(super) fn bom(text: &str) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// Length of the line break at `at`, if the line there is empty.
pub(super) fn empty_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    ["\n", "\r\n"].iter().find(|end| rest.starts_with(**end)).map_or(0, |end| end.len())
}
