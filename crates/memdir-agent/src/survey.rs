//! What stands in the way of a name that shall be written.

use memdir_core::MemPath;
use memdir_store::{Flow, Listed, ReadStore, SkipReason};

use crate::Denial;

/// Looks through the directory for what the store would refuse on commit, so that the model hears of it while it can choose another name.
///
/// # Errors
///
/// When another file differs only in case or normal form, or the name is or lies behind something that is no file of its own.
pub(crate) fn survey(store: &impl ReadStore, path: &MemPath) -> Result<(), Denial> {
    let key = path.twin_key();
    let mut found = Ok(());
    let visited = store.visit(&mut |listed| {
        found = match listed {
            Listed::Entry(entry) => beside(path, &key, &entry.path),
            Listed::Skipped(skipped) => behind(path, &skipped.raw_name, &skipped.reason),
        };
        if found.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
    });
    match visited {
        Ok(()) => found,
        Err(error) => Err(Denial::store(&error)),
    }
}

fn beside(path: &MemPath, key: &str, other: &MemPath) -> Result<(), Denial> {
    let other_key = other.twin_key();
    let names = path.components().zip(other.components());
    for ((name, other_name), (key, other_key)) in
        names.zip(key.split('/').zip(other_key.split('/')))
    {
        if key != other_key {
            return Ok(());
        }
        if name != other_name {
            return Err(Denial::Twin { path: path.clone(), existing: other.clone() });
        }
    }
    if path.components().count() > other.components().count() {
        let reason = format!("`{other}` is a file");
        return Err(Denial::NotAFile { path: path.clone(), reason });
    }
    Ok(())
}

fn behind(path: &MemPath, skipped: &str, reason: &SkipReason) -> Result<(), Denial> {
    let rest = path.as_str().strip_prefix(skipped);
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Err(Denial::NotAFile { path: path.clone(), reason: reason.to_string() });
    }
    Ok(())
}
