//! Where a run may write.

use memdir_core::MemPath;

use crate::Rule;
use crate::validate::Objection;

/// The name of the index in the spelling that some file system takes for the same.
const INDEX_KEY: &str = "memory.md";

/// Reads the path of a memory that a run may change, or says why there is none.
pub(crate) fn place(text: &str) -> Result<MemPath, Objection> {
    let path = MemPath::parse(text).map_err(|fault| {
        Objection::new(Rule::Name, format!("no memory can have that path: {fault}"))
    })?;
    check_place(&path)?;
    if path.is_in_pinned() {
        let reason = format!("`{path}` lies in `pinned/`, which only a person changes");
        return Err(Objection::new(Rule::Pinned, reason));
    }
    Ok(path)
}

/// Refuses what is no memory of this directory, in whatever case its folder is written.
pub(crate) fn check_place(path: &MemPath) -> Result<(), Objection> {
    let key = path.twin_key();
    let refuse = |rule, why: &str| Err(Objection::new(rule, format!("`{path}` {why}")));
    match key.split_once('/') {
        Some(("team", _)) => return refuse(Rule::Reserved, "is shared; only a person shares"),
        Some(("logs", _)) => return refuse(Rule::Reserved, "is a log and no memory"),
        _ => {}
    }
    match key.rsplit_once('/') {
        None if key == INDEX_KEY => {
            return refuse(Rule::Name, "is the index, which is changed line by line");
        }
        Some((_, INDEX_KEY)) => return refuse(Rule::Name, "has the name of an index"),
        _ => {}
    }
    if !path.is_markdown() {
        return refuse(Rule::Name, "does not end in `.md`");
    }
    Ok(())
}
