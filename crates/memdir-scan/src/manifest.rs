//! Headers as lines for a prompt.

use std::fmt::Write;

use memdir_core::{
    age,
    text::{escape_control, prefix},
};

use crate::{Header, limits};

/// Lists memories for a prompt, a line each, in the order given.
///
/// A line is `- [type] path (2026-11-30T09:12:33Z): description`; what is absent is left out with its punctuation, an
/// unknown date is `(date unknown)`. Whatever a description holds, it stays one line of at most
/// [`limits::MANIFEST_DESCRIPTION_BYTES`]. All has at most [`limits::MANIFEST_BYTES`]; what does not fit is left out from
/// the end, and counted in a last line.
pub fn manifest(headers: &[Header]) -> String {
    const ROOM_FOR_LAST: usize = 64;
    let mut out = String::new();
    for (listed, header) in headers.iter().enumerate() {
        let line = line(header);
        if out.len() + line.len() + ROOM_FOR_LAST > limits::MANIFEST_BYTES {
            let more = headers.len() - listed;
            writeln!(out, "({more} more memories are not listed)").expect(STRING);
            break;
        }
        out.push_str(&line);
    }
    out
}

fn line(header: &Header) -> String {
    let mut line = String::from("- ");
    if let Some(kind) = header.kind {
        write!(line, "[{kind}] ").expect(STRING);
    }
    let date =
        if header.age_known { age::format_rfc3339(header.date) } else { "date unknown".into() };
    write!(line, "{} ({date})", header.path).expect(STRING);
    if let Some(description) = &header.description {
        let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = escape_control(&words);
        let cut = prefix(&shown, limits::MANIFEST_DESCRIPTION_BYTES);
        let mark = if cut.len() < shown.len() { "…" } else { "" };
        write!(line, ": {cut}{mark}").expect(STRING);
    }
    line.push('\n');
    line
}

const STRING: &str = "a String takes every write";
