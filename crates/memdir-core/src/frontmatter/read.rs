//! From the entries of a block to [`Fields`]: which level counts, and what to say about it.

use std::borrow::Cow;
use std::time::SystemTime;

use super::list::{self, brackets};
use super::raw::Raw;
use super::value::{self, Trouble};
use super::walk::{Entry, Item, Known, Level, split_key};
use super::{Fields, Key, Note, NoteKind, Origin};
use crate::{MemoryType, age, limits};

/// Characters of a value that a note repeats.
const SHOWN_CHARS: usize = 60;

#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) fields: Fields,
    pub(super) notes: Vec<Note>,
    pub(super) has_metadata: bool,
    /// One bit a key, by level.
    top: u16,
    nested: u16,
}

impl Reading {
    pub(super) fn take(&mut self, item: &Item<'_>) {
        match item {
            Item::Stray { line } => self.note(*line, NoteKind::StrayLine),
            Item::Entry(Entry { level: Level::Top, known: Known::Metadata, raw, line, .. }) => {
                if std::mem::replace(&mut self.has_metadata, true) {
                    self.note(*line, NoteKind::DuplicateMetadata);
                }
                self.take_metadata(*line, raw);
            }
            Item::Entry(Entry { level, known: Known::Key(key), raw, line, .. }) => {
                self.take_key(*line, *level, *key, raw);
            }
            Item::Entry(_) => {}
        }
    }

    /// Reads `metadata: {…}`; keys on lines of their own come one by one.
    fn take_metadata(&mut self, line: usize, raw: &Raw<'_>) {
        if value::word(raw).0.is_empty() {
            return;
        }
        let Some(Ok(pieces)) = brackets(raw.whole, '{', '}') else {
            return self.note(line, NoteKind::MetadataNotKeys);
        };
        for piece in pieces {
            if let Some((Known::Key(key), value)) = split_key(piece.trim()) {
                self.take_key(line, Level::Nested, key, &Raw::inline(value.trim()));
            }
        }
    }

    fn take_key(&mut self, line: usize, level: Level, key: Key, raw: &Raw<'_>) {
        if raw.is_empty() || level == Level::Nested && !key.may_nest() {
            return;
        }
        let bit = 1_u16 << key as u16;
        let (here, other) = match level {
            Level::Top => (&mut self.top, self.nested),
            Level::Nested => (&mut self.nested, self.top),
        };
        let is_duplicate = *here & bit != 0;
        *here |= bit;
        let at_both = other & bit != 0;
        if at_both {
            self.note(line, NoteKind::NestedWins { key });
        } else if is_duplicate {
            self.note(line, NoteKind::Duplicate { key });
        }
        if level == Level::Nested || !at_both {
            self.set(line, key, raw);
        }
    }

    fn set(&mut self, line: usize, key: Key, raw: &Raw<'_>) {
        match key {
            Key::Name => self.fields.name = self.text(line, key, raw),
            Key::Description => self.fields.description = self.text(line, key, raw),
            Key::Type => {
                let word = self.word(line, key, raw);
                self.fields.kind = MemoryType::parse(&word);
                self.fields.kind_text = match self.fields.kind {
                    Some(kind) => Some(Cow::Borrowed(kind.as_str())),
                    None if word.is_empty() => None,
                    None => {
                        self.note(line, NoteKind::UnknownType { text: shown(&word) });
                        Some(Cow::Owned(word.into_owned()))
                    }
                };
            }
            Key::Modified => self.fields.modified = self.date(line, key, raw),
            Key::Updated => self.fields.updated = self.date(line, key, raw),
            Key::Created => self.fields.created = self.date(line, key, raw),
            Key::LastVerified => self.fields.last_verified = self.date(line, key, raw),
            Key::Origin => {
                let word = self.word(line, key, raw);
                self.fields.origin = Origin::parse(&word);
                if self.fields.origin.is_none() && !word.is_empty() {
                    self.note(line, NoteKind::UnknownWord { key, text: shown(&word) });
                }
            }
            Key::OriginSession => {
                let word = self.word(line, key, raw);
                self.fields.origin_session = (!word.is_empty()).then(|| word.into_owned());
            }
            Key::Pinned => self.fields.pinned = self.flag(line, key, raw),
            Key::Triggers => self.fields.triggers = self.list(line, key, raw),
            Key::Paths => self.fields.paths = self.list(line, key, raw),
            Key::Supersedes => self.fields.supersedes = self.list(line, key, raw),
        }
    }

    fn text(&mut self, line: usize, key: Key, raw: &Raw<'_>) -> Option<String> {
        let (text, trouble) = value::text(raw);
        self.trouble(line, key, trouble);
        (!text.is_empty()).then(|| text.into_owned())
    }

    fn list(&mut self, line: usize, key: Key, raw: &Raw<'_>) -> Vec<String> {
        let (items, trouble) = list::list(raw);
        self.trouble(line, key, trouble);
        items
    }

    fn word<'a>(&mut self, line: usize, key: Key, raw: &Raw<'a>) -> Cow<'a, str> {
        let (word, trouble) = value::word(raw);
        self.trouble(line, key, trouble);
        word
    }

    fn date(&mut self, line: usize, key: Key, raw: &Raw<'_>) -> Option<SystemTime> {
        let word = self.word(line, key, raw);
        let date = age::parse_date(&word);
        if date.is_none() && !word.is_empty() {
            self.note(line, NoteKind::UnreadableDate { key, text: shown(&word) });
        }
        date
    }

    fn flag(&mut self, line: usize, key: Key, raw: &Raw<'_>) -> bool {
        let word = self.word(line, key, raw);
        match word.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" | "1" => true,
            "" | "false" | "no" | "off" | "n" | "0" | "null" | "~" => false,
            _ => {
                self.note(line, NoteKind::UnknownWord { key, text: shown(&word) });
                true
            }
        }
    }

    fn trouble(&mut self, line: usize, key: Key, trouble: Option<Trouble>) {
        match trouble {
            None => {}
            Some(Trouble::NeedsQuotes) => self.note(line, NoteKind::NeedsQuotes { key }),
            Some(Trouble::ReadAsText(why)) => self.note(line, NoteKind::ReadAsText { key, why }),
        }
    }

    pub(super) fn note(&mut self, line: usize, kind: NoteKind) {
        if self.notes.len() < limits::MAX_NOTES {
            self.notes.push(Note { line, kind });
        }
    }
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS).collect()
}
