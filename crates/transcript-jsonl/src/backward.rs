//! Reads a transcript from its end, object by object.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memrchr2;

use crate::envelope::{Envelope, Scanned};
use crate::limits;
use crate::line::Line;
use crate::note::{Notes, Reason};
use crate::piece::{Ending, Found, Progress};
use crate::reader::UnknownTypes;

/// Reads the lines of a transcript from the last to the first: the end of a huge file costs what it weighs.
///
/// What a [`Reader`](crate::Reader) gives out, this gives out too, in the opposite order, and what is read beyond the
/// line that was asked for is at most a thirty-second of the whole.
/// What other programs append meanwhile is left out.
///
/// ```
/// let file = std::io::Cursor::new("{\"type\":\"user\"}\n{\"type\":\"assistant\"}\n");
/// let mut backward = transcript_jsonl::Backward::new(file)?;
/// let last = backward.next_line()?.expect("there are two lines");
/// assert_eq!(last.envelope.kind(), transcript_jsonl::Kind::Assistant);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Backward<R> {
    source: R,
    /// Bytes of the file when it was opened.
    length: u64,
    buffer: Vec<u8>,
    /// The part of the buffer that holds what is not used up.
    start: usize,
    end: usize,
    /// Where `start` is in the file.
    base: u64,
    /// From here on to `end` there is no end of a piece.
    searched: usize,
    /// The objects of the current piece that were not given out, and where it begins.
    found: Vec<Found>,
    /// Whether a line is passed over because it is too long.
    skipping: bool,
    unknown_types: UnknownTypes,
    notes: Notes,
}

impl<R: Read + Seek> Backward<R> {
    /// Goes to the end of a file.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn new(mut source: R) -> io::Result<Self> {
        let length = source.seek(SeekFrom::End(0))?;
        Ok(Self {
            source,
            length,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            base: length,
            searched: 0,
            found: Vec::new(),
            skipping: false,
            unknown_types: UnknownTypes::default(),
            notes: Notes::default(),
        })
    }

    /// Returns what was odd so far, from the end of the file on.
    pub const fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Returns how many bytes were read so far.
    pub const fn bytes_read(&self) -> u64 {
        self.length - self.base
    }

    /// Reads the object before the last one given out, `None` at the start of the file.
    ///
    /// # Errors
    ///
    /// Those of the source; nothing that a file can hold is an error.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let Found { at, scanned: Scanned { spans, end } } = loop {
            if let Some(found) = self.found.pop() {
                break found;
            }
            if !self.next_piece()? {
                return Ok(None);
            }
        };
        let bytes = self.buffer.get(at..at + end).unwrap_or_default();
        let offset = self.base + (at - self.start) as u64;
        let line = Line::new(offset, Envelope::new(bytes, spans));
        self.unknown_types.note_fields(&line, &mut self.notes);
        Ok(Some(line))
    }

    /// Reads the piece before the current one; false at the start of the file.
    fn next_piece(&mut self) -> io::Result<bool> {
        if !self.skip_ends()? {
            return Ok(false);
        }
        self.searched = self.end;
        let start = loop {
            let unseen = self.buffer.get(self.start..self.searched).unwrap_or_default();
            if let Some(found) = memrchr2(b'\n', 0, unseen) {
                break self.start + found + 1;
            }
            self.searched = self.start;
            if self.end - self.start >= limits::MAX_LINE_BYTES {
                self.skipping = true;
                self.end = self.start;
            }
            if !self.fill()? {
                break self.start;
            }
        };
        let offset = self.base + (start - self.start) as u64;
        let piece = self.buffer.get(start..self.end).unwrap_or_default();
        if std::mem::take(&mut self.skipping) {
            self.notes.add(offset, Reason::TooLong { bytes: piece.len() as u64 });
        } else {
            let last = offset + piece.len() as u64 == self.length;
            let mut progress = Progress::new(if last { Ending::Open } else { Ending::Closed });
            while let Some(found) = progress.next(piece, offset, &mut self.notes) {
                self.found.push(Found { at: start + found.at, scanned: found.scanned });
            }
        }
        self.end = start;
        Ok(true)
    }

    /// Passes over line ends and NUL bytes before the current piece.
    fn skip_ends(&mut self) -> io::Result<bool> {
        let mut nul = 0;
        loop {
            let last = self.end.checked_sub(1).filter(|last| *last >= self.start);
            match last.and_then(|last| self.buffer.get(last).copied()) {
                Some(0) => nul += 1,
                Some(b'\n') => self.end_nul(&mut nul),
                Some(_) => {
                    self.end_nul(&mut nul);
                    return Ok(true);
                }
                None if self.fill()? => continue,
                None => {
                    self.end_nul(&mut nul);
                    return Ok(false);
                }
            }
            self.end -= 1;
        }
    }

    fn end_nul(&mut self, nul: &mut u64) {
        let bytes = std::mem::take(nul);
        if bytes > 0 {
            let offset = self.base + (self.end - self.start) as u64;
            self.notes.add(offset, Reason::Nul { bytes });
        }
    }

    /// Reads more before what is held; false at the start of the file.
    fn fill(&mut self) -> io::Result<bool> {
        let most = usize::try_from(self.bytes_read() / limits::BACKWARD_PART).unwrap_or(usize::MAX);
        let block = most.clamp(limits::BACKWARD_BYTES, limits::BUFFER_BYTES);
        let block = usize::try_from(self.base).unwrap_or(usize::MAX).min(block);
        if block == 0 {
            return Ok(false);
        }
        if self.start < block {
            self.make_room(block);
        }
        self.base -= block as u64;
        self.source.seek(SeekFrom::Start(self.base))?;
        let free = self.buffer.get_mut(self.start - block..self.start).unwrap_or_default();
        if let Err(error) = self.source.read_exact(free) {
            // What was asked for is not held, so the place must not say so.
            self.base += block as u64;
            return Err(error);
        }
        self.start -= block;
        Ok(true)
    }

    /// Moves what is held to the end of the buffer, and makes that larger where it must be.
    fn make_room(&mut self, block: usize) {
        let held = self.end - self.start;
        let to = if self.buffer.len() < held + block {
            let mut larger = vec![0; (2 * held + block).max(2 * limits::BUFFER_BYTES)];
            let to = larger.len() - held;
            let from = self.buffer.get(self.start..self.end);
            if let (Some(to), Some(from)) = (larger.get_mut(to..), from) {
                to.copy_from_slice(from);
            }
            self.buffer = larger;
            to
        } else {
            let to = self.buffer.len() - held;
            self.buffer.copy_within(self.start..self.end, to);
            to
        };
        self.searched = to + self.searched.saturating_sub(self.start);
        self.start = to;
        self.end = to + held;
    }
}
