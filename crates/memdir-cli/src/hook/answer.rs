//! What a hook says to its client.

use memdir::core::limits::FRAMED_MEMORIES;
use memdir::recall::{Attachment, render};
use serde::Serialize;

/// Longest text that the client passes on to its model, in UTF-16 units.
///
/// From the documentation of Claude Code's hooks; it puts a longer one into a file and shows the beginning only.
const MAX_CONTEXT_UNITS: usize = 10_000;

/// What a client reads from stdout; nothing is printed where there is nothing to say.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    /// For the person in front of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hook_specific_output: Option<Output>,
}

/// The part that belongs to one kind of hook.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    pub(super) hook_event_name: &'static str,
    /// For the model.
    pub(super) additional_context: String,
}

/// Recalled memories as one text that the client passes on whole, and how many of them are in it. The others are named, so
/// that the agent can read them.
pub(super) fn context(attachments: &[Attachment], directory: &str) -> (String, usize) {
    for shown in (0..=attachments.len().min(FRAMED_MEMORIES)).rev() {
        let (within, left) = attachments.split_at_checked(shown).unwrap_or_default();
        let text = render(within) + &pointer(left, directory, shown > 0);
        // No text has more units than bytes.
        if text.len() <= MAX_CONTEXT_UNITS || text.encode_utf16().count() <= MAX_CONTEXT_UNITS {
            return (text, shown);
        }
    }
    (String::new(), 0)
}

/// A line that names what is left out.
fn pointer(left: &[Attachment], directory: &str, is_more: bool) -> String {
    if left.is_empty() {
        return String::new();
    }
    let names = left.iter().map(|attachment| format!("`{}`", plain(attachment.path.as_str())));
    let names = names.collect::<Vec<_>>().join(", ");
    let more = if is_more { "\nMore notes" } else { "Notes" };
    format!(
        "{more} of earlier conversations fit and are left out for want of room. They are files of {}: {names}\n",
        plain(directory)
    )
}

/// A path that cannot pass for a tag of a prompt.
fn plain(path: &str) -> String {
    path.replace('<', "&lt;").replace('>', "&gt;")
}
