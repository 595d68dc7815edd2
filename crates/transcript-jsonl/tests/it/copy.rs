//! Copies and repairs.

use proptest::prelude::*;
use transcript_jsonl::{Note, Reason, Report, copy, repair};

use crate::properties::damaged_file;
use crate::session::{file, message, uuids, verify};

#[test]
fn a_report_says_everything_that_is_odd_in_order() {
    let bytes = b"\xef\xbb\xbf{\"type\":\"user\",\"uuid\":\"a\",\"x\":\"\xff\x01\"}\r\n\0{\"type\":\"new\",\
        \"y\":\"\\ud800\"}{\"z\":01}\nx\n\n{\"type\":\"us";
    let report = verify(bytes);
    let shown: Vec<_> = report.notes.kept.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    byte 0: byte order mark, passed over
    byte 3 (a): not UTF-8; shown as `�`
    byte 3 (a): a control character that is not escaped
    byte 38: lines end in CR LF
    byte 40: 1 NUL bytes, passed over
    byte 41: half a surrogate pair; shown as `�`
    byte 41: unknown type `new`
    byte 68: a further object on the same line
    byte 68: a line without a type
    byte 68: looks whole but is not JSON
    byte 77: 1 bytes that are no JSON object
    byte 80: the file ends within a line; 11 bytes lost
    ");
    assert!(report.notes.damage());
    let counts = report.counts;
    assert_eq!((counts.lines, counts.objects, counts.blank, counts.not_objects), (5, 3, 1, 0));
}

#[test]
fn what_is_advice_only_is_no_damage() {
    let bytes = b"{\"type\":\"brand-new\",\"a\":\"\xe2\x80\xa8\"}\r\n{\"type\":\"user\",\"uuid\":\"a\"}\r\n";
    let report = verify(bytes);
    assert_eq!((report.notes.kept.len(), report.notes.damage()), (3, false));
}

#[test]
fn notes_beyond_those_that_are_kept_are_counted() {
    let line = "{\"type\":\"user\",\"uuid\":\"a\",\"x\":\"\\ud800\"}\n";
    let bytes = line.repeat(3_000);
    let counts = |report: Report| (report.notes.kept.len(), report.notes.more);
    assert_eq!(counts(copy(bytes.as_bytes(), std::io::sink()).unwrap()), (1_000, 2_000));
    assert_eq!(counts(repair(bytes.as_bytes(), std::io::sink()).unwrap()), (1_000, 2_000));
    // All lines but one have the uuid of a later one.
    assert_eq!(counts(verify(bytes.as_bytes())), (1_000, 4_999));
}

#[test]
fn a_repair_keeps_the_fields_that_are_json() {
    let bytes = b"{\"type\":\"user\",\"bad\":01,\"uuid\":\"a\"}\0{\"type\":\"user\",\"uuid\":\"b\",\"n\":2.50}";
    let mut mended = Vec::new();
    repair(&bytes[..], &mut mended).unwrap();
    assert_eq!(
        String::from_utf8(mended).unwrap(),
        "{\"type\":\"user\",\"uuid\":\"a\"}\n{\"type\":\"user\",\"uuid\":\"b\",\"n\":2.50}\n"
    );
}

/// Of a key that stands twice the last counts; it is absent where that is no JSON, before the repair and after.
#[test]
fn a_repair_brings_back_no_field_that_a_later_one_hides() {
    let bytes = b"{\"uuid\":\"a\",\"type\":\"user\",\"uuid\":e,\"n\":01,\"n\":1}";
    let mut mended = Vec::new();
    repair(&bytes[..], &mut mended).unwrap();
    assert_eq!(String::from_utf8(mended.clone()).unwrap(), "{\"type\":\"user\",\"n\":1}\n");
    assert_eq!(uuids(&mended), uuids(bytes));
}

#[test]
fn verifying_tells_what_is_wrong_with_the_tree() {
    let lines = [
        message("user", "m1", "", "first"),
        message("assistant", "m2", "ghost", "its parent is missing"),
        message("user", "m3", "m3", "its own parent"),
        message("user", "m4", "m5", "half of a cycle"),
        message("assistant", "m5", "m4", "the other half"),
        message("user", "m1", "m5", "the first uuid again"),
    ];
    let found = verify(&file(&lines)).notes.kept;
    let shown: Vec<_> = found.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    byte 165 (m2): the parent `ghost` is missing; nothing stands in its place
    byte 359 (m3): its own parent; `m2` stands in its place
    byte 533 (m4): an ancestor of its parent `m5`; `m3` stands in its place
    byte 892 (m1): the uuid stands twice; the later entry counts
    ");
    let titles = b"{\"type\":\"summary\",\"summary\":\"Old\",\"leafUuid\":\"z\"}\n";
    let found = verify(titles).notes.kept;
    assert_eq!(found.first().map(|note| &note.reason), Some(&Reason::NoMessages));
}

proptest! {
    #[test]
    fn a_copy_is_the_same_bytes(bytes in damaged_file()) {
        let mut copied = Vec::new();
        let report = copy(&bytes[..], &mut copied).unwrap();
        prop_assert_eq!(&copied, &bytes);
        prop_assert_eq!(report.counts.bytes, bytes.len() as u64);
        let verified = verify(&bytes);
        prop_assert_eq!(report.counts, verified.counts);
        let is_told = |note: &Note| {
            verified.notes.kept.iter().any(|told| (told.offset, &told.reason) == (note.offset, &note.reason))
        };
        prop_assert!(report.notes.kept.iter().all(is_told));
    }

    #[test]
    fn a_repair_is_valid_and_holds_every_entry(bytes in damaged_file()) {
        let mut mended = Vec::new();
        repair(&bytes[..], &mut mended).unwrap();
        for line in mended.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let value: serde_json::Value = serde_json::from_slice(line).unwrap();
            prop_assert!(value.is_object());
        }
        prop_assert_eq!(uuids(&mended), uuids(&bytes));
        let mut again = Vec::new();
        let report = repair(&mended[..], &mut again).unwrap();
        prop_assert_eq!(again, mended);
        let empty = report.counts.bytes == 0;
        prop_assert!(empty || report.notes.kept.iter().all(|note| {
            note.reason.is_advice() || matches!(note.reason, transcript_jsonl::Reason::WrongShape { .. })
        }), "{:?}", report.notes);
    }
}
