//! A whole entry: typed where this crate uses it, opaque but kept otherwise.

mod compaction;
mod message;
mod snapshot;
mod title;

use std::borrow::Cow;
use std::io::{self, Read, Seek};

pub use compaction::{Compaction, Preserved};
pub use message::{Block, Message, Role};
pub use snapshot::{Backup, Snapshot};
pub use title::Title;

use crate::envelope::Envelope;
use crate::json::Json;
use crate::limits;
use crate::line::Place;
use crate::note::Reason;
use crate::piece::is_json;
use crate::text::{self, Mended};

/// One entry with all its fields, each read when it is asked for.
///
/// Nothing about it can fail: a field of an unexpected shape is absent and the others are there.
/// Its text is valid JSON wherever the line holds the structure of it: bytes that are not UTF-8 and half surrogate
/// pairs become U+FFFD.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    text: Cow<'a, str>,
    reasons: Vec<Reason>,
}

impl<'a> Entry<'a> {
    /// Takes the bytes of one object, as [`Envelope::bytes`] gives them.
    pub fn of(line: &'a [u8]) -> Self {
        let Mended { text, reasons } = text::mend(line);
        Self { text, reasons }
    }

    /// Reads an entry from its file again.
    ///
    /// # Errors
    ///
    /// Those of [`Place::read`].
    pub fn read<R: Read + Seek>(source: &mut R, place: Place) -> io::Result<Entry<'static>> {
        let mut buffer = Vec::new();
        place.read(source, &mut buffer)?;
        let Entry { text, reasons } = Entry::of(&buffer);
        Ok(Entry { text: Cow::Owned(text.into_owned()), reasons })
    }

    /// Returns what is odd about the text of the line; looks for it anew each time.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons = self.reasons.clone();
        if !is_json(self.text.as_bytes()) {
            reasons.push(Reason::NotJson);
        }
        reasons
    }

    /// Returns the entry as JSON, mended where it had to be. Numbers keep their digits.
    pub fn json(&self) -> &str {
        &self.text
    }

    /// Returns the fields that say what the entry is, `None` where the bytes are no object.
    pub fn envelope(&self) -> Option<Envelope<'_>> {
        Envelope::of(self.text.as_bytes())
    }

    /// Returns a top-level field as JSON, `None` where it is absent.
    pub fn field(&self, name: &str) -> Option<Cow<'_, str>> {
        self.value(name).map(Json::raw)
    }

    /// Returns a top-level field that is a string.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.value(name)?.str()
    }

    /// An id for people: shortened where it cannot be one.
    pub(crate) fn id_text(&self, name: &str) -> Option<String> {
        self.text(name).map(|id| id.chars().take(limits::TITLE_CHARS).collect())
    }

    /// Returns whether a top-level field is `true`.
    pub fn is_true(&self, name: &str) -> bool {
        self.value(name).and_then(Json::bool) == Some(true)
    }

    /// Returns the message of a line of the user or the assistant.
    pub fn message(&self) -> Option<Message<'_>> {
        Message::of(self.value("message")?)
    }

    /// Returns what the boundary of a compaction says.
    pub fn compaction(&self) -> Option<Compaction> {
        self.envelope().filter(Envelope::is_boundary)?;
        Some(Compaction::of(self.value("compactMetadata")))
    }

    /// Returns the backups of a `file-history-snapshot`.
    pub fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(Json::first(self.text.as_bytes())?)
    }

    /// Returns the title in a `custom-title`, `ai-title` or `summary`.
    pub fn title(&self) -> Option<Title> {
        Title::of(self.envelope()?.kind(), Json::first(self.text.as_bytes())?)
    }

    fn value(&self, name: &str) -> Option<Json<'_>> {
        Json::first(self.text.as_bytes())?.get(name)
    }
}
