//! Whose memory a folder is. The client's slug is not one-to-one, so a name alone does not say.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fmt,
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

use super::{
    decide::{Location, Source, path_text},
    discover::discover,
    disk,
    error::{Error, shown},
    record::{Record, record_path},
};

/// How much of a transcript is read for its working folder, in bytes. Ours: its first lines carry it; a long first
/// line (a pasted image) hides it, and then that transcript says nothing.
const MAX_TRANSCRIPT_BYTES: u64 = 64 * 1024;

/// How many transcripts are read. Ours: the first by name; names are random, so they are a sample.
const MAX_TRANSCRIPTS: usize = 64;

/// Whose memory a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// Recorded as this project's.
    Mine,
    /// Nothing is recorded and nothing speaks against it. A writer calls [`record`](fn@super::record).
    Unclaimed,
    /// The user named the folder, so it is not asked whose it is and nothing is recorded: several projects may share it.
    Shared,
    /// Another project's that still exists. Nothing may be read or written there.
    Foreign(Other),
    /// Of a project that no longer exists; it may be this one under its old name. Nothing may be read or written
    /// there until a person says so, by [`relink`](super::relink).
    Renamed(Other),
}

impl Claim {
    /// The other project, where the folder may not be used.
    pub fn other(&self) -> Option<&Other> {
        match self {
            Self::Mine | Self::Unclaimed | Self::Shared => None,
            Self::Foreign(other) | Self::Renamed(other) => Some(other),
        }
    }
}

/// Another project that a memory folder belongs to. `Display` is a message that names both roots.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Other {
    /// The memory folder.
    pub directory: PathBuf,
    /// The root that asked.
    pub asked: PathBuf,
    /// The root, or the working folder in a transcript, that the memory folder belongs to.
    pub owner: PathBuf,
    /// What says so: the record, or a transcript.
    pub evidence: PathBuf,
    /// Whether `owner` still exists.
    pub exists: bool,
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { directory, asked, owner, evidence, exists } = self;
        let fate =
            if *exists { "another project with the same key" } else { "which no longer exists" };
        write!(
            f,
            "`{}` is the memory of `{}`, {fate}, not of `{}` (by `{}`)",
            shown(directory),
            shown(owner),
            shown(asked),
            shown(evidence)
        )
    }
}

impl std::error::Error for Other {}

/// Says whose memory the folder is. Reads only: the record, and where there is none the first lines of the transcripts beside.
///
/// Only a folder that the layout named is asked about; see [`Claim::Shared`].
///
/// # Errors
///
/// [`Error::Record`] where the record is damaged, [`Error::Io`] where it cannot be read.
pub fn claim(location: &Location) -> Result<Claim, Error> {
    match location.source {
        Source::Layout => {}
        Source::NamedProject | Source::Given(_) => return Ok(Claim::Shared),
    }
    match Record::read(&location.directory)? {
        Some(record) => Ok(judge_record(location, &record)),
        None => judge_transcripts(location),
    }
}

fn judge_record(location: &Location, record: &Record) -> Claim {
    let recorded = Path::new(&record.root);
    if record.root == path_text(&location.root) || belongs(recorded, location) {
        return Claim::Mine;
    }
    let other = |exists| Other {
        directory: location.directory.clone(),
        asked: location.root.clone(),
        owner: recorded.to_path_buf(),
        evidence: record_path(&location.directory),
        exists,
    };
    match disk::kind(recorded) {
        Ok(None) => Claim::Renamed(other(false)),
        // What cannot be looked at cannot be said to be gone.
        Ok(Some(_)) | Err(_) => Claim::Foreign(other(true)),
    }
}

/// Adopts a folder without a record only where no transcript beside it speaks of another project.
fn judge_transcripts(location: &Location) -> Result<Claim, Error> {
    let Some(folder) = location.transcripts() else { return Ok(Claim::Unclaimed) };
    let mut gone = None;
    let mut seen = BTreeSet::new();
    for name in first_transcripts(folder)? {
        let transcript = folder.join(name);
        let Some(owner) = recorded_cwd(&transcript) else { continue };
        if !seen.insert(owner.clone()) || belongs(&owner, location) {
            continue;
        }
        let exists = !matches!(disk::kind(&owner), Ok(None));
        let other = Other {
            directory: location.directory.clone(),
            asked: location.root.clone(),
            owner,
            evidence: transcript,
            exists,
        };
        if exists {
            return Ok(Claim::Foreign(other));
        }
        gone.get_or_insert(other);
    }
    Ok(gone.map_or(Claim::Unclaimed, Claim::Renamed))
}

/// Whether a folder is of the location's project; one that is gone is, where it lay within the root.
fn belongs(folder: &Path, location: &Location) -> bool {
    if let Ok(project) = discover(folder) {
        return project.root == location.root || project.folder == location.root;
    }
    let climbs = folder.components().any(|part| part == Component::ParentDir);
    !climbs && folder.starts_with(&location.root)
}

fn first_transcripts(folder: &Path) -> Result<BTreeSet<OsString>, Error> {
    let failed = |source| Error::Io { op: "list", path: folder.to_path_buf(), source };
    let mut first = BTreeSet::new();
    for name in disk::names(folder).map_err(failed)? {
        // A transcript that is not seen could be the one that speaks of another project.
        let name = name.map_err(failed)?;
        if name.as_encoded_bytes().ends_with(b".jsonl") {
            first.insert(name);
        }
        if first.len() > MAX_TRANSCRIPTS {
            first.pop_last();
        }
    }
    Ok(first)
}

/// The first working folder that a transcript records; one that cannot be read says nothing.
fn recorded_cwd(transcript: &Path) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Line {
        cwd: PathBuf,
    }
    let head = disk::head(transcript, MAX_TRANSCRIPT_BYTES).ok()??;
    head.split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Line>(line).ok())
        .map(|line| line.cwd)
        .find(|cwd| cwd.is_absolute())
}
