//! Memory that a project left behind when its folder was renamed or moved.

use std::path::{Path, PathBuf};

use super::{
    create::create_folder,
    decide::{Location, Source},
    disk,
    error::Error,
    record::{Record, record_path, relink},
};

/// How many projects are looked at. Ours: more than anybody has; each costs the read of one small file.
const MAX_PROJECTS: usize = 10_000;

/// A memory folder whose recorded project is gone and looks like the one that asks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftBehind {
    /// The memory folder.
    pub directory: PathBuf,
    /// The root that it is recorded for, which no longer exists.
    pub owner: PathBuf,
    /// What speaks for it.
    pub likeness: Likeness,
}

/// What speaks for a project being the one that a memory folder is recorded for. Ordered by weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Likeness {
    /// The root has the same name and lies elsewhere.
    SameName,
    /// The root is the very folder that was recorded, as its number in the file system and its birth say.
    SameFolder,
}

/// Finds the memory that this project may have had under another path, the likeliest first. Reads only.
///
/// Looks at the records of the projects beside, in the same base folder; empty where the user named the directory.
///
/// # Errors
///
/// [`Error::Io`] where the projects cannot be listed. A record that cannot be read is passed over.
pub fn left_behind(location: &Location) -> Result<Vec<LeftBehind>, Error> {
    let projects = match location.source {
        Source::Layout => location.directory.parent().and_then(|project| project.parent()),
        Source::NamedProject | Source::Given(_) => None,
    };
    let Some(projects) = projects else { return Ok(Vec::new()) };
    let failed = |source| Error::Io { op: "list", path: projects.to_path_buf(), source };
    let identity = disk::identity(&location.root);
    let mut found = Vec::new();
    for name in disk::names(projects).map_err(failed)?.take(MAX_PROJECTS) {
        let directory = projects.join(name.map_err(failed)?).join("memory");
        // A damaged record is named when its own folder is asked for; here it is no candidate.
        let Ok(Some(record)) = Record::read(&directory) else { continue };
        let owner = PathBuf::from(&record.root);
        let likeness = if identity.is_some_and(|identity| record.is_of(identity)) {
            Likeness::SameFolder
        } else if owner.file_name() == location.root.file_name() {
            Likeness::SameName
        } else {
            continue;
        };
        if directory != location.directory && matches!(disk::kind(&owner), Ok(None)) {
            found.push(LeftBehind { directory, owner, likeness });
        }
    }
    found.sort_by(|a, b| b.likeness.cmp(&a.likeness).then_with(|| a.directory.cmp(&b.directory)));
    Ok(found)
}

/// Moves memory that was left behind to where this project's is, and records it as this project's: a person's answer
/// to that offer. The transcripts beside it stay.
///
/// Where this is cut off in the middle the folder is in its new place and [`claim`](fn@super::claim) offers to
/// [`relink`] it.
///
/// # Errors
///
/// [`Error::RecordChanged`] where it is no longer left behind: recorded for another project by now, or its own is back.
/// [`Error::Occupied`] where this project has memory already, [`Error::Io`] otherwise.
#[expect(clippy::disallowed_methods, reason = "a folder is moved as a whole, from outside any")]
pub fn bring_along(location: &Location, left: &LeftBehind) -> Result<(), Error> {
    let recorded = Record::read(&left.directory)?;
    let is_recorded = recorded.is_some_and(|record| Path::new(&record.root) == left.owner);
    if !is_recorded || !matches!(disk::kind(&left.owner), Ok(None)) {
        return Err(Error::RecordChanged { path: record_path(&left.directory) });
    }
    if let Some(parent) = location.directory.parent() {
        create_folder(parent)?;
    }
    match std::fs::rename(&left.directory, &location.directory) {
        Ok(()) => relink(location, &left.owner),
        Err(source) => match source.kind() {
            std::io::ErrorKind::DirectoryNotEmpty | std::io::ErrorKind::AlreadyExists => {
                Err(Error::Occupied { path: location.directory.clone() })
            }
            _ => Err(Error::Io { op: "move", path: left.directory.clone(), source }),
        },
    }
}
