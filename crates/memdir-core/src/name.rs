//! Names for new memories: a slug of what the memory is called, in any script.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{
    MemPath, MemoryType, digest, limits,
    text::{self, is_default_ignorable},
};

/// Stands in for a slug that a text has no letters for.
const NAMELESS: &str = "note";

/// Returns the words of a text in lower case with one `-` between them; letters and digits of every script stay.
///
/// The text is taken in normal form KC, apostrophes within words are dropped (`don't` is `dont`), everything that is
/// neither letter nor digit separates words. Empty if there is nothing but separators. A slug is its own slug.
pub fn slug(text: &str) -> String {
    let normal: String = text.nfkc().filter(|&c| !is_default_ignorable(c)).collect();
    let mut out = String::with_capacity(normal.len());
    let mut separate = false;
    for c in normal.to_lowercase().nfc() {
        if c.is_alphanumeric() || (is_combining_mark(c) && !separate && !out.is_empty()) {
            if separate && !out.is_empty() {
                out.push('-');
            }
            separate = false;
            out.push(c);
        } else if !matches!(c, '\'' | '’') {
            separate = true;
        }
    }
    // What an apostrophe kept apart may be one character now.
    out.nfc().collect()
}

/// Returns the file name for a new memory, `<type>_<slug>.md`, or `<slug>.md` without a type.
///
/// The same type and name always give the same file name; it has at most [`limits::FILE_NAME_BYTES`] bytes. A name that
/// is cut, or that is not empty but has no letters or digits, gets a short hash, so that two such names stay two. Names
/// that differ only in case or punctuation share a file name. Without a type, a slug
/// that cannot be a file name (`con`) or would be the index's on some systems (`memory`) is put behind `note_`.
pub fn file_name(kind: Option<MemoryType>, name: &str) -> MemPath {
    let prefix = kind.map(|kind| format!("{kind}_")).unwrap_or_default();
    let room = limits::FILE_NAME_BYTES - prefix.len() - ".md".len();
    let full = slug(name);
    let stem = if full.is_empty() {
        match name.trim() {
            "" => NAMELESS.to_owned(),
            other => format!("{NAMELESS}-{}", digest::hex_32(other)),
        }
    } else if full.len() > room {
        format!("{}-{}", cut(&full, room - 1 - digest::HEX_32), digest::hex_32(&full))
    } else {
        full
    };
    [format!("{prefix}{stem}.md"), format!("{NAMELESS}_{stem}.md")]
        .iter()
        .filter_map(|name| MemPath::parse(name).ok())
        .find(|path| path.twin_key() != MemPath::index().twin_key())
        .unwrap_or_else(|| MemPath::hashed(NAMELESS, &digest::hex_32(name)))
}

/// Returns the beginning of a slug that has at most `max_bytes`, whole words if that leaves at least half of it.
pub(crate) fn cut(slug: &str, max_bytes: usize) -> &str {
    if slug.len() <= max_bytes {
        return slug;
    }
    let start = text::prefix(slug, max_bytes);
    let words = match start.rsplit_once('-') {
        Some((words, _)) if words.len() * 2 >= max_bytes => words,
        _ => start,
    };
    words.trim_end_matches('-')
}
