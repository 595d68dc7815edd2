//! The journal: what was done, by whom and why, and what it takes to finish it or take it back.
//!
//! Lines of JSON in segments. A line counts when its line end is there. Only the last operation can be unfinished, as
//! writers take turns and each finishes what its predecessor left.

mod delta;
mod history;
mod operation;
mod record;

pub(crate) use delta::Delta;
pub(crate) use history::{Event, Past};
pub use history::{History, Logged, LoggedFile, LoggedState};
pub(crate) use operation::{Amend, Image, Images, Operation, Replacement, Step};
pub(crate) use record::{Clash, Observed, Record, Unread};

use std::ops::ControlFlow;

use crate::{
    Error, FileKind,
    disk::{Details, Disk, Persist},
    store::{
        files::Files,
        layout::{self, JOURNAL, PRIVATE},
    },
};

/// How much of the end is read first; most operations fit.
const TAIL_BYTES: u64 = 16 * 1024;

/// The end of the journal, held by a writer.
#[derive(Debug)]
pub(crate) struct Journal<'d, D> {
    files: Files<'d, D>,
    segment: u64,
    len: u64,
}

/// A place in the journal: the segment and the byte within.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) segment: u64,
    pub(crate) offset: u64,
}

impl<'d, D: Disk> Journal<'d, D> {
    /// Finds the end, and cuts off a line that was torn when its writer died.
    pub(crate) fn open(files: Files<'d, D>) -> Result<Self, Error> {
        let segment = segments(files)?.last().copied().unwrap_or(1);
        let path = path(segment);
        let len = files.stat(&path)?.map_or(0, |stat| stat.len);
        let mut journal = Self { files, segment, len };
        let whole = journal.whole_len()?;
        if whole < len {
            files.truncate(&path, whole)?;
            journal.len = whole;
        }
        Ok(journal)
    }

    /// Returns where the next line goes.
    pub(crate) fn end(&self) -> Position {
        Position { segment: self.segment, offset: self.len }
    }

    /// Tells whether there is no line at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.segment == 1 && self.len == 0
    }

    /// Writes lines in one go and returns where the last begins; none of them stays if that fails and the disk lets it
    /// be mended.
    pub(crate) fn append(
        &mut self,
        records: &[Record],
        persist: Persist,
    ) -> Result<Position, Error> {
        if self.len == 0 {
            self.begin_segment()?;
        }
        let mut last = self.end();
        let mut text = String::new();
        for record in records {
            last.offset = self.len + text.len() as u64;
            text.push_str(&record.to_line());
        }
        let path = path(self.segment);
        if let Err(error) = self.files.append(&path, text.as_bytes(), persist) {
            // What is in the way of cutting back is in the way of the next writer too, who tries again.
            drop(self.files.truncate(&path, self.len));
            return Err(error);
        }
        self.len += text.len() as u64;
        Ok(last)
    }

    /// Takes back everything from `end` on, which must be a place in the segment written now.
    pub(crate) fn cut_back(&mut self, end: Position) -> Result<(), Error> {
        if end.segment == self.segment && end.offset < self.len {
            self.files.truncate(&path(self.segment), end.offset)?;
            self.len = end.offset;
        }
        Ok(())
    }

    /// Goes on in a new segment with the next line if this one is as long as that; only between operations.
    pub(crate) fn rotate(&mut self, segment_bytes: u64) -> bool {
        let is_full = self.len >= segment_bytes;
        if is_full {
            self.segment += 1;
            self.len = 0;
        }
        is_full
    }

    /// Returns the operation that was begun and neither finished nor taken back.
    pub(crate) fn unfinished(&self) -> Result<Option<Operation>, Error> {
        let mut size = TAIL_BYTES;
        loop {
            let (tail, is_all) = self.tail(size)?;
            match judge(&tail, &path(self.segment))? {
                Some(judged) => return Ok(judged),
                None if is_all => return Ok(None),
                None => size = size.saturating_mul(8),
            }
        }
    }

    /// Makes a new segment, and all that leads to it, survive a power cut before anything in it counts.
    ///
    /// A segment without a line may be one whose writer died here, so an empty one is treated like a missing one.
    fn begin_segment(&self) -> Result<(), Error> {
        self.files.append(&path(self.segment), b"", Persist::Later)?;
        [JOURNAL, PRIVATE, ""].into_iter().try_for_each(|folder| self.files.sync_folder(folder))
    }

    /// Returns whole lines from the end, and whether they are all there are.
    fn tail(&self, size: u64) -> Result<(Vec<u8>, bool), Error> {
        let from = self.len.saturating_sub(size);
        let bytes = self.files.read_own_from(&path(self.segment), from)?.unwrap_or_default();
        if from == 0 {
            return Ok((bytes, true));
        }
        let first_end = bytes.iter().position(|b| *b == b'\n').map_or(bytes.len(), |at| at + 1);
        let (_, lines) = bytes.split_at_checked(first_end).unwrap_or_default();
        Ok((lines.to_vec(), false))
    }

    /// Returns how long the segment is up to its last line end.
    fn whole_len(&self) -> Result<u64, Error> {
        let mut size = TAIL_BYTES;
        loop {
            let from = self.len.saturating_sub(size);
            let bytes = self.files.read_own_from(&path(self.segment), from)?.unwrap_or_default();
            match bytes.iter().rposition(|b| *b == b'\n') {
                Some(at) => return Ok(from + at as u64 + 1),
                None if from == 0 => return Ok(0),
                None => size = size.saturating_mul(8),
            }
        }
    }
}

/// Says of the last lines whether there is an unfinished operation; `None` if they do not tell.
#[expect(clippy::option_option, reason = "undecided, decided for none, decided for one")]
fn judge(lines: &[u8], path: &str) -> Result<Option<Option<Operation>>, Error> {
    let mut amends = Vec::new();
    for line in lines.split(|b| *b == b'\n').rev() {
        match Record::from_line(line) {
            Ok(Record::Done(_) | Record::Abort(..)) => return Ok(Some(None)),
            Ok(Record::Intent(mut operation)) => {
                for (id, path, amend) in amends.into_iter().rev() {
                    if id == operation.id {
                        operation.amend(&path, amend);
                    }
                }
                return Ok(Some(Some(operation)));
            }
            Ok(Record::Amend(id, path, amend)) => amends.push((id, path, amend)),
            Ok(Record::Conflict(_) | Record::Observed(_)) | Err(Unread::Garbage) => {}
            Err(Unread::Newer(version)) => {
                return Err(Error::NewerFormat { path: path.to_owned(), version });
            }
        }
    }
    Ok(None)
}

/// Returns the path of a segment.
pub(crate) fn path(segment: u64) -> String {
    format!("{JOURNAL}/{segment:08}.jsonl")
}

/// Returns the numbers of all segments, oldest first.
pub(crate) fn segments<D: Disk>(files: Files<'_, D>) -> Result<Vec<u64>, Error> {
    let mut numbers = Vec::new();
    match files.kind(JOURNAL)? {
        None => return Ok(numbers),
        Some(FileKind::Folder) => {}
        Some(_) => return Err(Error::NotADirectory { path: JOURNAL.to_owned() }),
    }
    files.list(JOURNAL, Details::Names, &mut |found| {
        let name = found.name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        let number = name.and_then(|digits| digits.parse().ok());
        numbers
            .extend(number.filter(|number| Some(&*path(*number)) == found_path(name).as_deref()));
        ControlFlow::Continue(())
    })?;
    numbers.sort_unstable();
    Ok(numbers)
}

fn found_path(digits: Option<&str>) -> Option<String> {
    Some(layout::join(JOURNAL, &format!("{}.jsonl", digits?)))
}

/// A line of the journal: where it begins and what it says.
pub(crate) type Entry = (Position, Result<Record, Unread>);

/// Reads the lines of a segment from a position on.
pub(crate) fn records<D: Disk>(files: Files<'_, D>, from: Position) -> Result<Vec<Entry>, Error> {
    let bytes = files.read_own_from(&path(from.segment), from.offset)?.unwrap_or_default();
    let mut at = from;
    let mut records = Vec::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if let Some(line) = line.strip_suffix(b"\n") {
            records.push((at, Record::from_line(line)));
        }
        at.offset += line.len() as u64;
    }
    Ok(records)
}
