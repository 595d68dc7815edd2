//! Titles of sessions.

use crate::json::Json;
use crate::kind::Kind;

/// A title, and of what.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Title {
    /// The title.
    pub text: String,
    /// The uuid of the last message that it is about; of another session where this file has no such message.
    pub leaf: Option<String>,
}

impl Title {
    pub(super) fn of(kind: Kind, line: Json<'_>) -> Option<Self> {
        let name = match kind {
            Kind::CustomTitle => "customTitle",
            Kind::AiTitle => "aiTitle",
            Kind::Summary => "summary",
            _ => return None,
        };
        let text = |name: &str| Some(line.get(name)?.str()?.into_owned());
        let title = text(name).or_else(|| text("title"))?;
        Some(Self { text: title, leaf: text("leafUuid") })
    }
}
