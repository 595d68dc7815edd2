//! `.memdir/project.json`: which project a memory folder belongs to.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    claim::{Claim, claim},
    decide::{Location, path_text},
    disk::{self, Identity},
    error::Error,
};
use crate::{
    disk::{CapDisk, Content, Disk, Exchanged, Persist, Renamed},
    store::layout::{self, PRIVATE},
};

/// Longest record that is read, in bytes: two paths of `PATH_MAX` and room for keys of later versions.
const MAX_RECORD_BYTES: u64 = 16 * 1024;

const RECORD: &str = ".memdir/project.json";

/// Records that the folder is this project's, if it is [`Claim::Unclaimed`], and says whose it is then.
///
/// Only writers call this, once the folder exists; a caller goes on unless [`Claim::other`] is in the way. Two projects that
/// record at the same moment cannot both have it.
///
/// # Errors
///
/// As [`claim()`], and where the record cannot be written.
pub fn record(location: &Location) -> Result<Claim, Error> {
    let found = claim(location)?;
    if found != Claim::Unclaimed {
        return Ok(found);
    }
    let new = Record::new(location, Map::new());
    let folder = Folder::open(location)?;
    let temp = folder.write(&new)?;
    if !folder.place(&temp)? {
        return claim(location);
    }
    folder.sync()?;
    Ok(Claim::Mine)
}

/// Makes a folder this project's that [`claim()`] said belongs to `owner`: a person's answer to [`Claim::Renamed`], or to
/// a transcript of another project beside memory that is theirs.
///
/// # Errors
///
/// [`Error::RecordChanged`] where the folder is by now recorded for another project than `owner`.
pub fn relink(location: &Location, owner: &Path) -> Result<(), Error> {
    let found = Record::read(&location.directory)?;
    let changed = || Error::RecordChanged { path: location.directory.join(RECORD) };
    let is_owner = |record: &Record| Path::new(&record.root) == owner;
    if !found.as_ref().is_none_or(is_owner) {
        return Err(changed());
    }
    let is_new = found.is_none();
    let rest = found.map(|record| record.rest).unwrap_or_default();
    let folder = Folder::open(location)?;
    let temp = folder.write(&Record::new(location, rest))?;
    let placed =
        if is_new { folder.place(&temp)? } else { folder.place_instead(&temp, is_owner)? };
    if placed { folder.sync() } else { Err(changed()) }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) root: String,
    /// The root's number in its file system, which a rename does not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inode: Option<u64>,
    /// When the root was created, in nanoseconds since 1970: the number alone is given to other folders later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    born: Option<u64>,
    /// Keys of later versions, kept when the record is written again.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Record {
    fn new(location: &Location, rest: Map<String, Value>) -> Self {
        let identity = disk::identity(&location.root);
        Self {
            root: path_text(&location.root),
            inode: identity.map(|identity| identity.inode),
            born: identity.and_then(|identity| identity.born),
            rest,
        }
    }

    /// Tells whether a folder is certainly the one that was recorded.
    pub(super) fn is_of(&self, identity: Identity) -> bool {
        self.born.is_some() && self.born == identity.born && self.inode == Some(identity.inode)
    }

    /// Reads the record of a memory directory. What lies behind a link is none: somebody else may have written it.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, Error> {
        match CapDisk::open(directory) {
            Ok(disk) => Self::read_on(&disk, directory, RECORD),
            Err(crate::Error::Absent { .. } | crate::Error::NotADirectory { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn read_on(disk: &CapDisk, directory: &Path, record: &str) -> Result<Option<Self>, Error> {
        let path = directory.join(record);
        match disk.read(record, 0, MAX_RECORD_BYTES) {
            Ok(Content::Absent | Content::NotAFile(_)) => Ok(None),
            Ok(Content::Bytes(bytes, _)) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|source| Error::Record { path, source }),
            Err(source) => Err(Error::Io { op: "read", path, source }),
        }
    }
}

pub(super) fn record_path(directory: &Path) -> PathBuf {
    directory.join(RECORD)
}

/// The private folder of a memory directory, open for a new record.
struct Folder<'a> {
    disk: CapDisk,
    directory: &'a Path,
}

impl<'a> Folder<'a> {
    fn open(location: &'a Location) -> Result<Self, Error> {
        let folder =
            Self { disk: CapDisk::open(&location.directory)?, directory: &location.directory };
        folder
            .disk
            .create_folder(PRIVATE)
            .map_err(|source| folder.error("create", PRIVATE, source))?;
        Ok(folder)
    }

    fn write(&self, record: &Record) -> Result<String, Error> {
        let random = self.disk.random().map_err(|source| self.error("name", RECORD, source))?;
        let temp = layout::temp_in(PRIVATE, random);
        let mut text = serde_json::to_vec(record).expect("because texts and maps are always JSON");
        text.push(b'\n');
        let created = self.disk.create(&temp, &text, Persist::Now);
        self.or_remove(&temp, "write", created)?;
        Ok(temp)
    }

    /// Makes the file the record unless there is one; says whether it did. The temporary name is gone either way.
    fn place(&self, temp: &str) -> Result<bool, Error> {
        let renamed = self.disk.rename_new(temp, RECORD);
        match self.or_remove(temp, "create", renamed)? {
            Renamed::Done => Ok(true),
            Renamed::Exists => self.remove(temp).map(|()| false),
        }
    }

    /// Makes the file the record instead of one that is as it should be; says whether it did. The temporary name is
    /// gone either way.
    fn place_instead(
        &self,
        temp: &str,
        as_it_should: impl Fn(&Record) -> bool,
    ) -> Result<bool, Error> {
        let exchanged = self.disk.exchange(temp, RECORD);
        match self.or_remove(temp, "replace", exchanged)? {
            Exchanged::Done => {
                let displaced = Record::read_on(&self.disk, self.directory, temp);
                let placed = matches!(displaced, Ok(Some(record)) if as_it_should(&record));
                if !placed {
                    let back = self.disk.exchange(temp, RECORD);
                    back.map_err(|source| self.error("put back", RECORD, source))?;
                }
                self.remove(temp).map(|()| placed)
            }
            Exchanged::Absent => self.remove(temp).map(|()| false),
            Exchanged::Unsupported => {
                let renamed = self.disk.rename(temp, RECORD);
                self.or_remove(temp, "replace", renamed).map(|()| true)
            }
        }
    }

    /// Leaves no temporary file behind a failure.
    fn or_remove<T>(&self, temp: &str, op: &'static str, done: io::Result<T>) -> Result<T, Error> {
        done.map_err(|source| {
            // The failure is what the caller hears of; a file that cannot be removed is swept by the next writer.
            drop(self.disk.remove(temp));
            self.error(op, RECORD, source)
        })
    }

    fn remove(&self, temp: &str) -> Result<(), Error> {
        self.disk.remove(temp).map_err(|source| self.error("remove", temp, source))
    }

    fn sync(&self) -> Result<(), Error> {
        self.disk.sync_folder(PRIVATE).map_err(|source| self.error("sync", PRIVATE, source))
    }

    fn error(&self, op: &'static str, path: &str, source: io::Error) -> Error {
        Error::Io { op, path: self.directory.join(path), source }
    }
}
