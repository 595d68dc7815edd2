//! A key together with its value, as an edit sets it.

use std::borrow::Cow;
use std::time::SystemTime;

use crate::frontmatter::{Fields, Key, Origin, emit};
use crate::{MemoryType, age};

/// A key with its new value.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Field<'a> {
    /// `name`.
    Name(&'a str),
    /// `description`.
    Description(&'a str),
    /// `type`.
    Type(MemoryType),
    /// `modified`, written in whole seconds.
    Modified(SystemTime),
    /// `updated`, written in whole seconds.
    Updated(SystemTime),
    /// `created`, written in whole seconds.
    Created(SystemTime),
    /// `lastVerified`, written in whole seconds.
    LastVerified(SystemTime),
    /// `origin`.
    Origin(Origin),
    /// `originSessionId`.
    OriginSession(&'a str),
    /// `pinned`.
    Pinned(bool),
    /// `triggers`; empty items are left out.
    Triggers(&'a [String]),
    /// `paths`; empty items are left out.
    Paths(&'a [String]),
    /// `supersedes`; empty items are left out.
    Supersedes(&'a [String]),
}

impl<'a> Field<'a> {
    /// The key that it sets.
    pub const fn key(&self) -> Key {
        match self {
            Self::Name(_) => Key::Name,
            Self::Description(_) => Key::Description,
            Self::Type(_) => Key::Type,
            Self::Modified(_) => Key::Modified,
            Self::Updated(_) => Key::Updated,
            Self::Created(_) => Key::Created,
            Self::LastVerified(_) => Key::LastVerified,
            Self::Origin(_) => Key::Origin,
            Self::OriginSession(_) => Key::OriginSession,
            Self::Pinned(_) => Key::Pinned,
            Self::Triggers(_) => Key::Triggers,
            Self::Paths(_) => Key::Paths,
            Self::Supersedes(_) => Key::Supersedes,
        }
    }

    /// The value as it stands on a line without a comment.
    pub(super) fn emit(&self) -> Cow<'a, str> {
        match *self {
            Self::Name(text) | Self::Description(text) | Self::OriginSession(text) => {
                emit::scalar(text)
            }
            Self::Type(kind) => Cow::Borrowed(kind.as_str()),
            Self::Modified(at) | Self::Updated(at) | Self::Created(at) | Self::LastVerified(at) => {
                Cow::Owned(emit::date(at))
            }
            Self::Origin(origin) => Cow::Borrowed(origin.as_str()),
            Self::Pinned(pinned) => Cow::Borrowed(if pinned { "true" } else { "false" }),
            Self::Triggers(items) | Self::Paths(items) | Self::Supersedes(items) => {
                Cow::Owned(emit::list(items))
            }
        }
    }

    /// The value as it stands before a comment, which in plain text would be part of it.
    pub(super) fn emit_before_comment(&self) -> Cow<'a, str> {
        match *self {
            Self::Name(text) | Self::Description(text) => Cow::Owned(emit::quoted(text)),
            _ => self.emit(),
        }
    }

    /// What [`parse`](super::parse) is to read.
    pub(super) fn store(&self, fields: &mut Fields) {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let list =
            |items: &[String]| items.iter().filter(|item| !item.is_empty()).cloned().collect();
        let seconds = |at| age::parse_date(&age::format_rfc3339(at));
        match *self {
            Self::Name(name) => fields.name = text(name),
            Self::Description(description) => fields.description = text(description),
            Self::Type(kind) => {
                fields.kind = Some(kind);
                fields.kind_text = Some(Cow::Borrowed(kind.as_str()));
            }
            Self::Modified(at) => fields.modified = seconds(at),
            Self::Updated(at) => fields.updated = seconds(at),
            Self::Created(at) => fields.created = seconds(at),
            Self::LastVerified(at) => fields.last_verified = seconds(at),
            Self::Origin(origin) => fields.origin = Some(origin),
            Self::OriginSession(id) => fields.origin_session = text(id),
            Self::Pinned(pinned) => fields.pinned = pinned,
            Self::Triggers(items) => fields.triggers = list(items),
            Self::Paths(items) => fields.paths = list(items),
            Self::Supersedes(items) => fields.supersedes = list(items),
        }
    }
}

/// What [`parse`](super::parse) is to read without the key.
pub(super) fn clear(key: Key, fields: &mut Fields) {
    match key {
        Key::Name => fields.name = None,
        Key::Description => fields.description = None,
        Key::Type => (fields.kind, fields.kind_text) = (None, None),
        Key::Modified => fields.modified = None,
        Key::Updated => fields.updated = None,
        Key::Created => fields.created = None,
        Key::LastVerified => fields.last_verified = None,
        Key::Origin => fields.origin = None,
        Key::OriginSession => fields.origin_session = None,
        Key::Pinned => fields.pinned = false,
        Key::Triggers => fields.triggers.clear(),
        Key::Paths => fields.paths.clear(),
        Key::Supersedes => fields.supersedes.clear(),
    }
}
