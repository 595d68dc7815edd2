//! Reads a transcript from its start, object by object.

use std::io::{self, Read};

use memchr::memchr2;

use crate::envelope::{Envelope, Scanned};
use crate::id::Id;
use crate::kind::Kind;
use crate::limits;
use crate::line::Line;
use crate::note::{Notes, Reason};
use crate::piece::{Ending, Found, Progress};

/// How a transcript is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Longest line that is held in memory, in bytes, at most 4 GiB; a longer one is noted and passed over.
    pub max_line_bytes: usize,
}

/// [`limits::MAX_LINE_BYTES`].
impl Default for Options {
    fn default() -> Self {
        Self { max_line_bytes: limits::MAX_LINE_BYTES }
    }
}

/// How much of what a reader met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Bytes read.
    pub bytes: u64,
    /// Lines, the last one also where it has no line end.
    pub lines: u64,
    /// Objects that were given out.
    pub objects: u64,
    /// Lines of white space.
    pub blank: u64,
    /// Lines that are JSON but no object.
    pub not_objects: u64,
}

/// Reads a transcript from its start, in memory of one line.
///
/// Any `Read` will do; a buffer around it only costs time, for the reader has its own.
/// NUL bytes never occur in JSON, so they end a line as `\n` does.
///
/// ```
/// let file = "{\"type\":\"user\",\"uuid\":\"a\"}\0\0{\"type\":\"mode\"}{\"type\":\"ta";
/// let mut reader = transcript_jsonl::Reader::new(file.as_bytes());
/// let mut types = Vec::new();
/// while let Some(line) = reader.next_line()? {
///     types.push((line.place.offset, line.envelope.type_name().map(String::from)));
/// }
/// assert_eq!(types, [(0, Some("user".into())), (28, Some("mode".into()))]);
/// let notes: Vec<_> = reader.notes().kept.iter().map(ToString::to_string).collect();
/// assert_eq!(notes, [
///     "byte 26: 2 NUL bytes, passed over",
///     "byte 43: the file ends within a line; 11 bytes lost",
/// ]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    options: Options,
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    base: u64,
    /// The part of the buffer that is not used up.
    start: usize,
    end: usize,
    /// Up to here the buffer holds no end of the current piece.
    searched: usize,
    at_end: bool,
    /// The end of the current piece and how far it has been read.
    piece: Option<(usize, Progress)>,
    /// NUL bytes just met: where the first was, and how many.
    nul: Option<(u64, u64)>,
    /// Bytes of a line that is too long, from the start of what was held of it.
    skipping: Option<(u64, u64)>,
    line_is_blank: bool,
    saw_carriage_return: bool,
    unknown_types: UnknownTypes,
    counts: Counts,
    notes: Notes,
}

impl<R: Read> Reader<R> {
    /// A reader with the default options.
    pub fn new(source: R) -> Self {
        Self::with_options(source, Options::default())
    }

    /// A reader with options of the caller's.
    pub fn with_options(source: R, options: Options) -> Self {
        Self {
            source,
            options,
            buffer: Vec::new(),
            base: 0,
            start: 0,
            end: 0,
            searched: 0,
            at_end: false,
            piece: None,
            nul: None,
            skipping: None,
            line_is_blank: true,
            saw_carriage_return: false,
            unknown_types: UnknownTypes::default(),
            counts: Counts::default(),
            notes: Notes::default(),
        }
    }

    /// Returns what was odd so far.
    pub const fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Takes the notes out, so that there is room for further ones.
    pub fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    /// Returns what was met so far; complete after the last line.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Reads the next object, `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// Those of the source; nothing that a file can hold is an error.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let (start, Scanned { spans, end }) = loop {
            let Some((piece_end, progress)) = &mut self.piece else {
                if self.next_piece()? {
                    continue;
                }
                self.finish();
                return Ok(None);
            };
            let piece = self.buffer.get(self.start..*piece_end).unwrap_or_default();
            let offset = self.base + self.start as u64;
            if let Some(Found { at, scanned }) = progress.next(piece, offset, &mut self.notes) {
                break (self.start + at, scanned);
            }
            self.counts.not_objects += u64::from(progress.not_object());
            self.start = *piece_end;
            self.piece = None;
            self.note_carriage_return();
        };
        self.counts.objects += 1;
        let bytes = self.buffer.get(start..start + end).unwrap_or_default();
        let line = Line::new(self.base + start as u64, Envelope::new(bytes, spans));
        self.unknown_types.note_fields(&line, &mut self.notes);
        Ok(Some(line))
    }

    /// Goes to the next piece with something in it; false at the end of the file.
    fn next_piece(&mut self) -> io::Result<bool> {
        if !self.skip_ends()? {
            return Ok(false);
        }
        self.searched = self.searched.max(self.start);
        let ending = loop {
            let unseen = self.buffer.get(self.searched..self.end).unwrap_or_default();
            if let Some(found) = memchr2(b'\n', 0, unseen) {
                self.searched += found;
                break Ending::Closed;
            }
            self.searched = self.end;
            if self.end - self.start >= self.longest() {
                let offset = self.base + self.start as u64;
                self.skipping = Some((offset, (self.end - self.start) as u64));
                break Ending::Closed;
            }
            if !self.fill()? {
                break Ending::Open;
            }
        };
        let length = self.searched - self.start;
        if length >= limits::LONG_LINE_BYTES {
            let offset = self.base + self.start as u64;
            self.notes.add(offset, Reason::Long { bytes: length as u64 });
        }
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let piece = self.buffer.get(self.start..self.searched).unwrap_or_default();
        self.line_is_blank &= piece.iter().all(blank);
        self.piece = Some((self.searched, Progress::new(ending)));
        Ok(true)
    }

    /// Passes over line ends, NUL bytes and what is left of a line that is too long.
    fn skip_ends(&mut self) -> io::Result<bool> {
        loop {
            let rest = self.buffer.get(self.start..self.end).unwrap_or_default();
            if let Some((offset, bytes)) = self.skipping {
                let passed = memchr2(b'\n', 0, rest);
                let bytes = bytes + passed.unwrap_or(rest.len()) as u64;
                self.skipping = Some((offset, bytes)).filter(|_| passed.is_none());
                self.start += passed.unwrap_or(rest.len());
                let ended = passed.is_some() || !self.fill()?;
                if ended {
                    self.skipping = None;
                    self.notes.add(offset, Reason::TooLong { bytes });
                }
                continue;
            }
            match rest.first() {
                None => {
                    if !self.fill()? {
                        return Ok(false);
                    }
                }
                Some(0) => {
                    let run = rest.iter().take_while(|byte| **byte == 0).count();
                    let offset = self.base + self.start as u64;
                    let nul = self.nul.get_or_insert((offset, 0));
                    nul.1 += run as u64;
                    self.line_is_blank = false;
                    self.start += run;
                }
                Some(b'\n') => {
                    self.end_nul();
                    self.start += 1;
                    self.end_line();
                }
                Some(_) => {
                    self.end_nul();
                    return Ok(true);
                }
            }
        }
    }

    fn end_nul(&mut self) {
        if let Some((offset, bytes)) = self.nul.take() {
            self.notes.add(offset, Reason::Nul { bytes });
        }
    }

    fn end_line(&mut self) {
        self.counts.lines += 1;
        self.counts.blank += u64::from(self.line_is_blank);
        self.line_is_blank = true;
    }

    fn note_carriage_return(&mut self) {
        let held = self.buffer.get(..self.end).unwrap_or_default();
        if self.saw_carriage_return || held.get(self.start) != Some(&b'\n') {
            return;
        }
        let before = self.start.checked_sub(1).and_then(|at| held.get(at));
        if before == Some(&b'\r') {
            self.saw_carriage_return = true;
            self.notes.add(self.base + self.start as u64 - 1, Reason::CarriageReturn);
        }
    }

    fn finish(&mut self) {
        if self.at_end && self.counts.bytes == 0 && self.notes.kept.is_empty() {
            self.notes.add(0, Reason::Empty);
        }
        self.end_nul();
        if !self.line_is_blank {
            self.end_line();
        }
    }

    fn longest(&self) -> usize {
        self.options.max_line_bytes.clamp(1, u32::MAX as usize)
    }

    /// Moves what is held to the start of the buffer, or into a larger one where it fills it.
    fn make_room(&mut self) {
        let held = self.start..self.end;
        let length = held.len();
        if length == self.buffer.len() {
            // Pages of zeros that are never touched cost nothing.
            let mut larger = vec![0; (2 * length).max(limits::BUFFER_BYTES)];
            if let (Some(to), Some(from)) = (larger.get_mut(..length), self.buffer.get(held)) {
                to.copy_from_slice(from);
            }
            self.buffer = larger;
        } else {
            self.buffer.copy_within(held, 0);
        }
        self.base += self.start as u64;
        self.end = length;
        self.searched = self.searched.saturating_sub(self.start);
        self.start = 0;
    }

    /// Reads more behind what is held; false at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        if self.at_end {
            return Ok(false);
        }
        if self.end == self.buffer.len() {
            self.make_room();
        }
        let free = self.buffer.get_mut(self.end..).unwrap_or_default();
        let read = loop {
            match self.source.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.end += read;
        self.counts.bytes += read as u64;
        self.at_end = read == 0;
        Ok(read > 0)
    }
}

/// The types that were met and are not known.
#[derive(Debug, Default)]
pub(crate) struct UnknownTypes(Vec<Id>);

impl UnknownTypes {
    /// Notes fields of an unexpected shape, and each type that is not known once.
    #[inline]
    pub(crate) fn note_fields(&mut self, line: &Line<'_>, notes: &mut Notes) {
        for field in line.envelope.odd_fields() {
            notes.add(line.place.offset, Reason::WrongShape { field });
        }
        if line.envelope.kind() == Kind::Other {
            self.note_type(line, notes);
        }
    }

    fn note_type(&mut self, line: &Line<'_>, notes: &mut Notes) {
        let name = line.envelope.type_name();
        let id = Id::of(name.as_deref().unwrap_or_default());
        if self.0.len() >= limits::MAX_UNKNOWN_TYPES || self.0.contains(&id) {
            return;
        }
        self.0.push(id);
        let shortened = |name: &str| name.chars().take(limits::TITLE_CHARS).collect();
        let reason =
            name.map_or(Reason::NoType, |name| Reason::UnknownType { name: shortened(&name) });
        notes.add(line.place.offset, reason);
    }
}
