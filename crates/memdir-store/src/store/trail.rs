//! The trail: what decided what and why, one line a decision, added without a lock and read from its end.

use std::io;

use memchr::{memchr, memmem, memrchr};

use crate::{
    Error,
    disk::{Content, Disk, Persist},
    limits,
    store::{
        Store,
        files::Files,
        layout::{IGNORE, OLD_TRAIL, PRIVATE, TRAIL},
        session::IGNORE_ALL,
    },
};

/// The newest lines of the trail, as far as they were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    bytes: Vec<u8>,
}

impl Trail {
    /// Returns the lines, oldest first, without their ends. Lines that are torn, empty or not UTF-8 are left out.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        let lines = self.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.filter_map(|line| str::from_utf8(line).ok())
    }

    /// Returns the lines that hold a word, oldest first; what the others say costs next to nothing.
    pub fn lines_with(&self, word: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let mut rest = &*self.bytes;
        while let Some(at) = memmem::find(rest, word.as_bytes()) {
            let (before, behind) = rest.split_at_checked(at).unwrap_or_default();
            let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
            let end = at + memchr(b'\n', behind).unwrap_or(behind.len());
            let line = rest.get(start..end).filter(|line| !line.is_empty());
            found.extend(line.and_then(|line| str::from_utf8(line).ok()));
            rest = rest.get(end + 1..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
        }
        found
    }
}

impl<D: Disk> Store<D> {
    /// Adds a line to the trail, with one write and without a lock, so it never waits. It need not survive a power cut.
    ///
    /// The trail stays within twice [`limits::TRAIL_BYTES`]: a file that is full is set aside, and the one that was set
    /// aside before goes. Where two programs find it full in the same moment, the older half may go early. A text of
    /// several lines counts as that many.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] above [`limits::TRAIL_LINE_BYTES`], and when the disk is in the way. What was in the trail is
    /// whole then, so who can do without the line may go on.
    pub fn add_to_trail(&self, line: &str) -> Result<(), Error> {
        if line.len() > limits::TRAIL_LINE_BYTES {
            let limit = limits::TRAIL_LINE_BYTES as u64;
            return Err(Error::TooLarge { path: TRAIL.to_owned(), limit });
        }
        let files = self.files();
        let mut text = String::with_capacity(line.len() + 2);
        match files.stat(TRAIL)? {
            // Its other name may lead outside.
            Some(stat) if stat.links > 1 => files.remove(TRAIL)?,
            Some(stat) if stat.len + line.len() as u64 >= limits::TRAIL_BYTES => {
                files.rename(TRAIL, OLD_TRAIL)?;
            }
            Some(stat) if is_torn(files, TRAIL, stat.len)? => text.push('\n'),
            None | Some(_) => {}
        }
        text.push_str(line);
        text.push('\n');
        match self.disk.append(TRAIL, text.as_bytes(), Persist::Later) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => make_private(files)?,
            done => return done.map_err(|error| Error::io("write", TRAIL, error)),
        }
        files.append(TRAIL, text.as_bytes(), Persist::Later)
    }

    /// Reads the end of the trail, at most `max_bytes` of it; empty where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn trail(&self, max_bytes: u64) -> Result<Trail, Error> {
        let files = self.files();
        let newer = End::read(files, TRAIL, max_bytes)?;
        let room = max_bytes.saturating_sub(newer.bytes.len() as u64);
        if !newer.is_all || room == 0 {
            return Ok(Trail { bytes: newer.bytes });
        }
        let mut bytes = End::read(files, OLD_TRAIL, room)?.bytes;
        bytes.extend(newer.bytes);
        Ok(Trail { bytes })
    }
}

/// Whole lines from the end of a file.
struct End {
    bytes: Vec<u8>,
    is_all: bool,
}

impl End {
    fn read<D: Disk>(files: Files<'_, D>, path: &str, max: u64) -> Result<Self, Error> {
        let (mut bytes, from) = match files.read(path, 0, max)? {
            Content::Absent => return Ok(Self { bytes: Vec::new(), is_all: true }),
            Content::NotAFile(kind) => {
                return Err(Error::NotAFile { path: path.to_owned(), kind });
            }
            Content::Bytes(bytes, stat) if stat.len <= max => (bytes, 0),
            Content::Bytes(_, stat) => {
                let from = stat.len - max;
                (files.read_own_from(path, from)?.unwrap_or_default(), from)
            }
        };
        // A line without its end is being written, or its writer died.
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        if from > 0 {
            let first_end = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            bytes.drain(..first_end);
        }
        Ok(Self { bytes, is_all: from == 0 })
    }
}

/// Tells whether the last line lacks its end, so that another one would run into it.
pub(crate) fn is_torn<D: Disk>(files: Files<'_, D>, path: &str, len: u64) -> Result<bool, Error> {
    let Some(last) = len.checked_sub(1) else { return Ok(false) };
    Ok(match files.read(path, last, 1)? {
        Content::Bytes(bytes, _) => bytes.last().is_some_and(|byte| *byte != b'\n'),
        Content::Absent | Content::NotAFile(_) => false,
    })
}

/// Makes the private folder with what keeps it out of version control; the first writer makes the rest.
pub(crate) fn make_private<D: Disk>(files: Files<'_, D>) -> Result<(), Error> {
    files.create_folder(PRIVATE)?;
    match files.0.create(IGNORE, IGNORE_ALL, Persist::Later) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(Error::io("write", IGNORE, error))
        }
        _ => Ok(()),
    }
}
