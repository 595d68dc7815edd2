//! The JSON of each line.

use serde::{Deserialize, Serialize};

use crate::store::journal::delta::Delta;

#[derive(Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(super) enum Line {
    Intent(IntentLine),
    Amend(AmendLine),
    Done { v: u64, id: String },
    Abort { v: u64, id: String, why: String },
    Conflict(ClashLine),
    Observed(ObservedLine),
}

#[derive(Serialize, Deserialize)]
pub(super) struct IntentLine {
    pub(super) v: u64,
    pub(super) id: String,
    pub(super) at: String,
    pub(super) kind: String,
    pub(super) actor: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    pub(super) files: Vec<FileLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) index: Vec<IndexLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) folders: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) undoes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) undoes_part: Vec<PartLine>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PartLine {
    pub(super) id: String,
    pub(super) files: Vec<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct FileLine {
    pub(super) path: String,
    /// The path as the disk spells it, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) raw: Option<String>,
    pub(super) temp: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pre: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) post: Option<String>,
    #[serde(rename = "patch", default, skip_serializing_if = "Option::is_none")]
    pub(super) delta: Option<Delta>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct IndexLine {
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AmendLine {
    pub(super) v: u64,
    pub(super) id: String,
    pub(super) path: String,
    pub(super) temp: String,
    pub(super) before: Option<String>,
    pub(super) after: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) post: Option<String>,
    pub(super) seen: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kept: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ClashLine {
    pub(super) v: u64,
    pub(super) id: String,
    pub(super) path: String,
    pub(super) expected: Option<String>,
    pub(super) found: Option<String>,
    pub(super) kept: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ObservedLine {
    pub(super) v: u64,
    pub(super) id: String,
    pub(super) at: String,
    pub(super) path: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) post: Option<String>,
}

/// What every line has, whatever its version.
#[derive(Deserialize)]
pub(super) struct Stamp {
    pub(super) v: u64,
}
