//! The types of lines.

/// The type of a line.
///
/// The set is open: clients add types with almost every release. What is not named here is [`Kind::Other`] and is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Kind {
    /// A message of the user, or results of tools.
    User,
    /// A message of the model, or one block of it.
    Assistant,
    /// A remark of the client, such as the boundary of a compaction.
    System,
    /// What the client adds to a message: memories, files, results of hooks.
    Attachment,
    /// Progress of a tool, no part of the conversation.
    Progress,
    /// A title that the client made, often of another session.
    Summary,
    /// A title that the user gave.
    CustomTitle,
    /// A title that a model made.
    AiTitle,
    /// The last prompt and the leaf of the conversation.
    LastPrompt,
    /// Backups of the files that the agent is about to change.
    FileHistorySnapshot,
    /// A known type of no concern to the conversation: modes, costs, queues, copies of requests.
    State,
    /// Any other type.
    #[default]
    Other,
}

impl Kind {
    /// Tells the kind of a type by its name.
    pub fn of(name: &str) -> Self {
        match name {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "system" => Self::System,
            "attachment" => Self::Attachment,
            "progress" => Self::Progress,
            "summary" => Self::Summary,
            "custom-title" => Self::CustomTitle,
            "ai-title" => Self::AiTitle,
            "last-prompt" => Self::LastPrompt,
            "file-history-snapshot" => Self::FileHistorySnapshot,
            "queue-operation"
            | "mode"
            | "permission-mode"
            | "cost-state"
            | "atis-latch"
            | "tools-used"
            | "agent-setting"
            | "agent-name"
            | "agent-color"
            | "api-request"
            | "api-request-shape"
            | "api-request-blob"
            | "tag"
            | "content-replacement"
            | "worktree-state"
            | "pr-link" => Self::State,
            _ => Self::Other,
        }
    }

    /// Returns whether such a line says something of the conversation: user or assistant.
    pub const fn is_message(self) -> bool {
        matches!(self, Self::User | Self::Assistant)
    }

    /// Returns whether such a line is a link of the conversation: a message, a remark, an attachment.
    pub const fn is_link(self) -> bool {
        matches!(self, Self::User | Self::Assistant | Self::System | Self::Attachment)
    }
}
