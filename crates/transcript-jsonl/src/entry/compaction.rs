//! Boundaries of compactions, of every kind that clients have written.

use crate::json::Json;

/// What the boundary of a compaction says.
///
/// Older clients name nothing that was kept, then a segment by its ends, then each message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// What caused it, such as `auto` or `manual`.
    pub trigger: Option<String>,
    /// Tokens before.
    pub tokens_before: Option<u64>,
    /// Tokens after.
    pub tokens_after: Option<u64>,
    /// The entry that the kept messages follow: mostly the summary.
    pub anchor: Option<String>,
    /// The messages that stay although they stand before the boundary.
    pub preserved: Preserved,
}

/// How a boundary names the messages that stay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preserved {
    /// None stay.
    #[default]
    Nothing,
    /// All from one entry to a later one that follows it.
    Segment {
        /// The uuid of the first.
        head: String,
        /// The uuid of the last.
        tail: String,
    },
    /// Each by its uuid, in order.
    Messages(Vec<String>),
}

impl Compaction {
    pub(super) fn of(metadata: Option<Json<'_>>) -> Self {
        let Some(metadata) = metadata else { return Self::default() };
        let text = |of: Json<'_>, name: &str| Some(of.get(name)?.str()?.into_owned());
        let number = |name: &str| metadata.get(name).and_then(Json::u64);
        let segment = metadata.get("preservedSegment");
        let messages = metadata.get("preservedMessages");
        let anchor =
            [messages, segment].into_iter().flatten().find_map(|from| text(from, "anchorUuid"));
        let uuids: Vec<String> = messages
            .map(|from| from.get("uuids").unwrap_or(from))
            .into_iter()
            .flat_map(Json::items)
            .filter_map(|uuid| uuid.str().map(String::from))
            .collect();
        let preserved = if uuids.is_empty() {
            let ends = segment.and_then(|of| Some((text(of, "headUuid")?, text(of, "tailUuid")?)));
            ends.map_or(Preserved::Nothing, |(head, tail)| Preserved::Segment { head, tail })
        } else {
            Preserved::Messages(uuids)
        };
        Self {
            trigger: text(metadata, "trigger"),
            tokens_before: number("preTokens"),
            tokens_after: number("postTokens"),
            anchor,
            preserved,
        }
    }
}
