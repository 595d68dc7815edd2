//! The file of the inbox.

use memdir_core::MemPath;
use memdir_core::age::{format_rfc3339, parse_date};
use memdir_core::frontmatter::Origin;
use memdir_store::{Error, IndexOp};
use serde::{Deserialize, Serialize};

use super::{Asked, Inbox, Item, ProposedFile, STATE};
use crate::{Evidence, OpWord};

/// The version of the file that this program writes.
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    v: u64,
    next: u64,
    items: Vec<WireItem>,
}

#[derive(Serialize, Deserialize)]
struct WireItem {
    id: u64,
    at: String,
    actor: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    waits: String,
    operations: Vec<WireAsked>,
    files: Vec<WireFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    index: Vec<WireLine>,
}

#[derive(Serialize, Deserialize)]
struct WireAsked {
    op: String,
    reason: String,
    origin: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<WireEvidence>,
}

#[derive(Serialize, Deserialize)]
struct WireEvidence {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    message: String,
    quote: String,
}

#[derive(Serialize, Deserialize)]
struct WireFile {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

/// A line of the index; without title and hook it goes.
#[derive(Serialize, Deserialize)]
struct WireLine {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<(String, String)>,
}

pub(super) fn read(bytes: Option<&[u8]>) -> Result<Inbox, Error> {
    let Some(bytes) = bytes else { return Ok(Inbox::default()) };
    let file: File = serde_json::from_slice(bytes).map_err(|fault| io("read", fault.into()))?;
    if file.v > VERSION {
        return Err(Error::NewerFormat { path: STATE.to_string(), version: file.v });
    }
    let damaged = || io("read", std::io::Error::from(std::io::ErrorKind::InvalidData));
    let items = file.items.into_iter().map(|wire| item(wire).ok_or_else(damaged));
    Ok(Inbox { items: items.collect::<Result<_, _>>()?, next: file.next })
}

pub(super) fn write(inbox: &Inbox) -> Result<Vec<u8>, Error> {
    let items = inbox.items.iter().map(wire).collect();
    let file = File { v: VERSION, next: inbox.next, items };
    serde_json::to_vec(&file).map_err(|fault| io("write", fault.into()))
}

/// Bytes that an item takes in the file.
pub(super) fn size(item: &Item) -> Result<usize, Error> {
    Ok(serde_json::to_vec(&wire(item)).map_err(|fault| io("write", fault.into()))?.len() + 1)
}

fn io(op: &'static str, source: std::io::Error) -> Error {
    Error::Io { op, path: STATE.to_string(), source }
}

/// `None` where a path, a date or a revision is none: half of a proposal is another proposal.
fn item(wire: WireItem) -> Option<Item> {
    let asked = |wire: WireAsked| Asked {
        word: OpWord::parse(&wire.op),
        reason: wire.reason,
        origin: Origin::parse(&wire.origin).unwrap_or(Origin::External),
        evidence: wire
            .evidence
            .into_iter()
            .map(|WireEvidence { session, message, quote }| Evidence { session, message, quote })
            .collect(),
    };
    let file = |wire: WireFile| {
        let before = match wire.before {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        Some(ProposedFile { path: MemPath::parse(&wire.path).ok()?, before, after: wire.after })
    };
    let line = |wire: WireLine| {
        let path = MemPath::parse(&wire.path).ok()?;
        Some(match wire.words {
            Some((title, hook)) => IndexOp::Upsert { path, title, hook },
            None => IndexOp::Remove { path },
        })
    };
    Some(Item {
        id: wire.id,
        at: parse_date(&wire.at)?,
        actor: wire.actor,
        run: wire.run,
        session: wire.session,
        waits: wire.waits,
        operations: wire.operations.into_iter().map(asked).collect(),
        files: wire.files.into_iter().map(file).collect::<Option<_>>()?,
        index: wire.index.into_iter().map(line).collect::<Option<_>>()?,
    })
}

fn wire(item: &Item) -> WireItem {
    let asked = |asked: &Asked| WireAsked {
        op: asked.word.map_or("", OpWord::as_str).to_owned(),
        reason: asked.reason.clone(),
        origin: asked.origin.as_str().to_owned(),
        evidence: asked
            .evidence
            .iter()
            .cloned()
            .map(|Evidence { session, message, quote }| WireEvidence { session, message, quote })
            .collect(),
    };
    let file = |file: &ProposedFile| WireFile {
        path: file.path.to_string(),
        before: file.before.map(|revision| revision.to_string()),
        after: file.after.clone(),
    };
    let line = |op: &IndexOp| match op {
        IndexOp::Upsert { path, title, hook } => {
            WireLine { path: path.to_string(), words: Some((title.clone(), hook.clone())) }
        }
        // No run restores a line; the one that is there goes.
        IndexOp::Remove { path } | IndexOp::Restore { path, .. } => {
            WireLine { path: path.to_string(), words: None }
        }
        _ => WireLine { path: op.path().to_string(), words: None },
    };
    WireItem {
        id: item.id,
        at: format_rfc3339(item.at),
        actor: item.actor.clone(),
        run: item.run.clone(),
        session: item.session.clone(),
        waits: item.waits.clone(),
        operations: item.operations.iter().map(asked).collect(),
        files: item.files.iter().map(file).collect(),
        index: item.index.iter().map(line).collect(),
    }
}
