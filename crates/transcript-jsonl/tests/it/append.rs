//! Appending lines to files in any state.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use proptest::prelude::*;
use transcript_jsonl::{AppendError, Appender, Sharing, Target};

use crate::session::{chain, file, notes, uuids};

const LINE: &str = "{\"type\":\"user\",\"uuid\":\"new\",\"sessionId\":\"s\"}";

/// A file on a disk with little room, written in a bounded number of bytes a call.
struct Disk {
    file: Cursor<Vec<u8>>,
    room: usize,
    calls: usize,
}

impl Disk {
    fn new(bytes: Vec<u8>, room: usize) -> Self {
        Self { file: Cursor::new(bytes), room, calls: 0 }
    }
}

impl Read for Disk {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        let fits = bytes.len().min(self.room);
        if fits == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.room -= fits;
        self.file.write(bytes.get(..fits).unwrap_or_default())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Target for Disk {
    fn cut_off(&mut self, length: u64) -> io::Result<()> {
        self.file.cut_off(length)
    }
}

#[track_caller]
fn check(before: &str, set_aside: Option<(u64, u32)>, after: &str) {
    let mut disk = Disk::new(before.into(), usize::MAX);
    let mut appender = Appender::open(&mut disk, Sharing::Alone).expect("it is in memory");
    let torn = appender.set_aside().map(|place| (place.offset, place.len));
    assert_eq!(torn, set_aside);
    appender.append(LINE).expect("there is room");
    assert_eq!(disk.calls, 1, "one call a line");
    assert_eq!(String::from_utf8_lossy(disk.file.get_ref()), after);
}

#[test]
fn a_line_begins_where_the_last_one_ended() {
    check("", None, &format!("{LINE}\n"));
    check("{\"a\":1}\n", None, &format!("{{\"a\":1}}\n{LINE}\n"));
}

#[test]
fn a_line_without_its_end_gets_one() {
    check("{\"a\":1}", None, &format!("{{\"a\":1}}\n{LINE}\n"));
}

#[test]
fn a_torn_line_is_set_aside_and_stays() {
    check("{\"a\":1}\n{\"b", Some((8, 3)), &format!("{{\"a\":1}}\n{{\"b\n{LINE}\n"));
    check("{\"a\":1}{\"b", Some((7, 3)), &format!("{{\"a\":1}}{{\"b\n{LINE}\n"));
}

#[test]
fn nul_bytes_at_the_end_get_a_line_of_their_own() {
    check("{\"a\":1}\n\0\0", Some((8, 2)), &format!("{{\"a\":1}}\n\0\0\n{LINE}\n"));
}

#[test]
fn what_is_no_object_on_one_line_is_refused_before_anything_is_written() {
    for line in ["", "[1]", "{", "{\"a\":1} x", "{\"a\":\n1}", "{\"a\":\"\\ud800\"}x"] {
        let mut disk = Disk::new(Vec::new(), usize::MAX);
        let mut appender = Appender::open(&mut disk, Sharing::Alone).unwrap();
        let refused = appender.append(line).unwrap_err();
        assert!(matches!(refused, AppendError::NotAnObject), "{line}: {refused:?}");
        assert_eq!(disk.calls, 0);
    }
}

#[test]
fn a_full_disk_is_loud_and_leaves_what_was_there() {
    let before = file(&chain(2));
    for room in 0..=LINE.len() {
        let mut disk = Disk::new(before.clone(), room);
        let mut appender = Appender::open(&mut disk, Sharing::Alone).unwrap();
        let error = appender.append(LINE).unwrap_err();
        assert!(error.is_full());
        assert_eq!(error.to_string(), "the line was not appended");
        assert_eq!(disk.file.get_ref(), &before, "room for {room} bytes");
    }
}

#[test]
fn beside_other_writers_a_fragment_stays_and_the_next_line_is_whole() {
    let mut disk = Disk::new(file(&chain(2)), 10);
    let mut appender = Appender::open(&mut disk, Sharing::Shared).unwrap();
    let error = appender.append(LINE).unwrap_err();
    assert!(matches!(error, AppendError::Write { left: 10, .. }), "{error:?}");
    appender.into_inner().room = usize::MAX;
    let mut appender = Appender::open(&mut disk, Sharing::Shared).unwrap();
    appender.append(LINE).unwrap();
    assert_eq!(uuids(disk.file.get_ref()), ["m1", "m2", "new"]);
}

/// A file to which another program appends between our calls.
struct Contested(Disk, Option<String>);

impl Read for Contested {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Contested {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl Write for Contested {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.seek(SeekFrom::End(0))?;
        let half = bytes.get(..bytes.len().div_ceil(2)).unwrap_or_default();
        let written = self.0.write(half)?;
        if let Some(other) = self.1.take() {
            self.0.write_all(format!("\n{other}\n").as_bytes())?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Target for Contested {
    fn cut_off(&mut self, length: u64) -> io::Result<()> {
        self.0.cut_off(length)
    }
}

#[test]
fn a_line_broken_in_two_is_not_continued_behind_the_line_of_another_writer() {
    let other = LINE.replace("new", "other");
    let mut target = Contested(Disk::new(file(&chain(1)), usize::MAX), Some(other));
    let mut appender = Appender::open(&mut target, Sharing::Shared).unwrap();
    appender.append(LINE).unwrap_err();
    appender.append(LINE).unwrap();
    assert_eq!(uuids(target.0.file.get_ref()), ["m1", "other", "new"]);
}

proptest! {
    #[test]
    fn behind_a_file_cut_anywhere_the_next_line_is_read(cut in any::<prop::sample::Index>()) {
        let whole = file(&chain(4));
        let cut = whole.get(..cut.index(whole.len() + 1)).unwrap_or_default();
        let before = uuids(cut);
        let mut target = Cursor::new(cut.to_vec());
        Appender::open(&mut target, Sharing::Alone).unwrap().append(LINE).unwrap();
        let after = target.into_inner();
        prop_assert!(after.starts_with(cut), "nothing is taken away");
        let mut expect = before;
        expect.push("new".to_owned());
        prop_assert_eq!(uuids(&after), expect);
        prop_assert!(notes(&after).len() <= 1);
    }
}
