//! Scans of a memory directory: the names, everything, and the least that finds the newest.

use std::cmp::Reverse;
use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::path::Path;

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, StatxFlags, openat, statx};

use super::prefix::{Prefix, prefix};

/// How much of a file is read at most, in bytes: one page.
pub const HEAD_BYTES: usize = 4096;
/// How many directory entries one call may fill, in bytes.
const LIST_BYTES: usize = 256 * 1024;

/// Seconds and nanoseconds of a file's modification.
pub type Stamp = (i64, u32);

/// One memory as the references see it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// Relative to the directory, with `/`.
    pub path: String,
    /// The modification time.
    pub stamp: Stamp,
    /// What the prefix parser found.
    pub prefix: Prefix,
}

struct Listing {
    folders: Vec<(OwnedFd, String)>,
    files: Vec<(usize, CString)>,
}

/// Counts the memories by reading the folders alone.
pub fn names_only(root: &Path) -> io::Result<usize> {
    Ok(list(root)?.files.len())
}

/// Asks for the time of every file, and returns how many there are.
pub fn stat_all(root: &Path) -> io::Result<usize> {
    let listing = list(root)?;
    for (folder, name) in &listing.files {
        stamp(listing.folder(*folder)?, name, AtFlags::SYMLINK_NOFOLLOW)?;
    }
    Ok(listing.files.len())
}

/// Asks for the time of every file, then opens the newest `keep`, newest first.
pub fn stat_newest(root: &Path, keep: usize) -> io::Result<Vec<Found>> {
    let listing = list(root)?;
    let mut newest = Vec::with_capacity(listing.files.len());
    for (at, (folder, name)) in listing.files.iter().enumerate() {
        let stamp = stamp(listing.folder(*folder)?, name, AtFlags::SYMLINK_NOFOLLOW)?;
        newest.push((Reverse(stamp), at));
    }
    if newest.len() > keep {
        newest.select_nth_unstable(keep);
        newest.truncate(keep);
    }
    newest.sort_unstable();
    let mut buffer = vec![0; HEAD_BYTES];
    newest
        .iter()
        .filter_map(|(stamp, at)| listing.files.get(*at).map(|file| (stamp.0, file)))
        .map(|(stamp, file)| listing.open(file, Some(stamp), &mut buffer))
        .collect()
}

/// Opens every file and keeps the newest `keep`, newest first.
pub fn open_all(root: &Path, keep: usize) -> io::Result<Vec<Found>> {
    let listing = list(root)?;
    let mut buffer = vec![0; HEAD_BYTES];
    let mut found = listing
        .files
        .iter()
        .map(|file| listing.open(file, None, &mut buffer))
        .collect::<io::Result<Vec<_>>>()?;
    if found.len() > keep {
        found.select_nth_unstable_by_key(keep, |one| Reverse(one.stamp));
        found.truncate(keep);
    }
    found.sort_unstable_by_key(|one| Reverse(one.stamp));
    Ok(found)
}

/// The first [`HEAD_BYTES`] of every memory, for parsers to work on.
pub fn heads(root: &Path) -> io::Result<Vec<Vec<u8>>> {
    let listing = list(root)?;
    let mut buffer = vec![0; HEAD_BYTES];
    listing
        .files
        .iter()
        .map(|file| {
            let (_, read) = listing.head(file, &mut buffer)?;
            Ok(buffer.get(..read).unwrap_or_default().to_vec())
        })
        .collect()
}

fn list(root: &Path) -> io::Result<Listing> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let top = openat(CWD, root, flags, Mode::empty())?;
    let mut listing = Listing { folders: vec![(top, String::new())], files: Vec::new() };
    let mut buffer = Box::<[u8]>::new_uninit_slice(LIST_BYTES);
    let mut at = 0;
    while at < listing.folders.len() {
        let below = list_one(&mut listing, at, &mut buffer)?;
        for name in below {
            let (parent, path) = listing.folders.get(at).ok_or(io::ErrorKind::NotFound)?;
            let fd = openat(parent, &name, flags, Mode::empty())?;
            let path = format!("{path}{}/", name.to_string_lossy());
            listing.folders.push((fd, path));
        }
        at += 1;
    }
    Ok(listing)
}

/// Adds the memories of one folder and returns the names of the folders in it.
fn list_one(
    listing: &mut Listing,
    at: usize,
    buffer: &mut [MaybeUninit<u8>],
) -> io::Result<Vec<CString>> {
    let mut below = Vec::new();
    let Listing { folders, files } = listing;
    let (fd, path) = folders.get(at).ok_or(io::ErrorKind::NotFound)?;
    let mut entries = RawDir::new(fd, buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type() == FileType::Directory {
            let apart = path.is_empty() && matches!(name.to_bytes(), b"team" | b"logs");
            if !apart && !name.to_bytes().starts_with(b".") {
                below.push(name.to_owned());
            }
        } else if is_memory(name) {
            files.push((at, name.to_owned()));
        }
    }
    Ok(below)
}

fn is_memory(name: &CStr) -> bool {
    let name = name.to_bytes();
    name.ends_with(b".md") && name != b"MEMORY.md"
}

fn stamp(folder: &OwnedFd, name: &CStr, flags: AtFlags) -> io::Result<Stamp> {
    let modified = statx(folder, name, flags, StatxFlags::MTIME)?.stx_mtime;
    Ok((modified.tv_sec, modified.tv_nsec))
}

impl Listing {
    fn folder(&self, at: usize) -> io::Result<&OwnedFd> {
        self.folders.get(at).map(|(fd, _)| fd).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn head(&self, file: &(usize, CString), buffer: &mut [u8]) -> io::Result<(OwnedFd, usize)> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let fd = openat(self.folder(file.0)?, &file.1, flags, Mode::empty())?;
        let read = rustix::io::read(&fd, buffer)?;
        Ok((fd, read))
    }

    fn open(
        &self,
        file: &(usize, CString),
        known: Option<Stamp>,
        buffer: &mut [u8],
    ) -> io::Result<Found> {
        let (fd, read) = self.head(file, buffer)?;
        let stamp = match known {
            Some(stamp) => stamp,
            None => stamp(&fd, c"", AtFlags::EMPTY_PATH)?,
        };
        let folder = self.folders.get(file.0).map(|(_, path)| path.as_str()).unwrap_or_default();
        let path = format!("{folder}{}", file.1.to_string_lossy());
        Ok(Found { path, stamp, prefix: prefix(buffer.get(..read).unwrap_or_default()) })
    }
}
