//! Fragments as one text for a model.

use memdir_core::text::{escape_control, prefix};

use crate::fragment::{Fragment, Scope};
use crate::limits;

const INTRODUCTION: &str = "Rules that people wrote for this work. Follow them; where two disagree, the later one is more \
    specific.\n";

/// Renders fragments in the order given as Markdown between tags that name each file; empty for none, or none with a text.
///
/// At most [`limits::RENDERED_BYTES`] long; the files that do not fit are named at the end, as many as fit.
pub fn render(fragments: &[Fragment]) -> String {
    let mut text = String::new();
    let mut left_out = Vec::new();
    for fragment in fragments.iter().filter(|fragment| !fragment.text.is_empty()) {
        let path = escape_control(&fragment.path.display().to_string()).replace('"', "'");
        let whose = whose(fragment.scope);
        // A text that closes the tag would begin to speak for another file.
        let body = fragment.text.replace("</rules", "(/rules");
        let part = format!("\n<rules file=\"{path}\" for=\"{whose}\">\n{body}\n</rules>\n");
        if INTRODUCTION.len() + text.len() + part.len() > limits::RENDERED_BYTES {
            left_out.push(path);
        } else {
            text.push_str(&part);
        }
    }
    if text.is_empty() && left_out.is_empty() {
        return text;
    }
    if !left_out.is_empty() {
        let rest = format!("\nToo long to be shown here: {}\n", left_out.join(", "));
        let left = limits::RENDERED_BYTES - INTRODUCTION.len() - text.len();
        text.push_str(prefix(&rest, left));
    }
    format!("{INTRODUCTION}{text}")
}

fn whose(scope: Scope) -> &'static str {
    match scope {
        Scope::Managed => "everybody on this machine",
        Scope::User => "the user, in every project",
        Scope::Project => "everybody in this project",
        Scope::Local => "the user, in this project",
    }
}
