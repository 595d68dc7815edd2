//! One line of a transcript, and where it is.

use std::io::{self, Read, Seek, SeekFrom};

use crate::envelope::Envelope;
use crate::limits;

/// Where an object is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// Its first byte, counted from the start of the file.
    pub offset: u64,
    /// Its length in bytes, without a line end.
    pub len: u32,
}

impl Place {
    pub(crate) const fn new(offset: u64, len: u32) -> Self {
        Self { offset, len }
    }

    /// Returns the first byte behind the object.
    pub const fn end(&self) -> u64 {
        self.offset + self.len as u64
    }

    /// Reads the object again into `buffer`, whose content goes.
    ///
    /// # Errors
    ///
    /// Those of the source, and [`io::ErrorKind::UnexpectedEof`] where it has become shorter.
    pub fn read<R: Read + Seek>(&self, source: &mut R, buffer: &mut Vec<u8>) -> io::Result<()> {
        source.seek(SeekFrom::Start(self.offset))?;
        buffer.clear();
        // No more is allocated ahead than a usual line needs: the file may have been exchanged for another.
        buffer.reserve((self.len as usize).min(limits::BUFFER_BYTES));
        let read = source.by_ref().take(u64::from(self.len)).read_to_end(buffer)?;
        if read < self.len as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

/// One object of a transcript as a reader meets it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Line<'a> {
    /// Where it is.
    pub place: Place,
    /// What it is about; [`Envelope::bytes`] is all of it.
    pub envelope: Envelope<'a>,
}

impl<'a> Line<'a> {
    pub(crate) fn new(offset: u64, envelope: Envelope<'a>) -> Self {
        // A reader holds no line that is longer.
        let len = u32::try_from(envelope.bytes().len()).unwrap_or(u32::MAX);
        Self { place: Place::new(offset, len), envelope }
    }
}
