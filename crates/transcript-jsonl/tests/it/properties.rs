//! What holds for any file.

use std::collections::BTreeMap;
use std::io::Cursor;

use proptest::prelude::*;
use transcript_jsonl::{
    Backward, Conversation, Entry, Envelope, Limits, Outline, Place, Reach, Reader, Tree,
};

use crate::session::{chain, file, message, resume, uuid_of, uuids};

/// What sessions are made of, in an order that no client would write.
pub(crate) fn damaged_file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => entry().prop_map(String::into_bytes),
        3 => Just(b"\n".to_vec()),
        1 => Just(b"\r\n".to_vec()),
        1 => Just(b"\0\0\0".to_vec()),
        1 => Just(b"\xef\xbb\xbf".to_vec()),
        1 => Just(b"{\"type\":\"user\",\"message\":{\"content\":[{\"text\":\"a".to_vec()),
        1 => Just(b"{\"type\":\"user\",\"x\":\"\\ud83d \xff \x01\",\"uuid\":\"odd\"}".to_vec()),
        1 => Just(b"[1, {\"type\":\"user\"}]".to_vec()),
        1 => "[\\[\\]{}\",:a\\\\ 0-9u]{0,12}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// One line of a small session: few names, so that parents, copies and cycles come about.
fn entry() -> impl Strategy<Value = String> {
    let name = || prop_oneof![4 => "[a-h]", 1 => Just(String::new())];
    (name(), name(), 0..12_u8).prop_map(|(uuid, parent, shape)| match shape {
        0 => format!(
            "{{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"{uuid}\",\"parentUuid\":null,\
             \"logicalParentUuid\":\"{parent}\",\"sessionId\":\"s\"}}"
        ),
        1 => format!(
            "{{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"{uuid}\",\"parentUuid\":null,\
             \"compactMetadata\":{{\"preservedSegment\":{{\"headUuid\":\"{parent}\",\"anchorUuid\":\"a\",\
             \"tailUuid\":\"{parent}\"}}}}}}"
        ),
        2 => format!(
            "{{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"{uuid}\",\"parentUuid\":null,\
             \"compactMetadata\":{{\"preservedMessages\":{{\"uuids\":[\"{parent}\",\"b\"]}}}}}}"
        ),
        3 => message("user", &uuid, &parent, "summary")
            .replace("\"isSidechain\":false", "\"isCompactSummary\":true"),
        4 => message("assistant", &uuid, &parent, "side")
            .replace("\"isSidechain\":false", "\"isSidechain\":true"),
        5 => format!(
            "{{\"type\":\"file-history-snapshot\",\"messageId\":\"{uuid}\",\"snapshot\":{{\"messageId\":\"{uuid}\",\
             \"trackedFileBackups\":{{\"{parent}.rs\":{{\"backupFileName\":\"{parent}@v1\",\"version\":1}}}}}}}}"
        ),
        6 => message("user", &uuid, &parent, "x").replace(
            "\"content\":\"x\"",
            "\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"r\"}]",
        ),
        7 => message("assistant", &uuid, &parent, "x")
            .replace("\"content\":\"x\"", "\"id\":\"msg\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\"}]"),
        8 => format!("{{\"type\":\"progress\",\"uuid\":\"{uuid}\",\"parentUuid\":\"{parent}\",\"sessionId\":\"s\"}}"),
        9 => message("assistant", &uuid, &parent, "said"),
        _ => message("user", &uuid, &parent, "asked"),
    })
}

fn forwards(bytes: &[u8]) -> Vec<(Place, Option<String>)> {
    let mut reader = Reader::new(bytes);
    let mut found = Vec::new();
    while let Some(line) = reader.next_line().expect("it is in memory") {
        found.push((line.place, line.envelope.uuid().map(String::from)));
    }
    found
}

fn backwards(bytes: &[u8]) -> Vec<(Place, Option<String>)> {
    let mut backward = Backward::new(Cursor::new(bytes)).expect("it is in memory");
    let mut found = Vec::new();
    while let Some(line) = backward.next_line().expect("it is in memory") {
        found.push((line.place, line.envelope.uuid().map(String::from)));
    }
    found.reverse();
    found
}

/// Does everything that can be done with a file.
fn use_up(bytes: &[u8]) {
    let tree = Tree::read(bytes).expect("it is in memory");
    for node in tree.nodes() {
        for reach in [Reach::Resumed, Reach::Whole, Reach::Strict] {
            let branch = tree.branch(node, reach);
            let mut once: Vec<_> = branch.iter().map(|step| step.node).collect();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), branch.len(), "an entry stands twice on a branch");
            assert!(once.contains(&node), "the leaf is on its branch");
        }
        let entry = Entry::read(&mut Cursor::new(bytes), tree.place(node).expect("a node"));
        let entry = entry.expect("it is in memory");
        let known = entry.envelope().map(|envelope| envelope.id() == tree.id(node));
        assert_eq!(known, Some(true));
        std::hint::black_box((
            entry.message(),
            entry.title(),
            entry.snapshot(),
            entry.compaction(),
        ));
    }
    let resume = resume(bytes);
    Conversation::read(&resume, &mut Cursor::new(bytes), &Limits::default())
        .expect("it is in memory");
    Outline::read(&mut Cursor::new(bytes)).expect("it is in memory");
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        use_up(&bytes);
        prop_assert_eq!(forwards(&bytes), backwards(&bytes));
    }

    #[test]
    fn any_damage_is_read_and_forwards_and_backwards_agree(bytes in damaged_file()) {
        use_up(&bytes);
        prop_assert_eq!(forwards(&bytes), backwards(&bytes));
    }

    #[test]
    fn what_is_resumed_from_the_end_is_what_the_whole_file_gives(
        lines in prop::collection::vec(entry(), 0..40),
    ) {
        resume(&file(&lines));
    }

    #[test]
    fn any_object_has_the_envelope_that_a_parser_finds(
        keys in prop::collection::vec(("(uuid|type|parentUuid|x)", "\\PC{0,8}"), 0..8),
    ) {
        let fields: Vec<_> = keys
            .iter()
            .map(|(key, value)| format!("{}: {}", serde_json::json!(key), serde_json::json!([value, 1.5, null])[0]))
            .collect();
        let line = format!("{{{}}}", fields.join(" , "));
        let parsed: BTreeMap<String, String> = serde_json::from_str(&line).unwrap();
        let envelope = Envelope::of(line.as_bytes()).unwrap();
        let expect = |key: &str| parsed.get(key).cloned().filter(|text| !text.is_empty());
        prop_assert_eq!(envelope.uuid().map(String::from), expect("uuid"));
        prop_assert_eq!(envelope.parent_uuid().map(String::from), expect("parentUuid"));
        prop_assert_eq!(envelope.type_name().map(String::from), parsed.get("type").cloned());
    }

    #[test]
    fn any_order_of_writes_gives_the_same_tree(
        parents in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
        keys in prop::collection::vec(any::<u32>(), 20),
    ) {
        let mut lines = vec![message("user", "n0", "", "root")];
        for (at, parent) in parents.iter().enumerate() {
            let parent = format!("n{}", parent.index(at + 1));
            lines.push(message("assistant", &format!("n{}", at + 1), &parent, "x"));
        }
        let edges = |lines: &[String]| {
            let bytes = file(lines);
            let tree = Tree::read(&bytes[..]).unwrap();
            assert_eq!(tree.bridges(), []);
            tree.nodes()
                .map(|node| {
                    let parent = tree.parent(node).map(|parent| uuid_of(&bytes, &tree, parent));
                    (uuid_of(&bytes, &tree, node), parent)
                })
                .collect::<BTreeMap<_, _>>()
        };
        let ordered = edges(&lines);
        let mut order: Vec<_> = (0..lines.len()).collect();
        order.sort_by_key(|at| keys[*at]);
        let shuffled: Vec<_> = order.iter().map(|at| lines[*at].clone()).collect();
        prop_assert_eq!(edges(&shuffled), ordered);
    }

    #[test]
    fn any_order_of_a_chain_resumes_as_the_chain(keys in prop::collection::vec(any::<u32>(), 12)) {
        let lines = chain(12);
        let mut order: Vec<_> = (0..lines.len()).collect();
        order.sort_by_key(|at| keys[*at]);
        let shuffled: Vec<_> = order.iter().map(|at| lines[*at].clone()).collect();
        let names: Vec<_> = (1..=12).map(|at| format!("m{at}")).collect();
        prop_assert_eq!(crate::session::resumed(&file(&shuffled)), names);
    }
}

#[test]
fn a_file_cut_anywhere_in_its_last_lines_gives_every_whole_line() {
    let lines = [
        chain(3),
        vec![
            crate::session::case("transcript-07", "session.jsonl")
                .split(|byte| *byte == b'\n')
                .map(|line| String::from_utf8_lossy(line).into_owned())
                .nth(1)
                .expect("a line"),
        ],
        vec![message("user", "m5", "m3", "\u{1f511} \\ud83d\\udd11 \\\"{\\\"")],
    ]
    .concat();
    let whole = file(&lines);
    let kept: usize = lines.iter().take(2).map(|line| line.len() + 1).sum();
    for cut in kept..=whole.len() {
        let bytes = &whole[..cut];
        let mut end = 0;
        let mut expect = Vec::new();
        for line in &lines {
            // An object is whole without the line end behind it.
            if end + line.len() <= cut {
                expect.push(Envelope::of(line.as_bytes()).unwrap().uuid().unwrap().into_owned());
            }
            end += line.len() + 1;
        }
        assert_eq!(uuids(bytes), expect, "cut at {cut}");
        let cuts_a_line = cut > 0 && !bytes.ends_with(b"\n") && whole.get(cut) != Some(&b'\n');
        let notes = crate::session::notes(bytes);
        assert_eq!(notes.len(), usize::from(cuts_a_line), "cut at {cut}: {notes:?}");
        resume(bytes);
    }
}
