//! The walk over one object that finds the fields of its envelope.

use crate::json::{nested_end, object, skip_space, string_end, value_end};
use crate::kind::Kind;

/// Where the content of a string is in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    // No string begins at 0, where the brace is.
    at: u32,
    len: u32,
}

impl Span {
    pub(crate) const ABSENT: Self = Self { at: 0, len: 0 };

    pub(crate) fn of(self, line: &[u8]) -> Option<&[u8]> {
        if self == Self::ABSENT {
            return None;
        }
        let at = self.at as usize;
        line.get(at..at + self.len as usize)
    }
}

/// What is true or false of a line.
#[derive(Debug, Clone, Copy)]
#[repr(u16)]
pub(crate) enum Flag {
    Sidechain = 1,
    Meta = 1 << 1,
    CompactSummary = 1 << 2,
    ToolUseResult = 1 << 3,
    NamesParent = 1 << 4,
    NamesMessage = 1 << 5,
}

/// The fields whose shape is looked at, in the order of their bits.
const FIELDS: [&str; 13] = [
    "type",
    "subtype",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "sessionId",
    "timestamp",
    "isSidechain",
    "isMeta",
    "isCompactSummary",
    "message",
    "message.id",
    "leafUuid",
];

const TYPE: u16 = 1;
const SUBTYPE: u16 = 1 << 1;
const UUID: u16 = 1 << 2;
const PARENT: u16 = 1 << 3;
const LOGICAL: u16 = 1 << 4;
const SESSION: u16 = 1 << 5;
const TIMESTAMP: u16 = 1 << 6;
const SIDECHAIN: u16 = 1 << 7;
const META: u16 = 1 << 8;
const SUMMARY: u16 = 1 << 9;
const MESSAGE: u16 = 1 << 10;
const MESSAGE_ID: u16 = 1 << 11;
const LEAF: u16 = 1 << 12;

/// The fields of an envelope as places in the line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spans {
    pub(crate) kind: Kind,
    flags: u16,
    odd: u16,
    pub(crate) type_name: Span,
    pub(crate) subtype: Span,
    pub(crate) uuid: Span,
    pub(crate) parent: Span,
    pub(crate) logical: Span,
    pub(crate) session: Span,
    pub(crate) timestamp: Span,
    pub(crate) message: Span,
    pub(crate) tool: Span,
    pub(crate) leaf: Span,
}

impl Spans {
    const EMPTY: Self = Self {
        kind: Kind::Other,
        flags: 0,
        odd: 0,
        type_name: Span::ABSENT,
        subtype: Span::ABSENT,
        uuid: Span::ABSENT,
        parent: Span::ABSENT,
        logical: Span::ABSENT,
        session: Span::ABSENT,
        timestamp: Span::ABSENT,
        message: Span::ABSENT,
        tool: Span::ABSENT,
        leaf: Span::ABSENT,
    };

    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags & flag as u16 != 0
    }

    pub(crate) fn odd_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        let odd = self.odd;
        FIELDS
            .iter()
            .enumerate()
            .filter(move |(bit, _)| odd & (1 << bit) != 0)
            .map(|(_, name)| *name)
    }

    /// Takes a string, and notes what is none.
    #[inline]
    fn string(line: &[u8], at: usize, odd: &mut u16, bit: u16) -> Option<(Span, usize)> {
        *odd &= !bit;
        if line.get(at) == Some(&b'"') {
            let end = string_end(line, at + 1)?;
            let span = Span {
                at: u32::try_from(at + 1).ok()?,
                len: u32::try_from(end - 1 - (at + 1)).ok()?,
            };
            return Some((span, end));
        }
        let end = value_end(line, at)?;
        if line.get(at..end) != Some(b"null") {
            *odd |= bit;
        }
        Some((Span::ABSENT, end))
    }

    #[inline]
    fn truth(&mut self, line: &[u8], at: usize, flag: Flag, bit: u16) -> Option<usize> {
        let end = value_end(line, at)?;
        self.flags &= !(flag as u16);
        self.odd &= !bit;
        match line.get(at..end)? {
            b"true" => self.flags |= flag as u16,
            b"false" | b"null" => {}
            _ => self.odd |= bit,
        }
        Some(end)
    }

    fn message(&mut self, line: &[u8], at: usize) -> Option<usize> {
        self.odd &= !MESSAGE;
        if line.get(at) != Some(&b'{') {
            self.odd |= MESSAGE;
            return value_end(line, at);
        }
        object(line, at, |key, at| match key {
            b"id" => {
                let (span, end) = Self::string(line, at, &mut self.odd, MESSAGE_ID)?;
                self.message = span;
                Some(end)
            }
            b"content" if line.get(at) == Some(&b'[') => self.content(line, at),
            _ => value_end(line, at),
        })
    }

    /// Looks into the first block of a message; a result of a tool is never behind another block.
    fn content(&mut self, line: &[u8], at: usize) -> Option<usize> {
        let first = skip_space(line, at + 1);
        if line.get(first) != Some(&b'{') {
            return value_end(line, at);
        }
        let behind = object(line, first, |key, at| {
            if key != b"tool_use_id" || line.get(at) != Some(&b'"') {
                return value_end(line, at);
            }
            let (span, end) = Self::string(line, at, &mut self.odd, 0)?;
            self.tool = span;
            Some(end)
        })?;
        nested_end(line, behind, 1)
    }
}

/// An envelope and the end of its object.
#[derive(Debug)]
pub(crate) struct Scanned {
    pub(crate) spans: Spans,
    pub(crate) end: usize,
}

/// Walks the object that `line` begins with; nothing where there is none or it is not whole.
///
/// Of a key that stands twice the last counts, as for every reader in JavaScript.
pub(crate) fn scan(line: &[u8]) -> Option<Scanned> {
    let mut spans = Spans::EMPTY;
    let end = object(line, 0, |key, at| {
        let (to, bit): (&mut Span, u16) = match key {
            b"type" => (&mut spans.type_name, TYPE),
            b"uuid" => (&mut spans.uuid, UUID),
            b"parentUuid" => {
                spans.flags |= Flag::NamesParent as u16;
                (&mut spans.parent, PARENT)
            }
            b"timestamp" => (&mut spans.timestamp, TIMESTAMP),
            b"sessionId" => (&mut spans.session, SESSION),
            b"subtype" => (&mut spans.subtype, SUBTYPE),
            b"logicalParentUuid" => (&mut spans.logical, LOGICAL),
            b"leafUuid" => (&mut spans.leaf, LEAF),
            b"message" => return spans.message(line, at),
            b"isSidechain" => return spans.truth(line, at, Flag::Sidechain, SIDECHAIN),
            b"isMeta" => return spans.truth(line, at, Flag::Meta, META),
            b"isCompactSummary" => return spans.truth(line, at, Flag::CompactSummary, SUMMARY),
            b"toolUseResult" => {
                spans.flags |= Flag::ToolUseResult as u16;
                return value_end(line, at);
            }
            b"messageId" => {
                spans.flags |= Flag::NamesMessage as u16;
                return value_end(line, at);
            }
            _ => return value_end(line, at),
        };
        let (span, end) = Spans::string(line, at, &mut spans.odd, bit)?;
        *to = span;
        Some(end)
    })?;
    let name = spans.type_name.of(line).and_then(|name| std::str::from_utf8(name).ok());
    spans.kind = name.map_or(Kind::Other, Kind::of);
    if !spans.kind.is_message() {
        spans.odd &= !(MESSAGE | MESSAGE_ID);
    }
    Some(Scanned { spans, end })
}
