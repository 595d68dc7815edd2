//! What location reads of the file system, and the only place of it that asks. Nothing here writes.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Other,
}

/// What the path names, links followed; absent is `None`.
#[expect(clippy::disallowed_methods, reason = "the adapter through which location reads")]
pub(super) fn kind(path: &Path) -> io::Result<Option<Kind>> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Ok(Some(Kind::Folder)),
        Ok(found) if found.is_file() => Ok(Some(Kind::File)),
        Ok(_) => Ok(Some(Kind::Other)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What tells a folder from every other one, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    /// Its number in its file system, which is given to another once the folder is gone.
    pub(super) inode: u64,
    /// When it was created, in nanoseconds since 1970; `None` where the file system does not say.
    pub(super) born: Option<u64>,
}

/// The identity of what the path names; `None` where there is none.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the adapter through which location reads")]
pub(super) fn identity(path: &Path) -> Option<Identity> {
    use std::{os::unix::fs::MetadataExt, time::UNIX_EPOCH};
    let found = std::fs::metadata(path).ok()?;
    let born = found.created().ok().and_then(|born| born.duration_since(UNIX_EPOCH).ok());
    let born = born.and_then(|born| u64::try_from(born.as_nanos()).ok());
    Some(Identity { inode: found.ino(), born })
}

#[cfg(not(unix))]
pub(super) fn identity(_: &Path) -> Option<Identity> {
    None
}

/// The path with every link resolved.
#[expect(clippy::disallowed_methods, reason = "the adapter through which location reads")]
pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path).map(plain)
}

/// The path with links resolved as far as it exists.
pub(super) fn canonical_prefix(path: &Path) -> PathBuf {
    let mut rest = PathBuf::new();
    for ancestor in path.ancestors() {
        if let Ok(found) = canonical(ancestor) {
            return if rest.as_os_str().is_empty() { found } else { found.join(rest) };
        }
        if let Some(name) = ancestor.file_name() {
            rest =
                if rest.as_os_str().is_empty() { name.into() } else { Path::new(name).join(rest) };
        }
    }
    path.to_path_buf()
}

/// The first bytes of a regular file; anything else, and an absent one, is `None`. Does not wait on a FIFO.
pub(super) fn head(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Names in a folder, in no order; an absent folder has none.
#[expect(clippy::disallowed_methods, reason = "the adapter through which location reads")]
pub(super) fn names(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => Some(entries),
        Err(error) if is_absent(&error) => None,
        Err(error) => return Err(error),
    };
    Ok(entries.into_iter().flatten().map(|entry| entry.map(|entry| entry.file_name())))
}

#[expect(clippy::disallowed_methods, reason = "the adapter through which location reads")]
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Windows answers with `\\?\C:\…`, which no other program shows or records.
#[cfg(windows)]
fn plain(path: PathBuf) -> PathBuf {
    let text = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    match text.filter(|rest| !rest.starts_with("UNC")) {
        Some(rest) => PathBuf::from(rest),
        None => path,
    }
}

#[cfg(not(windows))]
fn plain(path: PathBuf) -> PathBuf {
    path
}
