//! Taking the meaning for a model out of quoted text.

use std::borrow::Cow;

use crate::text::{fold, prefix, with_danger};

/// Names of tags that prompts are built of, ours among them; also as the first part of a longer one
/// (`system-reminder`).
const STRUCTURE: [&str; 8] =
    ["memory", "memories", "system", "human", "assistant", "antml", "sys", "inst"];

/// Names that prompts use too, but that code uses as type arguments: `Option<User>`.
const ALSO_TYPES: [&str; 16] = [
    "user",
    "ai",
    "developer",
    "tool",
    "tools",
    "function",
    "functions",
    "invoke",
    "instruction",
    "instructions",
    "context",
    "document",
    "documents",
    "message",
    "thinking",
    "transcript",
];

/// Longest tag name that is looked at, in characters.
const NAME_CHARS: usize = 32;

/// How far behind a `[` its end is looked for, in bytes.
const NEAR_BYTES: usize = 256;

/// Makes text harmless inside a frame: line breaks become `\n`, control and invisible characters are gone, and the
/// bracket of whatever looks like a tag of a prompt becomes a parenthesis.
///
/// The result is never longer than the text.
pub(super) fn defang(text: &str) -> String {
    let plain = without_danger(text);
    let mut out = String::with_capacity(plain.len());
    let mut rest = &*plain;
    while let Some(at) = rest.bytes().position(may_begin_bracket) {
        let (before, bracket) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let mut after = bracket.chars();
        let Some(open) = after.next() else { break };
        rest = after.as_str();
        let inside_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let tag = match open {
            '[' | '［' => !inside_word && is_bracket_tag(rest),
            '<' | '＜' | '﹤' => is_tag(rest, inside_word),
            _ => false,
        };
        out.push(if tag { '(' } else { open });
    }
    out.push_str(rest);
    out
}

/// Tells the bytes with which `<`, `[`, `＜`, `﹤` and `［` begin; some other characters begin with the last of them too.
fn may_begin_bracket(byte: u8) -> bool {
    matches!(byte, b'<' | b'[' | 0xEF)
}

fn without_danger(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = with_danger(text).peekable();
    while let Some((c, danger)) = chars.next() {
        match c {
            '\r' if matches!(chars.peek(), Some(('\n', _))) => {}
            '\r' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            // The other line breaks, and what separates lines in old files.
            '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if !danger => out.push(c),
            _ => {}
        }
    }
    Cow::Owned(out)
}

fn is_tag(after_bracket: &str, inside_word: bool) -> bool {
    let inner = after_bracket.trim_start();
    if inner.starts_with('|') {
        // `<|im_start|>`
        return true;
    }
    let closing = inner.starts_with(['/', '\\', '／']);
    let name = first_name(inner);
    STRUCTURE.contains(&&*name) || (ALSO_TYPES.contains(&&*name) && (closing || !inside_word))
}

/// `[INST]` and `[System: …]`, but not a link such as `[System](system.md)`.
fn is_bracket_tag(after_bracket: &str) -> bool {
    let near = prefix(after_bracket, NEAR_BYTES);
    let linked = near.split_once(']').is_some_and(|(_, after)| after.starts_with('('));
    !linked && matches!(&*first_name(near), "inst" | "sys" | "system")
}

/// The folded letters that a tag begins with, up to the first `-`, `_`, `:` or the like.
fn first_name(inner: &str) -> String {
    let start =
        inner.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '\\' | '／'));
    let name: String = start.chars().take(NAME_CHARS).take_while(|c| c.is_alphanumeric()).collect();
    fold(&name).into_owned()
}
