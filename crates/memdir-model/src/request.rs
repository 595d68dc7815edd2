//! What a model is asked.

use std::sync::Arc;

use serde_json::Value;

use crate::Prefix;

/// One request to a model.
///
/// ```
/// use memdir_model::{Message, Request};
///
/// let request = Request::new("recall", 512)
///     .system("Choose the files that help.")
///     .message(Message::user("Which port does the staging server use?"));
/// assert_eq!(request.purpose, "recall");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// Who asks, such as `recall` or `auto_dream`: for the ledger and for events, never sent.
    pub purpose: String,
    /// Instructions, in order.
    pub system: Vec<Passage>,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// What the model may call.
    pub tools: Vec<Tool>,
    /// What form the answer shall have.
    pub output: Output,
    /// Tokens that the answer may have, thinking included.
    pub max_tokens: u32,
    /// The request of another conversation which this one goes on from. Its system, tools, model and cap stand for this request's own, which are left empty then.
    pub prefix: Option<Arc<Prefix>>,
}

impl Request {
    /// Makes an empty request for an answer in words.
    pub fn new(purpose: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            purpose: purpose.into(),
            system: Vec::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            output: Output::Words,
            max_tokens,
            prefix: None,
        }
    }

    /// Adds a passage of instructions.
    #[must_use]
    pub fn system(mut self, passage: impl Into<Passage>) -> Self {
        self.system.push(passage.into());
        self
    }

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, message: Message) -> Self {
        self.messages.push(message);
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Says what form the answer shall have.
    #[must_use]
    pub fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    /// Goes on from the request of another conversation.
    #[must_use]
    pub fn prefix(self, prefix: Arc<Prefix>) -> Self {
        Self { prefix: Some(prefix), ..self }
    }

    /// Tokens that the answer may have: a shared prefix has its own cap.
    pub(crate) fn most_tokens(&self) -> u32 {
        let prefix = self.prefix.as_ref().and_then(|prefix| prefix.max_tokens());
        self.max_tokens.max(prefix.unwrap_or_default())
    }

    /// Bytes of all texts that are sent. No tokenizer in use makes more tokens than bytes, so this bounds them.
    pub fn bytes(&self) -> u64 {
        let system: usize = self.system.iter().map(|passage| passage.text.len()).sum();
        let messages: usize =
            self.messages.iter().flat_map(|message| &message.content).map(Content::bytes).sum();
        let tools: usize = self.tools.iter().map(Tool::bytes).sum();
        let schema = match &self.output {
            Output::Words => 0,
            Output::Json(schema) => schema.schema.to_string().len(),
        };
        let prefix = self.prefix.as_ref().map_or(0, |prefix| prefix.bytes());
        (system + messages + tools + schema + prefix) as u64
    }
}

/// Whether the provider may keep what was read up to here for the next request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "a breakpoint is there or not")]
pub enum Cache {
    /// No breakpoint.
    #[default]
    No,
    /// A breakpoint after this part. Providers know at most four in a request.
    Here,
}

/// A part of the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passage {
    /// Its words.
    pub text: String,
    /// Whether it ends a part that can be kept.
    pub cache: Cache,
}

impl Passage {
    /// Makes a passage that ends a part which can be kept.
    pub fn cached(text: impl Into<String>) -> Self {
        Self { text: text.into(), cache: Cache::Here }
    }
}

impl<T: Into<String>> From<T> for Passage {
    fn from(text: T) -> Self {
        Self { text: text.into(), cache: Cache::No }
    }
}

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a conversation has two sides")]
pub enum Role {
    /// Of the program that asks.
    User,
    /// Of the model.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Message {
    /// Whose it is.
    pub role: Role,
    /// Its parts, in order.
    pub content: Vec<Content>,
    /// Whether it ends a part that can be kept.
    pub cache: Cache,
}

impl Message {
    /// Makes a message of either side.
    pub fn new(role: Role, content: Vec<Content>) -> Self {
        Self { role, content, cache: Cache::No }
    }

    /// Makes a message of words of the program that asks.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![Content::Text(text.into())])
    }

    /// Ends a part that can be kept with this message.
    #[must_use]
    pub fn cached(self) -> Self {
        Self { cache: Cache::Here, ..self }
    }
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Words.
    Text(String),
    /// The model calls a tool.
    Call {
        /// Name of the call, which its result repeats.
        id: String,
        /// The tool.
        tool: String,
        /// What it is called with.
        input: Value,
    },
    /// What a call gave.
    Result {
        /// Name of the call.
        id: String,
        /// What the tool says.
        text: String,
        /// Whether that is why it did not do what it was called for.
        is_error: bool,
    },
    /// Something that only the provider understands, such as thinking with its signature; it goes back as it came.
    Opaque(Value),
}

impl Content {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Call { id, tool, input } => id.len() + tool.len() + input.to_string().len(),
            Self::Result { id, text, .. } => id.len() + text.len(),
            Self::Opaque(value) => value.to_string().len(),
        }
    }
}

/// Something that a model may call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// Its name: ASCII letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its input.
    pub input: Value,
}

impl Tool {
    /// Describes a tool.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input: Value) -> Self {
        Self { name: name.into(), description: description.into(), input }
    }

    fn bytes(&self) -> usize {
        self.name.len() + self.description.len() + self.input.to_string().len()
    }
}

/// What form an answer shall have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// Words, and calls of tools.
    Words,
    /// One JSON value of this form. A provider asks for it in the strictest way that its server knows; the answer is to be checked all the same.
    Json(Schema),
}

/// A form of JSON.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// A name of letters, digits and `_`.
    pub name: String,
    /// JSON Schema: an object at the top, `additionalProperties: false` everywhere, every property required, no recursion; this is what all providers take.
    pub schema: Value,
}

impl Schema {
    /// Names a form.
    pub fn new(name: impl Into<String>, schema: Value) -> Self {
        Self { name: name.into(), schema }
    }
}
