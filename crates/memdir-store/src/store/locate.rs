//! From the path of a memory to the path on the disk, which may differ in Unicode normal form.

use std::ops::ControlFlow;

use memdir_core::MemPath;

use crate::{
    Error, FileKind,
    disk::{Details, Disk},
    store::{files::Files, layout},
};

/// Where a memory is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// There: the path as the disk spells it.
    Here(String, FileKind),
    /// Not there; this is where it would be. Folders on the way may be missing.
    Free(String),
    /// Not there, but something that a coarser file system takes for the same name; its path.
    Twin(String),
    /// A folder on the way is a link, or no folder.
    Blocked(FileKind),
}

/// Finds a memory by listing the folders on the way, as only that tells the spelling on every file system.
pub(crate) fn locate<D: Disk>(files: Files<'_, D>, path: &MemPath) -> Result<Place, Error> {
    let mut raw = String::new();
    let mut names = path.components().peekable();
    while let Some(name) = names.next() {
        match find(files, &raw, name)? {
            Found::Same(spelled, kind) if names.peek().is_none() => {
                return Ok(Place::Here(layout::join(&raw, &spelled), kind));
            }
            Found::Same(spelled, FileKind::Folder) => raw = layout::join(&raw, &spelled),
            Found::Same(_, kind) => return Ok(Place::Blocked(kind)),
            Found::Twin(spelled) => return Ok(Place::Twin(layout::join(&raw, &spelled))),
            Found::Nothing => {
                raw = layout::join(&raw, name);
                raw = names.fold(raw, |raw, name| layout::join(&raw, name));
                return Ok(Place::Free(raw));
            }
        }
    }
    Ok(Place::Free(raw))
}

/// Finds the spelling of a path that was not there as it stands: it may be decomposed on the disk.
pub(crate) fn other_spelling<D: Disk>(
    files: Files<'_, D>,
    path: &MemPath,
) -> Result<Option<String>, Error> {
    if path.as_str().is_ascii() {
        return Ok(None);
    }
    Ok(match locate(files, path)? {
        Place::Here(raw, _) => Some(raw).filter(|raw| raw != path.as_str()),
        Place::Free(_) | Place::Twin(_) | Place::Blocked(_) => None,
    })
}

enum Found {
    Same(String, FileKind),
    Twin(String),
    Nothing,
}

fn find<D: Disk>(files: Files<'_, D>, folder: &str, name: &str) -> Result<Found, Error> {
    let wanted = MemPath::parse(name).ok();
    let key = wanted.as_ref().map(MemPath::twin_key);
    let mut found = Found::Nothing;
    files.list(folder, Details::Names, &mut |entry| {
        let Some(raw) = entry.name.to_str() else { return ControlFlow::Continue(()) };
        if raw == name {
            found = Found::Same(raw.to_owned(), entry.kind);
            return ControlFlow::Break(());
        }
        // Names in plain letters, which is nearly all, are compared without making a path of each.
        if raw.is_ascii() && name.is_ascii() {
            if raw.eq_ignore_ascii_case(name) && matches!(found, Found::Nothing) {
                found = Found::Twin(raw.to_owned());
            }
            return ControlFlow::Continue(());
        }
        let Ok(other) = MemPath::parse(raw) else { return ControlFlow::Continue(()) };
        if wanted.as_ref() == Some(&other) {
            found = Found::Same(raw.to_owned(), entry.kind);
        } else if Some(other.twin_key()) == key && matches!(found, Found::Nothing) {
            found = Found::Twin(raw.to_owned());
        }
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
