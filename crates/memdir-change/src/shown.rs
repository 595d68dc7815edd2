//! Texts of a model as a message may repeat them.

use memdir_core::text::{escape_control, prefix};
use memdir_guard::{redact, secrets};

use crate::limits::SHOWN_BYTES;

/// The text with its secrets blotted out.
pub(crate) fn without_secrets(text: &str) -> String {
    redact(text, &secrets(text)).into_owned()
}

/// The beginning of a text without secrets, at most so many bytes.
pub(crate) fn beginning(text: &str, max_bytes: usize) -> String {
    // What follows the cut may be what makes a secret of it.
    let near = prefix(text, 8 * max_bytes);
    prefix(&without_secrets(near), max_bytes).to_owned()
}

/// The beginning of a text, on one line and without secrets.
pub(crate) fn shown(text: &str) -> String {
    escape_control(&beginning(text, SHOWN_BYTES)).into_owned()
}
