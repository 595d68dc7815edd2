//! Plans as models write them, well and badly.

use insta::assert_snapshot;
use memdir_change::{Change, Policy, limits, plan_schema, read_plan};
use proptest::prelude::*;

use crate::kit::{numbered, verdict};

/// The notes, and the operations by kind.
fn read(text: &str) -> String {
    let reading = read_plan(text);
    let mut told: Vec<_> = reading.notes.iter().map(ToString::to_string).collect();
    let words = reading.plan.operations.iter();
    let words: Vec<_> = words
        .map(|operation| operation.change.word().map_or("unread", |word| word.as_str()))
        .collect();
    told.push(format!("[{}]", words.join(", ")));
    told.join("\n")
}

#[test]
fn all_seven_operations_are_read() {
    let memory = r#"{"name": "n", "description": "d", "type": "user", "body": "b"}"#;
    let text = format!(
        r#"{{"operations": [
            {{"op": "create", "name": "n", "description": "d", "type": "user", "body": "b", "reason": "r",
              "origin": "user", "group": "g", "evidence": [{{"message": "m", "quote": "q", "session": "s"}}]}},
            {{"op": "update", "path": "a.md", "body": "b"}},
            {{"op": "merge", "sources": ["a.md", "b.md"], "into": [{memory}]}},
            {{"op": "split", "path": "a.md", "into": [{memory}, {memory}]}},
            {{"op": "supersede", "path": "a.md", "into": [{memory}]}},
            {{"op": "delete", "path": "a.md"}},
            {{"op": "index", "path": "a.md", "title": "t", "hook": "h"}}
        ]}}"#
    );
    assert_eq!(read(&text), "[create, update, merge, split, supersede, delete, index]");
    let fenced = format!("```json\n{text}\n```\n");
    assert_eq!(read_plan(&fenced), read_plan(&text));
    let words: Vec<_> =
        plan_schema()["properties"]["operations"]["items"]["properties"]["op"]["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect();
    assert_eq!(format!("[{}]", words.join(", ")), read(&text));
}

#[test]
fn what_cannot_be_understood_is_told_by_name_and_keeps_its_place() {
    let text = r#"{"operations": [
        {"op": "sync", "path": "a.md"},
        {"op": "delete", "path": "a.md", "force": true, "sources": [], "title": ""},
        {"op": "create", "name": "n"},
        {"op": "merge", "sources": "a.md", "into": {"name": "n", "description": "d", "type": "t", "body": "b", "x": 1}},
        {"op": "update", "path": 7, "body": ["b"]},
        {"op": "split", "path": "a.md", "into": ["b"]},
        {"op": "delete"},
        {"op": "delete", "path": "a.md", "origin": "boss", "evidence": ["q", {"message": null}]},
        17,
        {}
    ], "more": 1}"#;
    assert_snapshot!(read(text), @"
    `more` means nothing here
    operation 0: there is no operation `sync`
    operation 1: `force` means nothing here
    operation 2: `create` needs `description`
    operation 3: `sources` has a value of the wrong kind
    operation 3: `into` has a value of the wrong kind
    operation 3: `x` means nothing here
    operation 4: `path` has a value of the wrong kind
    operation 4: `body` has a value of the wrong kind
    operation 5: `split` needs `into`
    operation 6: `delete` needs `path`
    operation 7: `evidence` has a value of the wrong kind
    operation 7: `origin` is none of `user`, `agent`, `external`, so it counts as external
    operation 8: it is no object
    operation 9: there is no operation ``
    [unread, delete, unread, merge, unread, unread, unread, delete, unread, unread]
    ");
}

#[test]
fn what_is_no_plan_is_an_empty_one_with_the_reason() {
    for (text, expect) in [
        ("", "the answer is no JSON\n[]"),
        ("Sure! Here is the plan.", "the answer is no JSON\n[]"),
        (r#"{"operations": [{"op": "delete", "path": "a.m"#, "the answer is no JSON\n[]"),
        ("{}", "the answer is no plan: it has no list `operations`\n[]"),
        (r#"{"operations": {}}"#, "the answer is no plan: it has no list `operations`\n[]"),
        ("null", "the answer is no plan: it has no list `operations`\n[]"),
        ("[]", "[]"),
    ] {
        assert_eq!(read(text), expect, "{text}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(read(&deep), "the answer is no JSON\n[]");
    let large = format!("[\"{}\"]", "x".repeat(limits::PLAN_BYTES));
    assert!(read(&large).starts_with("the plan is larger than"));
    let many = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
    assert!(read(&many(limits::PLAN_OPERATIONS + 1)).starts_with("the plan has 10001 operations"));
    let most = read_plan(&many(limits::PLAN_OPERATIONS));
    assert_eq!(most.plan.operations.len(), limits::PLAN_OPERATIONS);
    assert_eq!(most.notes.len() + most.more_notes, limits::PLAN_OPERATIONS);
    assert_eq!(most.notes.len(), limits::PLAN_NOTES);
}

#[test]
fn ten_thousand_operations_on_one_memory_come_to_one() {
    let one = r#"{"op": "update", "path": "m00.md", "body": "Ines approves each.", "evidence": [{"message": "m1", "quote": "Ines approves each"}]}"#;
    let plan = read_plan(&format!("[{}]", vec![one; limits::PLAN_OPERATIONS].join(","))).plan;
    let told = verdict(&numbered(5), &Policy::default(), plan.operations);
    assert_eq!(told.lines().filter(|line| line.ends_with("accepted")).count(), 1);
    assert_eq!(
        told.lines().filter(|line| line.contains(" twice: ")).count(),
        limits::PLAN_OPERATIONS - 1
    );
}

#[test]
fn no_note_repeats_a_secret() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0);
    let text =
        format!(r#"[{{"op": "{secret}"}}, {{"op": "delete", "path": "a.md", "{secret}": 1}}]"#);
    assert!(!read(&text).contains(&secret), "{}", read(&text));
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC*") {
        read_plan(&text);
    }

    #[test]
    fn any_json_keeps_the_number_of_its_operations(
        texts in proptest::collection::vec(
            "\\{(\"op\":\"(create|merge|split|x)\")?,?(\"(path|into|sources|evidence|body)\":(1|\"a\"|\\[\\]|\\{\\}|null))?\\}",
            0..8,
        ),
    ) {
        let reading = read_plan(&format!("[{}]", texts.join(",")));
        if reading.notes.iter().all(|note| note.operation.is_some()) {
            prop_assert_eq!(reading.plan.operations.len(), texts.len());
            let unread = reading.plan.operations.iter().filter(|op| matches!(op.change, Change::Unread { .. }));
            prop_assert!(unread.count() <= reading.notes.len());
        }
    }
}
