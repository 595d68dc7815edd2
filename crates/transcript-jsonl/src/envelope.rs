//! What a line is about, found without parsing the rest of it.

mod scan;

use std::borrow::Cow;

pub(crate) use scan::{Scanned, scan};

use crate::id::Id;
use crate::kind::Kind;
use crate::text;
use scan::{Flag, Span, Spans};

/// The fields of a line that say what it is and where it belongs.
///
/// They borrow from the line, and text is decoded when it is asked for: a pass over a whole file allocates nothing.
/// A field of an unexpected shape counts as absent, and so does an empty id.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    line: &'a [u8],
    spans: Spans,
}

impl<'a> Envelope<'a> {
    /// Finds the envelope of the object that a line begins with, `None` where there is no whole object.
    pub fn of(line: &'a [u8]) -> Option<Self> {
        let at = crate::json::skip_space(line, 0);
        let line = line.get(at..)?;
        let Scanned { spans, end } = scan(line)?;
        Some(Self { line: line.get(..end)?, spans })
    }

    pub(crate) fn new(line: &'a [u8], spans: Spans) -> Self {
        Self { line, spans }
    }

    fn raw(&self, span: Span) -> Option<&'a [u8]> {
        span.of(self.line)
    }

    fn text(&self, span: Span) -> Option<Cow<'a, str>> {
        self.raw(span).map(text::decode)
    }

    fn id_of(&self, span: Span) -> Option<Id> {
        self.raw(span).filter(|raw| !raw.is_empty()).map(Id::of_raw)
    }

    /// Returns the kind of line.
    pub fn kind(&self) -> Kind {
        self.spans.kind
    }

    /// Returns the `type` as it is written.
    pub fn type_name(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.type_name)
    }

    /// Returns the `subtype` of a remark.
    pub fn subtype(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.subtype)
    }

    /// Returns the `uuid`.
    pub fn uuid(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.uuid).filter(|text| !text.is_empty())
    }

    /// Returns the `parentUuid`.
    pub fn parent_uuid(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.parent).filter(|text| !text.is_empty())
    }

    /// Returns the `logicalParentUuid`: where the conversation was before a compaction.
    pub fn logical_parent_uuid(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.logical).filter(|text| !text.is_empty())
    }

    /// Returns the `sessionId`.
    pub fn session_id(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.session)
    }

    /// Returns the `timestamp` as it is written.
    pub fn timestamp(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.timestamp)
    }

    /// Returns the `id` within `message`: lines with the same one are blocks of one reply.
    pub fn message_id(&self) -> Option<Cow<'a, str>> {
        self.text(self.spans.message)
    }

    /// Returns the [`Id`] of the `uuid`.
    pub fn id(&self) -> Option<Id> {
        self.id_of(self.spans.uuid)
    }

    /// Returns the [`Id`] of the `parentUuid`.
    pub fn parent_id(&self) -> Option<Id> {
        self.id_of(self.spans.parent)
    }

    pub(crate) fn logical_parent_id(&self) -> Option<Id> {
        self.id_of(self.spans.logical)
    }

    /// A number for the message's id, or for the tool call that it answers; 0 for neither.
    pub(crate) fn group(&self) -> u32 {
        let span = if self.is_tool_result() { self.spans.tool } else { self.spans.message };
        self.id_of(span).map_or(0, |id| id.spread().max(1))
    }

    /// Returns whether the line belongs to a subagent.
    pub fn is_sidechain(&self) -> bool {
        self.spans.has(Flag::Sidechain)
    }

    /// Returns whether the client wrote the message, not the user.
    pub fn is_meta(&self) -> bool {
        self.spans.has(Flag::Meta)
    }

    /// Returns whether this is the message with the summary of a compaction.
    pub fn is_compact_summary(&self) -> bool {
        self.spans.has(Flag::CompactSummary)
    }

    /// Returns whether this is the boundary of a compaction.
    pub fn is_boundary(&self) -> bool {
        self.kind() == Kind::System && self.raw(self.spans.subtype) == Some(b"compact_boundary")
    }

    /// Returns whether this is a message with the result of a tool.
    pub fn is_tool_result(&self) -> bool {
        self.kind() == Kind::User
            && (self.spans.tool != Span::ABSENT || self.spans.has(Flag::ToolUseResult))
    }

    /// Returns the known fields that have an unexpected shape.
    pub fn odd_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.spans.odd_fields()
    }

    /// Returns the bytes of the object.
    pub fn bytes(&self) -> &'a [u8] {
        self.line
    }

    /// Whether this is the envelope of a session's line, and not of a part of one.
    pub(crate) fn is_entry(&self) -> bool {
        let spans = &self.spans;
        spans.type_name != Span::ABSENT
            && (spans.session != Span::ABSENT
                || spans.leaf != Span::ABSENT
                || spans.has(Flag::NamesParent)
                || spans.has(Flag::NamesMessage))
    }
}
