//! Sessions as crashes, versions and other tools have left them.

use std::collections::BTreeMap;
use std::io::Cursor;

use transcript_jsonl::{
    Conversation, Entry, Gap, Limits, Outline, Part, Reach, Reader, Resumable, Resume, Role, copy,
};

use crate::session::{case, notes, resume, resumed, texts, tree, uuid, uuids, verify};

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|at| format!("m{at}")).collect()
}

#[test]
fn nul_blocks_hide_no_message() {
    let file = case("transcript-01", "session.jsonl");
    assert_eq!(uuids(&file), names(8));
    assert_eq!(resumed(&file), names(8));
    assert_eq!(
        notes(&file),
        [
            "byte 772: 900 NUL bytes, passed over",
            "byte 1956: 300 NUL bytes, passed over",
            "byte 3030: 2048 NUL bytes, passed over",
            "byte 5361: 4096 NUL bytes, passed over",
        ]
    );
    let listed = Outline::read(&mut Cursor::new(&file)).unwrap();
    assert_eq!(listed.last_active.as_deref(), Some("2026-03-01T10:00:08.000Z"));
    assert_eq!((listed.standing, listed.messages), (Resumable::Yes, 8));
}

#[test]
fn separators_of_unicode_end_no_line() {
    let file = case("transcript-03", "session.jsonl");
    assert_eq!(uuids(&file), names(4));
    assert_eq!(texts(&file), ["a\u{2028}b\u{2029}c", "d\u{85}e\u{b}f\u{c}g", "h\ri", "end"]);
    let mut mended = Vec::new();
    transcript_jsonl::repair(&file[..], &mut mended).unwrap();
    assert_eq!(texts(&mended), texts(&file));
}

#[test]
fn half_a_surrogate_pair_bricks_nothing() {
    let file = case("transcript-04", "session.jsonl");
    assert_eq!(uuids(&file), names(4));
    assert_eq!(
        texts(&file),
        [
            "message 1",
            "cancelled \u{fffd}\u{2026} errored",
            "\u{fffd} key \u{fffd}\u{1f511}",
            "after"
        ],
    );
    let report = verify(&file);
    let damaged: Vec<_> = report.notes.kept.iter().map(ToString::to_string).collect();
    assert_eq!(
        damaged,
        [
            "byte 245 (m2): half a surrogate pair; shown as `\u{fffd}`",
            "byte 520 (m3): half a surrogate pair; shown as `\u{fffd}`",
        ]
    );
    let mut mended = Vec::new();
    transcript_jsonl::repair(&file[..], &mut mended).unwrap();
    for line in mended.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        serde_json::from_slice::<serde_json::Value>(line).expect("valid JSON and UTF-8");
    }
    assert_eq!(texts(&mended), texts(&file));
}

#[test]
fn bytes_that_are_not_utf8_brick_nothing() {
    let file = case("transcript-04", "invalid_utf8.jsonl");
    assert_eq!(texts(&file), ["message 1", "mess\u{fffd}age 3", "message 4"]);
    assert_eq!(resumed(&file), ["m1", "m3", "m4"]);
    let told: Vec<_> = verify(&file).notes.kept.into_iter().map(|note| note.uuid).collect();
    assert!(told.contains(&Some("m3".to_owned())), "{told:?}");
}

#[test]
fn a_parent_that_was_never_written_does_not_hide_the_past() {
    let file = case("transcript-05", "session.jsonl");
    let resume = resume(&file);
    assert_eq!(crate::session::members(&file, &resume.members), names(12));
    let detours: Vec<_> = resume
        .detours
        .iter()
        .map(|detour| {
            let entry = Entry::read(&mut Cursor::new(&file), detour.entry).unwrap();
            let envelope = entry.envelope().unwrap();
            let named = envelope.parent_uuid().unwrap().into_owned();
            (uuid(&file, detour.entry), named, uuid(&file, detour.to.unwrap()), detour.why)
        })
        .collect();
    let detour = |entry: &str, named: &str, to: &str| {
        (entry.to_owned(), named.to_owned(), to.to_owned(), Gap::Missing)
    };
    assert_eq!(detours, [detour("m5", "ghost-1", "m4"), detour("m9", "ghost-2", "m8")]);

    let tree = tree(&file);
    let mut source = Cursor::new(&file);
    let strict = Resume::at(&tree, tree.leaf().unwrap(), Reach::Strict, &mut source).unwrap();
    let shown = crate::session::members(&file, &strict.members);
    assert_eq!(shown, ["m9", "m10", "m11", "m12"]);
    assert_eq!(strict.detours.iter().map(|detour| detour.to).collect::<Vec<_>>(), [None]);
    assert_eq!(resume.members.len() - strict.members.len(), 8);

    let bridges: Vec<_> = verify(&file).notes.kept.iter().map(ToString::to_string).collect();
    assert_eq!(
        bridges,
        [
            "byte 1236 (m5): the parent `ghost-1` is missing; `m4` stands in its place",
            "byte 2297 (m9): the parent `ghost-2` is missing; `m8` stands in its place",
        ]
    );
}

#[test]
fn every_result_of_parallel_tools_is_kept_once() {
    let file = case("transcript-07", "session.jsonl");
    assert_eq!(resumed(&file), ["u1", "a1", "a2", "a3", "r1", "r2", "r3", "s1"]);
    let read =
        Conversation::read(&resume(&file), &mut Cursor::new(&file), &Limits::default()).unwrap();
    let shown: Vec<_> = read
        .turns
        .iter()
        .map(|turn| {
            let parts: Vec<_> = turn
                .parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => text.text.clone(),
                    Part::ToolCall { id, name, .. } => format!("{name} {id}"),
                    Part::ToolResult { id, text, .. } => format!("{id}: {}", text.text),
                    _ => "another part".to_owned(),
                })
                .collect();
            (turn.role, parts.join(", "))
        })
        .collect();
    let turn = |role, parts: &str| (role, parts.to_owned());
    assert_eq!(
        shown,
        [
            turn(Role::User, "read three files"),
            turn(Role::Assistant, "Read T1, Read T2, Read T3"),
            turn(Role::User, "T1: R1, T2: R2, T3: R3"),
            turn(Role::Assistant, "done"),
        ]
    );
}

#[test]
fn unknown_lines_are_carried() {
    let file = case("transcript-10", "session.jsonl");
    assert_eq!(resumed(&file), ["m1", "m2", "at1", "m3", "m4"]);
    let mut reader = Reader::new(&file[..]);
    let mut types = BTreeMap::new();
    let mut kept = None;
    while let Some(line) = reader.next_line().unwrap() {
        let name = line.envelope.type_name().map_or("-".into(), String::from);
        *types.entry(name).or_insert(0) += 1;
        let entry = Entry::of(line.envelope.bytes());
        kept = kept.or(entry.field("newField").map(String::from));
    }
    assert_eq!(kept.as_deref(), Some("{\"a\": [1, 2.50, 123456789012345678901234567890]}"));
    let counts = reader.counts();
    assert_eq!((counts.blank, counts.not_objects), (2, 2));
    assert_eq!(types["atis-latch"], 1);

    let mut copied = Vec::new();
    copy(&file[..], &mut copied).unwrap();
    assert_eq!(copied, file);
}

#[test]
fn a_field_of_another_shape_costs_that_field_only() {
    let file = case("transcript-10", "session.jsonl");
    let text = String::from_utf8(file).unwrap();
    let odd = text.replace("\"content\": \"message 1\"}", "\"content\": \"message 1\", \"id\": 4}");
    let odd = odd.replacen("\"timestamp\": \"2026-03-01T10:00:01.000Z\"", "\"timestamp\": 1", 1);
    assert_eq!(resumed(odd.as_bytes()), ["m1", "m2", "at1", "m3", "m4"]);
    assert_eq!(texts(odd.as_bytes())[0], "message 1");
}
