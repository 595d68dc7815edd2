//! What must hold of every memory that a run writes.

use memdir_core::frontmatter::{Fields, parse};
use memdir_core::{MemPath, MemoryType};

use super::{Objection, refuse_new_secrets, refuse_secrets};
use crate::limits::{BODY_BYTES, DESCRIPTION_CHARS, NAME_CHARS};
use crate::place::place;
use crate::shown::shown;
use crate::{Draft, Rule, check_listed};

/// A draft with its fields checked.
pub(super) struct Checked<'d> {
    pub(super) path: Option<MemPath>,
    pub(super) name: &'d str,
    pub(super) description: &'d str,
    pub(super) kind: MemoryType,
    pub(super) body: String,
}

/// Checks what a draft says of itself.
pub(super) fn check(draft: &Draft) -> Result<Checked<'_>, Objection> {
    let kind = kind(&draft.kind)?;
    if draft.body.trim().is_empty() {
        return Err(Objection::new(Rule::Frontmatter, "the body is empty"));
    }
    let path = draft.path.as_deref().filter(|path| !path.is_empty()).map(place).transpose()?;
    let (name, description) = (draft.name.trim(), draft.description.trim());
    check_fields(Some(name), Some(description), &draft.body)?;
    refuse_secrets("name", name)?;
    let body = with_line_end(&draft.body);
    Ok(Checked { path, name, description, kind, body })
}

pub(super) fn kind(text: &str) -> Result<MemoryType, Objection> {
    MemoryType::parse(text.trim()).ok_or_else(|| {
        let all = MemoryType::ALL.map(MemoryType::as_str).join(", ");
        let reason = format!("`{}` is no type; there are {all}", shown(text));
        Objection::new(Rule::Type, reason)
    })
}

fn check_fields(
    name: Option<&str>,
    description: Option<&str>,
    body: &str,
) -> Result<(), Objection> {
    for (field, text, limit) in
        [("name", name, NAME_CHARS), ("description", description, DESCRIPTION_CHARS)]
    {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Err(Objection::new(Rule::Frontmatter, format!("the {field} is empty")));
        };
        if text.contains(['\n', '\r']) {
            let reason = format!("the {field} has more than one line");
            return Err(Objection::new(Rule::Frontmatter, reason));
        }
        if text.chars().count() > limit {
            let reason = format!("the {field} has over {limit} characters");
            return Err(Objection::new(Rule::Size, reason));
        }
    }
    if body.len() > BODY_BYTES {
        return Err(Objection::new(Rule::Size, format!("the body has over {BODY_BYTES} bytes")));
    }
    Ok(())
}

/// What must hold of every file that a run writes.
pub(crate) fn check_file(
    path: &MemPath,
    text: &str,
    before: Option<&str>,
) -> Result<(), Objection> {
    let parsed = parse(text);
    let Fields { name, description, kind, pinned, .. } = &parsed.fields;
    check_fields(name.as_deref(), description.as_deref(), parsed.body)?;
    if kind.is_none() {
        return Err(Objection::new(Rule::Type, format!("`{path}` has none of the four types")));
    }
    if *pinned {
        return Err(Objection::new(Rule::Pinned, "only a person pins"));
    }
    let fault = |fault: crate::Unreadable| Objection::new(Rule::Frontmatter, fault.to_string());
    check_listed(path, text).map_err(fault)?;
    refuse_secrets("path", path.as_str().trim_end_matches(".md"))?;
    refuse_new_secrets(text, before)
}

pub(super) fn with_line_end(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
