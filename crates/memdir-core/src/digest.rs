//! Short hashes of names that are too long to keep.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Characters of [`hex_64`].
pub(crate) const HEX_64: usize = 16;

/// Characters of [`hex_32`].
pub(crate) const HEX_32: usize = 8;

/// Returns the first 64 bits of the text's SHA-256, so that nobody can make up a text with the same.
pub(crate) fn hex_64(text: &str) -> String {
    hex(text, HEX_64)
}

/// Returns the first 32 bits of the text's SHA-256, to tell apart a few texts that nobody chose against each other.
pub(crate) fn hex_32(text: &str) -> String {
    hex(text, HEX_32)
}

fn hex(text: &str, digits: usize) -> String {
    let mut out = String::with_capacity(digits);
    for byte in Sha256::digest(text).iter().take(digits / 2) {
        write!(out, "{byte:02x}").expect("a String takes every write");
    }
    out
}
