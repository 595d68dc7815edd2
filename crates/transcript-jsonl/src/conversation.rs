//! A conversation as a model should see it: who said what, without what the client mixed in.

mod injected;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read, Seek};

use crate::entry::{Block, Entry, Role};
use crate::envelope::Envelope;
use crate::kind::Kind;
use crate::limits;
use crate::line::Place;
use crate::resume::{Member, Resume};
use crate::text::cut;

pub(crate) use injected::{is_command, without_injected};

/// How much of a conversation is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one text of the user or the assistant.
    pub text_bytes: usize,
    /// Bytes of the arguments of one tool call, and of one result.
    pub tool_bytes: usize,
    /// Bytes of all of it; earlier turns are left out.
    pub total_bytes: usize,
}

/// The constants of the same names in [`limits`].
impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: limits::TEXT_BYTES,
            tool_bytes: limits::TOOL_BYTES,
            total_bytes: limits::CONVERSATION_BYTES,
        }
    }
}

/// Messages for a model to read: what the user and the assistant said, the tools that ran, and what they returned.
///
/// Left out are thoughts, pictures, attachments such as recalled memories, messages that the client wrote for itself,
/// its reminders within other messages, and its copies of requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conversation {
    /// The turns in order; the lines of one reply are one turn.
    pub turns: Vec<Turn>,
    /// Earlier turns that did not fit.
    pub left_out: usize,
}

/// What one side says at once.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn {
    /// Who speaks. Results of tools are turns of the user, as models expect it.
    pub role: Role,
    /// When the first line of it was written, as written.
    pub timestamp: Option<String>,
    /// The lines it was made of.
    pub places: Vec<Place>,
    /// What is said, never empty.
    pub parts: Vec<Part>,
}

/// A part of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text(Excerpt),
    /// A call of a tool.
    ToolCall {
        /// The id that the result names.
        id: String,
        /// The tool.
        name: String,
        /// The arguments as JSON, which a cut makes incomplete.
        input: Excerpt,
    },
    /// The result of a tool.
    ToolResult {
        /// The call that is answered.
        id: String,
        /// What the tool returned.
        text: Excerpt,
        /// Whether the tool failed.
        is_error: bool,
    },
}

/// A text, or its start.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// What is shown.
    pub text: String,
    /// Bytes that were cut off.
    pub cut: usize,
}

impl Excerpt {
    fn of(text: &str, bytes: usize) -> Self {
        let shown = cut(text, bytes);
        Self { text: shown.to_owned(), cut: text.len() - shown.len() }
    }
}

impl Part {
    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.text.len(),
            Self::ToolCall { id, name, input } => id.len() + name.len() + input.text.len(),
            Self::ToolResult { id, text, .. } => id.len() + text.text.len(),
        }
    }
}

impl Conversation {
    /// Reads the messages of a resumed session, one line in memory at a time.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn read<R: Read + Seek>(
        resume: &Resume,
        source: &mut R,
        limits: &Limits,
    ) -> io::Result<Self> {
        Self::of(&resume.members, source, limits)
    }

    /// Reads the messages among some entries, in the order given.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn of<R: Read + Seek>(
        members: &[Member],
        source: &mut R,
        limits: &Limits,
    ) -> io::Result<Self> {
        let mut building = Building::new(limits);
        for member in members.iter().filter(|member| member.kind.is_message()) {
            let entry = Entry::read(source, member.place)?;
            building.add(member, &entry);
        }
        building.end_turn();
        Ok(Self { turns: building.turns.into(), left_out: building.left_out })
    }
}

struct Building<'a> {
    limits: &'a Limits,
    turns: VecDeque<Turn>,
    bytes: usize,
    left_out: usize,
    /// The turn that further lines may belong to, and the id of its reply.
    open: Option<(Turn, Option<String>)>,
}

impl<'a> Building<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self { limits, turns: VecDeque::new(), bytes: 0, left_out: 0, open: None }
    }

    fn add(&mut self, member: &Member, entry: &Entry<'_>) {
        let Some(envelope) = entry.envelope() else { return };
        // A summary of a compaction is the client's, but it is all that is left of what it sums up.
        if envelope.is_meta() && !envelope.is_tool_result() {
            return;
        }
        let Some(message) = entry.message() else { return };
        let role = if member.kind == Kind::Assistant { Role::Assistant } else { Role::User };
        let parts: Vec<Part> =
            message.content.iter().filter_map(|block| self.part(block, &envelope)).collect();
        if parts.is_empty() {
            return;
        }
        let reply = message.id.map(Cow::into_owned).filter(|_| role == Role::Assistant);
        let results = parts.iter().all(|part| matches!(part, Part::ToolResult { .. }));
        let joins = self.open.as_ref().is_some_and(|(turn, id)| match role {
            Role::Assistant => turn.role == role && reply.is_some() && *id == reply,
            Role::User => {
                let open = turn.parts.iter().all(|part| matches!(part, Part::ToolResult { .. }));
                turn.role == role && results && open
            }
        });
        if !joins {
            self.end_turn();
        }
        let (turn, _) = self.open.get_or_insert_with(|| {
            let timestamp = envelope.timestamp().map(Cow::into_owned);
            (Turn { role, timestamp, places: Vec::new(), parts: Vec::new() }, reply)
        });
        turn.places.push(member.place);
        turn.parts.extend(parts);
    }

    fn part(&self, block: &Block<'_>, envelope: &Envelope<'_>) -> Option<Part> {
        let Limits { text_bytes, tool_bytes, .. } = *self.limits;
        match block {
            Block::Text(text) if envelope.kind() == Kind::Assistant => {
                (!text.trim().is_empty()).then(|| Part::Text(Excerpt::of(text, text_bytes)))
            }
            Block::Text(text) => {
                let text = without_injected(text);
                let said = !text.trim().is_empty() && !is_command(&text);
                said.then(|| Part::Text(Excerpt::of(text.trim(), text_bytes)))
            }
            Block::ToolUse { id, name, input } => Some(Part::ToolCall {
                id: cut(id, tool_bytes).to_owned(),
                name: cut(name, tool_bytes).to_owned(),
                input: Excerpt::of(input, tool_bytes),
            }),
            Block::ToolResult { tool_use_id, text, is_error, .. } => Some(Part::ToolResult {
                id: cut(tool_use_id, tool_bytes).to_owned(),
                text: Excerpt::of(&without_injected(text), tool_bytes),
                is_error: *is_error,
            }),
            Block::Thinking(_) | Block::Other { .. } => None,
        }
    }

    fn end_turn(&mut self) {
        let Some((turn, _)) = self.open.take() else { return };
        self.bytes += bytes(&turn);
        self.turns.push_back(turn);
        while self.bytes > self.limits.total_bytes
            && let Some(first) = self.turns.pop_front()
        {
            self.bytes -= bytes(&first);
            self.left_out += 1;
        }
    }
}

fn bytes(turn: &Turn) -> usize {
    turn.parts.iter().map(Part::bytes).sum()
}
