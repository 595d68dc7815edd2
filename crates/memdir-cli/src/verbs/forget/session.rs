//! What a conversation left, for `forget --session`.

use memdir::change::{Lineage, Uncovered};
use memdir::core::MemPath;
use memdir::store::OpId;
use serde::Serialize;

use crate::output::Out;

/// What stays when what a conversation left is forgotten.
#[derive(Serialize)]
pub(super) struct WireLeft {
    /// `edited_since`, `edited_in`, `pinned`, `journal`, `transcripts`, `team` or `other`.
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<String>,
    /// The same in words.
    text: String,
}

/// What is not covered, in the order found.
pub(super) fn left(lineage: &Lineage) -> Vec<WireLeft> {
    lineage.uncovered.iter().map(wire).collect()
}

fn wire(left: &Uncovered) -> WireLeft {
    let of = |what, path: &MemPath, op: Option<&OpId>, text: String| WireLeft {
        what,
        path: Some(path.to_string()),
        op: op.map(OpId::to_string),
        text,
    };
    let alone = |what, text: &str| WireLeft { what, path: None, op: None, text: text.to_owned() };
    match left {
        Uncovered::EditedSince { path, op } => {
            let by = op.as_ref().map_or("outside".to_owned(), |op| format!("in {op}"));
            let text = format!("{path} comes from it, and others changed it since, {by}");
            of("edited_since", path, op.as_ref(), text)
        }
        Uncovered::EditedIn { path, op } => {
            let text = format!("{path} comes from elsewhere, and it changed that in {op}");
            of("edited_in", path, Some(op), text)
        }
        Uncovered::Pinned { path } => of(
            "pinned",
            path,
            None,
            format!("{path} comes from it and is pinned; name it to forget it"),
        ),
        Uncovered::Journal => {
            alone("journal", "the journal keeps earlier texts, so that undo works, until --purge")
        }
        Uncovered::Transcripts => alone(
            "transcripts",
            "transcripts and summaries of the conversation, which are the client's",
        ),
        Uncovered::Team => alone("team", "what was shared in team/"),
        _ => alone("other", "something that a later version knows"),
    }
}

/// Prints what goes with the memories, and what stays.
pub(super) fn print(
    session: &str,
    proposals: usize,
    dry_run: bool,
    left: &[WireLeft],
    out: &mut Out,
) {
    if proposals > 0 {
        let verb = if dry_run { "would dismiss" } else { "dismissed" };
        let word = if proposals == 1 { "proposal" } else { "proposals" };
        out.line(&format!("{verb} {proposals} {word} in the inbox"));
    }
    let session = out.escaped(session);
    out.line(&format!("not covered of session {session}:"));
    for left in left {
        let text = out.escaped(&left.text);
        out.line(&format!("  {text}"));
    }
}
