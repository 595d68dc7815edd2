//! Messages of the user and the assistant.

use std::borrow::Cow;

use crate::json::Json;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// The user, and the results of tools.
    User,
    /// The model.
    Assistant,
}

/// A message or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Who speaks, `None` where the line does not say.
    pub role: Option<Role>,
    /// The id of the reply; lines with the same one are parts of one message.
    pub id: Option<Cow<'a, str>>,
    /// What is said, in order. Plain text is one block.
    pub content: Vec<Block<'a>>,
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Block<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// What the model thought.
    Thinking(Cow<'a, str>),
    /// A call of a tool.
    ToolUse {
        /// The id that the result names; empty where there is none.
        id: Cow<'a, str>,
        /// The tool; empty where there is no name.
        name: Cow<'a, str>,
        /// The arguments as JSON.
        input: Cow<'a, str>,
    },
    /// The result of a tool.
    ToolResult {
        /// The call that is answered; empty where there is no id.
        tool_use_id: Cow<'a, str>,
        /// Its text; the texts of several blocks stand below each other.
        text: Cow<'a, str>,
        /// Whether the tool failed.
        is_error: bool,
        /// How many blocks of the result are no text.
        others: usize,
    },
    /// Anything else, such as a picture.
    Other {
        /// The type of the block; empty where there is none.
        kind: Cow<'a, str>,
        /// The block as JSON.
        json: Cow<'a, str>,
    },
}

impl<'a> Message<'a> {
    pub(super) fn of(message: Json<'a>) -> Option<Self> {
        if !message.is_object() {
            return None;
        }
        let role = match message.get("role").and_then(Json::str).as_deref() {
            Some("user") => Some(Role::User),
            Some("assistant") => Some(Role::Assistant),
            _ => None,
        };
        let id = message.get("id").and_then(Json::str);
        let content = match message.get("content") {
            None => Vec::new(),
            Some(content) if content.is_null() => Vec::new(),
            Some(content) => match content.str() {
                Some(text) => vec![Block::Text(text)],
                None if content.is_array() => content.items().map(Block::of).collect(),
                None => vec![Block::of(content)],
            },
        };
        Some(Self { role, id, content })
    }
}

impl<'a> Block<'a> {
    fn of(block: Json<'a>) -> Self {
        if let Some(text) = block.str() {
            return Self::Text(text);
        }
        let text = |name| block.get(name).and_then(Json::str);
        let kind = text("type").unwrap_or_default();
        let known = match &*kind {
            "text" => text("text").map(Self::Text),
            "thinking" => text("thinking").map(Self::Thinking),
            "tool_use" => Some(Self::ToolUse {
                id: text("id").unwrap_or_default(),
                name: text("name").unwrap_or_default(),
                input: block.get("input").map_or(Cow::Borrowed("{}"), Json::raw),
            }),
            "tool_result" => {
                let (said, others) = block.get("content").map_or_else(Default::default, said);
                Some(Self::ToolResult {
                    tool_use_id: text("tool_use_id").unwrap_or_default(),
                    text: said,
                    is_error: block.get("is_error").and_then(Json::bool) == Some(true),
                    others,
                })
            }
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other { kind, json: block.raw() })
    }
}

/// The text of a result, and how many of its blocks are none.
fn said(content: Json<'_>) -> (Cow<'_, str>, usize) {
    if let Some(text) = content.str() {
        return (text, 0);
    }
    let mut said = String::new();
    let mut others = 0;
    for block in content.items() {
        match block.str().or_else(|| block.get("text").and_then(Json::str)) {
            Some(text) => {
                if !said.is_empty() {
                    said.push('\n');
                }
                said.push_str(&text);
            }
            None => others += 1,
        }
    }
    (Cow::Owned(said), others)
}
