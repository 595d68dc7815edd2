//! Reading a transcript: from either end the same, nothing readable lost, repairs valid.

use std::io::Cursor;

use transcript_jsonl::{Backward, Entry, Envelope, Place, Reader, copy, repair};

/// Takes any bytes for a transcript.
pub fn check(data: &[u8]) {
    let forwards = forwards(data);
    let mut backwards = backwards(data);
    backwards.reverse();
    assert_eq!(forwards, backwards, "both ends give the same");
    let mut end = 0;
    for (place, uuid) in &forwards {
        assert!(place.offset >= end, "objects do not overlap");
        end = place.end();
        let entry = Entry::read(&mut Cursor::new(data), *place).expect("it is in memory");
        let envelope = entry.envelope().expect("what was found is an object");
        assert_eq!(envelope.uuid().map(String::from), *uuid, "{}", entry.json());
        if let Some(message) = entry.message() {
            std::hint::black_box(message.content.len());
        }
    }
    assert!(end <= data.len() as u64);

    let mut copied = Vec::new();
    copy(data, &mut copied).expect("memory takes everything");
    assert_eq!(copied, data, "a copy is the same bytes");

    let mut mended = Vec::new();
    repair(data, &mut mended).expect("memory takes everything");
    let text = std::str::from_utf8(&mended).expect("a repair is UTF-8");
    let uuids = text.lines().map(|line| {
        Envelope::of(line.as_bytes()).expect("a line is an object").uuid().map(String::from)
    });
    assert!(uuids.eq(forwards.into_iter().map(|(_, uuid)| uuid)), "a repair holds every entry");
    let mut again = Vec::new();
    repair(&mended[..], &mut again).expect("memory takes everything");
    assert_eq!(again, mended, "what is mended stays as it is");
}

fn forwards(data: &[u8]) -> Vec<(Place, Option<String>)> {
    let mut reader = Reader::new(data);
    let mut found = Vec::new();
    while let Some(line) = reader.next_line().expect("it is in memory") {
        found.push((line.place, line.envelope.uuid().map(String::from)));
    }
    assert_eq!(reader.counts().bytes, data.len() as u64);
    found
}

fn backwards(data: &[u8]) -> Vec<(Place, Option<String>)> {
    let mut backward = Backward::new(Cursor::new(data)).expect("it is in memory");
    let mut found = Vec::new();
    while let Some(line) = backward.next_line().expect("it is in memory") {
        found.push((line.place, line.envelope.uuid().map(String::from)));
    }
    found
}
