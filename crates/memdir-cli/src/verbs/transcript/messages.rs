//! Messages as the client sends them to its model: the lines of one reply together, and so the results of its tools.

use std::io;

use memdir::core::text::prefix;
use memdir::transcript::limits::MAX_NOTES;
use memdir::transcript::{Block, Entry, Member, Place, Role};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{WireNote, kind_name, origin_name, role_name};
use crate::transcripts::Source;

/// One message of a conversation.
#[derive(Debug, Serialize)]
pub(super) struct Message {
    role: &'static str,
    /// Blocks as they stand in the file; a text without blocks is one.
    content: Vec<Box<RawValue>>,
    /// The lines that it was made of, in order.
    from: Vec<Part>,
    #[serde(skip)]
    reply: Option<String>,
    /// The beginning of what is said.
    #[serde(skip)]
    pub(super) said: String,
}

/// A line of the file that is part of a conversation.
#[derive(Debug, Serialize)]
pub(super) struct Part {
    pub(super) uuid: Option<String>,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtype: Option<String>,
    pub(super) origin: &'static str,
    /// Bytes from the start of the file.
    pub(super) offset: u64,
    bytes: u32,
}

/// Whether the blocks of messages are held in memory, or only what they begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blocks {
    Kept,
    Dropped,
}

/// What is made of the members of a conversation, one line in memory at a time.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub(super) sent: Vec<Message>,
    /// Members that are no message: remarks, attachments, errors that the client showed in a reply's place.
    pub(super) others: Vec<Part>,
    pub(super) session_id: Option<String>,
    /// What is odd about the text of the members.
    pub(super) notes: Vec<WireNote>,
    /// How much more there was.
    pub(super) more_notes: u64,
}

/// The part of a line's message that is passed on as it is.
#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    content: Vec<&'a RawValue>,
}

impl Messages {
    /// Reads the members of a conversation.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub(super) fn read(
        members: &[Member],
        blocks: Blocks,
        source: &mut Source,
    ) -> io::Result<Self> {
        let mut messages = Self::default();
        for member in members {
            let entry = Entry::read(source, member.place)?;
            messages.add(member, &entry, blocks);
        }
        Ok(messages)
    }

    fn add(&mut self, member: &Member, entry: &Entry<'_>, blocks: Blocks) {
        let part = Part::of(member, entry);
        for reason in entry.reasons() {
            if self.notes.len() >= MAX_NOTES {
                self.more_notes += 1;
                continue;
            }
            self.notes.push(WireNote {
                offset: part.offset,
                uuid: part.uuid.clone(),
                reason: reason.to_string(),
                advice: reason.is_advice(),
            });
        }
        if let Some(id) = entry.text("sessionId") {
            self.session_id = Some(id.into_owned());
        }
        let message = entry.message().filter(|_| member.kind.is_message());
        // The client shows an error in the reply's place and does not send it.
        let Some(message) = message.filter(|_| !entry.is_true("isApiErrorMessage")) else {
            self.others.push(part);
            return;
        };
        let is_reply = member.kind == memdir::transcript::Kind::Assistant;
        let role = if is_reply { Role::Assistant } else { Role::User };
        let reply = message.id.as_deref().filter(|_| is_reply).map(str::to_owned);
        let joins = self.sent.last().is_some_and(|last| {
            last.role == role_name(role) && (!is_reply || reply.is_some() && last.reply == reply)
        });
        if !joins {
            self.sent.push(Message {
                role: role_name(role),
                content: Vec::new(),
                from: Vec::new(),
                reply,
                said: String::new(),
            });
        }
        let Some(to) = self.sent.last_mut() else { return };
        if to.said.is_empty() {
            to.said = said(&message.content);
        }
        if blocks == Blocks::Kept {
            to.content.append(&mut content(entry, &message.content));
        }
        to.from.push(part);
    }
}

impl Message {
    pub(super) fn role(&self) -> &'static str {
        self.role
    }

    /// The origins of its lines, each once.
    pub(super) fn origins(&self) -> String {
        let mut names: Vec<_> = self.from.iter().map(|part| part.origin).collect();
        names.dedup();
        names.join(", ")
    }

    /// Where the first of its lines is.
    pub(super) fn offset(&self) -> u64 {
        self.from.first().map_or(0, |part| part.offset)
    }
}

impl Part {
    fn of(member: &Member, entry: &Entry<'_>) -> Self {
        let Place { offset, len, .. } = member.place;
        Self {
            uuid: entry.text("uuid").map(std::borrow::Cow::into_owned),
            kind: kind_name(member.kind),
            subtype: entry.text("subtype").map(std::borrow::Cow::into_owned),
            origin: origin_name(member.origin),
            offset,
            bytes: len,
        }
    }
}

/// The blocks of a line as they are; those that were understood where the line is no JSON.
fn content(entry: &Entry<'_>, blocks: &[Block<'_>]) -> Vec<Box<RawValue>> {
    let message = entry.field("message").unwrap_or_default();
    match serde_json::from_str::<Content<'_>>(&message) {
        Ok(raw) if raw.content.iter().all(|block| block.get().starts_with('{')) => {
            raw.content.into_iter().map(ToOwned::to_owned).collect()
        }
        Ok(_) | Err(_) => blocks.iter().filter_map(understood).collect(),
    }
}

/// A block in the words of the client's model.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireBlock<'a> {
    Text { text: &'a str },
    Thinking { thinking: &'a str },
    ToolUse { id: &'a str, name: &'a str, input: Option<Box<RawValue>> },
    ToolResult { tool_use_id: &'a str, content: &'a str, is_error: bool },
}

fn understood(block: &Block<'_>) -> Option<Box<RawValue>> {
    let block = match block {
        Block::Text(text) => WireBlock::Text { text },
        Block::Thinking(thinking) => WireBlock::Thinking { thinking },
        Block::ToolUse { id, name, input, .. } => WireBlock::ToolUse {
            id,
            name,
            input: RawValue::from_string(input.clone().into_owned()).ok(),
        },
        Block::ToolResult { tool_use_id, text, is_error, .. } => {
            WireBlock::ToolResult { tool_use_id, content: text, is_error: *is_error }
        }
        Block::Other { json, .. } => return RawValue::from_string(json.clone().into_owned()).ok(),
        _ => return None,
    };
    to_raw_value(&block).ok()
}

/// What a message begins with, for a list.
fn said(blocks: &[Block<'_>]) -> String {
    let text = |block: &Block<'_>| match block {
        Block::Text(text) => Some(first_line(text).to_owned()),
        Block::ToolUse { name, .. } => Some(format!("calls {name}")),
        Block::ToolResult { text, .. } => Some(format!("result: {}", first_line(text))),
        Block::Other { kind, .. } => Some(format!("({kind})")),
        _ => None,
    };
    blocks.iter().find_map(text).unwrap_or_default()
}

/// Longest beginning of a message for a list, in bytes. Ours: more than fits beside the other columns.
const SAID_BYTES: usize = 400;

fn first_line(text: &str) -> &str {
    prefix(text.trim_start().lines().next().unwrap_or_default(), SAID_BYTES)
}
