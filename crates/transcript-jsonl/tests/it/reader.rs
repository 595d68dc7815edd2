//! Reading lines and their envelopes, whatever the file looks like.

use std::io::{self, Cursor, Read};

use transcript_jsonl::{Backward, Kind, Options, Reader};

use crate::session::{envelope, file, message, notes, uuids};

#[track_caller]
fn check(bytes: &[u8], expect: &[&str], expect_notes: &[&str]) {
    assert_eq!(uuids(bytes), expect);
    assert_eq!(notes(bytes), expect_notes);
    let mut backward = Backward::new(Cursor::new(bytes)).expect("it is in memory");
    let mut found = Vec::new();
    while let Some(line) = backward.next_line().expect("it is in memory") {
        found.push(line.envelope.uuid().map_or("-".into(), String::from));
    }
    found.reverse();
    assert_eq!(found, expect, "read backwards");
}

fn line(uuid: &str) -> String {
    format!("{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"sessionId\":\"s\"}}")
}

fn joined(parts: &[&str]) -> Vec<u8> {
    parts.concat().into_bytes()
}

#[test]
fn an_empty_file_is_noted() {
    check(b"", &[], &["byte 0: the file is empty"]);
}

#[test]
fn blank_lines_and_a_missing_line_end_are_nothing_to_note() {
    check(&joined(&["\n \t\n", &line("a"), "\n\n", &line("b")]), &["a", "b"], &[]);
}

#[test]
fn a_byte_order_mark_and_crlf_are_passed_over() {
    let bytes = joined(&["\u{feff}", &line("a"), "\r\n", &line("b"), "\r\n"]);
    check(
        &bytes,
        &["a", "b"],
        &["byte 0: byte order mark, passed over", "byte 45: lines end in CR LF"],
    );
}

#[test]
fn nul_bytes_end_a_line() {
    let bytes = joined(&["\0\0", &line("a"), "\0\0\0\n", &line("b"), "\0", &line("c"), "\n\0\n\0"]);
    check(
        &bytes,
        &["a", "b", "c"],
        &[
            "byte 0: 2 NUL bytes, passed over",
            "byte 44: 3 NUL bytes, passed over",
            "byte 90: 1 NUL bytes, passed over",
            "byte 134: 1 NUL bytes, passed over",
            "byte 136: 1 NUL bytes, passed over",
        ],
    );
}

#[test]
fn objects_on_one_line_are_read_each() {
    let bytes = joined(&[&line("a"), &line("b"), " ", &line("c"), "\n"]);
    check(
        &bytes,
        &["a", "b", "c"],
        &[
            "byte 42: a further object on the same line",
            "byte 85: a further object on the same line",
        ],
    );
}

#[test]
fn a_whole_entry_behind_a_torn_one_is_read() {
    let torn = "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a \\\"b";
    let bytes = joined(&[torn, &line("b"), "\n", &line("c"), "\n"]);
    check(&bytes, &["b", "c"], &["byte 0: 65 bytes that are no JSON object"]);
    let bytes = joined(&["gar}bage", &line("b"), "\n"]);
    check(&bytes, &["b"], &["byte 0: 8 bytes that are no JSON object"]);
}

#[test]
fn a_part_of_a_torn_entry_is_no_entry() {
    let torn = "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}";
    check(
        &joined(&[&line("a"), "\n", torn]),
        &["a"],
        &["byte 43: the file ends within a line; 63 bytes lost"],
    );
}

#[test]
fn json_that_is_no_object_is_counted() {
    let bytes = joined(&["[1, 2]\n\"x\"\n\n   \n12\nnope\n", &line("a"), "\n"]);
    check(
        &bytes,
        &["a"],
        &[
            "byte 0: JSON, but no object",
            "byte 7: JSON, but no object",
            "byte 16: JSON, but no object",
            "byte 19: 4 bytes that are no JSON object",
        ],
    );
    let mut reader = Reader::new(&bytes[..]);
    while reader.next_line().unwrap().is_some() {}
    let counts = reader.counts();
    assert_eq!((counts.lines, counts.objects, counts.blank, counts.not_objects), (7, 1, 2, 3));
}

#[test]
fn known_fields_of_another_shape_are_absent_and_noted() {
    let odd = "{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":7,\"isSidechain\":\"no\",\"timestamp\":{},\"message\":[]}";
    check(
        &joined(&[odd, "\n"]),
        &["a"],
        &[
            "byte 0: `parentUuid` has an unexpected shape",
            "byte 0: `timestamp` has an unexpected shape",
            "byte 0: `isSidechain` has an unexpected shape",
            "byte 0: `message` has an unexpected shape",
        ],
    );
    let envelope = envelope(odd);
    assert_eq!((envelope.parent_uuid(), envelope.is_sidechain()), (None, false));
}

#[test]
fn each_unknown_type_is_noted_once() {
    let bytes = joined(&["{\"type\":\"x\"}\n{\"type\":\"x\"}\n{\"a\":1}\n"]);
    check(
        &bytes,
        &["-", "-", "-"],
        &["byte 0: unknown type `x`", "byte 26: a line without a type"],
    );
}

#[test]
fn an_envelope_is_found_without_its_body() {
    let text = "{\"parentUuid\": \"p\" , \"logicalParentUuid\":\"l\",\"isSidechain\":true,\"type\":\"assistant\",\
        \"message\":{\"content\":[{\"type\":\"tool_use\",\"input\":{\"uuid\":\"no\"}}],\"id\":\"msg_1\"},\
        \"uuid\":\"\\u0061\",\"timestamp\":\"t\",\"sessionId\":\"s\",\"subtype\":null,\"isMeta\":false}";
    let envelope = envelope(text);
    assert_eq!(envelope.kind(), Kind::Assistant);
    assert_eq!(envelope.uuid().as_deref(), Some("a"));
    assert_eq!(envelope.parent_uuid().as_deref(), Some("p"));
    assert_eq!(envelope.logical_parent_uuid().as_deref(), Some("l"));
    assert_eq!(envelope.message_id().as_deref(), Some("msg_1"));
    assert_eq!(envelope.timestamp().as_deref(), Some("t"));
    assert_eq!(envelope.session_id().as_deref(), Some("s"));
    assert_eq!(envelope.subtype(), None);
    assert!(envelope.is_sidechain() && !envelope.is_meta());
    assert_eq!(envelope.odd_fields().next(), None);
}

#[test]
fn of_a_key_that_stands_twice_the_last_counts() {
    let twice = envelope("{\"uuid\":\"a\",\"uuid\":5,\"uuid\":\"b\"}");
    assert_eq!((twice.uuid().as_deref(), twice.odd_fields().next()), (Some("b"), None));
}

#[test]
fn a_line_longer_than_the_reader_holds_is_passed_over() {
    let long = message("user", "long", "", &"x".repeat(700_000));
    let bytes = file(&[line("a"), long, line("b")]);
    let mut options = Options::default();
    options.max_line_bytes = 300_000;
    let mut reader = Reader::with_options(&bytes[..], options);
    let mut found = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        found.push(line.envelope.uuid().unwrap().into_owned());
    }
    assert_eq!(found, ["a", "b"]);
    let reasons: Vec<_> = reader.notes().kept.iter().map(ToString::to_string).collect();
    assert_eq!(
        reasons.last().unwrap(),
        "byte 43: a line that is too long; 700161 bytes passed over"
    );
    assert_eq!(uuids(&bytes), ["a", "long", "b"]);
}

/// Gives one byte at a time, and is interrupted before each.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let one = buffer.get_mut(..1).unwrap_or_default();
        self.0.read(one)
    }
}

#[test]
fn a_source_that_gives_little_at_a_time_gives_the_same() {
    let bytes = joined(&[&line("a"), "\0\0\n", &line("b"), &line("c"), "\r\n\n", &line("d")]);
    let mut reader = Reader::new(Slow(&bytes, false));
    let mut found = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        found.push(line.envelope.uuid().unwrap().into_owned());
    }
    assert_eq!(found, uuids(&bytes));
    let slow: Vec<_> = reader.notes().kept.iter().map(ToString::to_string).collect();
    assert_eq!(slow, notes(&bytes));
}
