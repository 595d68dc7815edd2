//! Appends lines so that each is there as a whole, whatever was at the end of the file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::line::Place;
use crate::piece::is_json;

/// A file that can be appended to.
pub trait Target: Read + Write + Seek {
    /// Cuts the file off behind its first `length` bytes.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn cut_off(&mut self, length: u64) -> io::Result<()>;
}

impl Target for File {
    fn cut_off(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

impl Target for &File {
    fn cut_off(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

impl Target for io::Cursor<Vec<u8>> {
    fn cut_off(&mut self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).map_err(io::Error::other)?;
        self.get_mut().truncate(length);
        Ok(())
    }
}

impl<T: Target + ?Sized> Target for &mut T {
    fn cut_off(&mut self, length: u64) -> io::Result<()> {
        (**self).cut_off(length)
    }
}

/// Who else writes to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sharing {
    /// Nobody: the caller holds a lock, or owns the file. A line that could not be written in full is taken back.
    Alone,
    /// Others may, each line in one call; the file is open for appending. A line that could not be written in full
    /// stays as a fragment, because cutting it off could take a line of another writer with it; readers pass over it.
    Shared,
}

/// Why a line was not appended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The line is no JSON object on one line.
    #[error("not a JSON object on one line")]
    NotAnObject,
    /// The end of the file could not be read.
    #[error("the end of the transcript cannot be read")]
    Tail {
        /// What the system said.
        source: io::Error,
    },
    /// The line was not written; no part of it is left unless `left` says so.
    #[error("the line was not appended")]
    Write {
        /// Bytes of the line that are in the file as a fragment.
        left: u64,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// Returns whether the disk, a quota or the limit of a file's size is what stopped it.
    pub fn is_full(&self) -> bool {
        let Self::Write { source, .. } = self else { return false };
        matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
        )
    }
}

/// Appends lines to a transcript, one call to the system each.
///
/// A torn line at the end of the file is set aside: it stays where it is, and what is appended begins a line of its own.
///
/// ```
/// use std::io::Cursor;
/// use transcript_jsonl::{Appender, Sharing};
///
/// let mut file = Cursor::new(b"{\"type\":\"user\"}\n{\"type\":\"us".to_vec());
/// let mut appender = Appender::open(&mut file, Sharing::Alone)?;
/// assert_eq!(appender.set_aside().map(|torn| torn.offset), Some(16));
/// appender.append("{\"type\":\"mode\"}")?;
/// assert!(file.into_inner().ends_with(b"{\"type\":\"us\n{\"type\":\"mode\"}\n"));
/// # Ok::<(), transcript_jsonl::AppendError>(())
/// ```
#[derive(Debug)]
pub struct Appender<T> {
    target: T,
    sharing: Sharing,
    set_aside: Option<Place>,
    /// Whether the end of the file is not known to be the end of a line.
    needs_line_end: bool,
    buffer: Vec<u8>,
}

impl<T: Target> Appender<T> {
    /// Looks at the end of a file.
    ///
    /// # Errors
    ///
    /// [`Error::Tail`] where it cannot be read.
    pub fn open(mut target: T, sharing: Sharing) -> Result<Self, Error> {
        let (needs_line_end, set_aside) =
            look_at_end(&mut target).map_err(|source| Error::Tail { source })?;
        Ok(Self { target, sharing, set_aside, needs_line_end, buffer: Vec::new() })
    }

    /// Returns the torn line that was at the end of the file when it was opened, `None` where it ended well.
    pub const fn set_aside(&self) -> Option<Place> {
        self.set_aside
    }

    /// Appends one JSON object, given without a line end.
    ///
    /// When this returns, the line is with the system as a whole; the caller decides when it must be on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::NotAnObject`], before anything is written, and [`Error::Write`].
    pub fn append(&mut self, line: &str) -> Result<(), Error> {
        let line = line.trim();
        let object = line.starts_with('{') && is_json(line.as_bytes());
        if !object || line.contains('\n') {
            return Err(Error::NotAnObject);
        }
        self.buffer.clear();
        if self.needs_line_end {
            self.buffer.push(b'\n');
        }
        self.buffer.extend_from_slice(line.as_bytes());
        self.buffer.push(b'\n');
        let start = self.target.seek(SeekFrom::End(0)).map_err(|source| Error::Tail { source })?;
        match self.write(start) {
            Ok(()) => {
                self.needs_line_end = false;
                Ok(())
            }
            Err((written, source)) => Err(self.give_up(start, written, source)),
        }
    }

    /// Writes the buffer; in vain, returns how much of it was written.
    fn write(&mut self, start: u64) -> Result<(), (usize, io::Error)> {
        let mut written = 0;
        while let Some(rest) = self.buffer.get(written..).filter(|rest| !rest.is_empty()) {
            match self.target.write(rest) {
                Ok(0) => return Err((written, io::ErrorKind::WriteZero.into())),
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err((written, error)),
            }
            if written < self.buffer.len() && self.sharing == Sharing::Shared {
                // The rest could come to stand behind the line of another writer, unless nobody has written since.
                let end = start + written as u64;
                match self.target.seek(SeekFrom::End(0)) {
                    Ok(now) if now == end => {}
                    Ok(_) => return Err((written, io::ErrorKind::WriteZero.into())),
                    Err(error) => return Err((written, error)),
                }
            }
        }
        Ok(())
    }

    /// Takes back what was written of a line, where that can be done safely.
    fn give_up(&mut self, start: u64, written: usize, source: io::Error) -> Error {
        let written = written as u64;
        let mut left = written;
        if written > 0 && self.sharing == Sharing::Alone && self.target.cut_off(start).is_ok() {
            left = 0;
        }
        self.needs_line_end |= left > 0;
        Error::Write { left, source }
    }

    /// Returns the file.
    pub fn into_inner(self) -> T {
        self.target
    }
}

/// Whether the file ends within a line, and where that begins where it is no whole object.
fn look_at_end<T: Target>(target: &mut T) -> io::Result<(bool, Option<Place>)> {
    let length = target.seek(SeekFrom::End(0))?;
    let Some(last) = length.checked_sub(1) else { return Ok((false, None)) };
    target.seek(SeekFrom::Start(last))?;
    let mut byte = [0];
    target.read_exact(&mut byte)?;
    if byte == *b"\n" {
        return Ok((false, None));
    }
    let mut backward = crate::Backward::new(&mut *target)?;
    let end = match backward.next_line()? {
        Some(line) => line.place.end(),
        None => 0,
    };
    let torn = backward.notes().kept.iter().filter(|note| note.offset >= end).min().map(|note| {
        let bytes = length.saturating_sub(note.offset);
        Place::new(note.offset, u32::try_from(bytes).unwrap_or(u32::MAX))
    });
    Ok((true, torn))
}
