//! The name of a project's folder among the projects.
//!
//! Both functions take the canonical root of the project as text and do not look at the disk.

use unicode_normalization::UnicodeNormalization;

use crate::{digest, limits, name};

/// Returns the folder name that Claude Code gives to the project at `path`; different paths can share one.
///
/// Each UTF-16 unit outside `[A-Za-z0-9]` becomes `-`. Where that makes more than
/// [`limits::CLIENT_KEY_UNITS`] units, the rest is replaced by `-` and a base-36 hash of the path as given.
pub fn claude_code(path: &str) -> String {
    let slug_unit = |unit: u16| {
        let c = u8::try_from(unit).map_or('-', char::from);
        if c.is_ascii_alphanumeric() { c } else { '-' }
    };
    let mut units = path.encode_utf16().map(slug_unit);
    let mut key: String = units.by_ref().take(limits::CLIENT_KEY_UNITS).collect();
    if units.next().is_some() {
        key.push('-');
        key.push_str(&base36(java_hash(path).unsigned_abs()));
    }
    key
}

/// `String.hashCode` of Java, which the client computes in 32-bit arithmetic.
fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Returns our own folder name for the project at `path`: the slug of its last component and a hash of the whole path.
///
/// Paths that differ only in their Unicode normal form share a key, as they name one folder; all others differ, also
/// where a file system ignores case. The key is a legal file name everywhere, at most [`limits::PROJECT_KEY_BYTES`]
/// long, and never begins with `-` or ends with a dot or a space.
pub fn memdir(path: &str) -> String {
    let path: String = path.nfc().collect();
    let last = path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or_default();
    let slug = name::slug(last);
    let slug = name::cut(&slug, limits::PROJECT_KEY_BYTES - 1 - digest::HEX_64);
    let slug = if slug.is_empty() { "root" } else { slug };
    format!("{slug}-{}", digest::hex_64(&path))
}
