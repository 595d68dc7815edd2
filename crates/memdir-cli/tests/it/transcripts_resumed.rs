//! transcript resume.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, names};
use crate::sessions::{FIRST, Record, case, fields, read, record, with_tools};

#[test]
fn resume_gives_each_message_once_with_its_origin() {
    let sandbox = Sandbox::new();
    record(&sandbox, "project", FIRST, &with_tools(&sandbox, FIRST));
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run(["transcript", "resume", FIRST]), @"
       0  user       branch            Fix the importer
     282  assistant  branch            calls Read
    1018  user       parallel, branch  result: text of a file
    1958  assistant  branch            It is fixed.
    [exit status: 0]
    ");
    let resumed = read(&sandbox, &["transcript", "resume", "1111", "--json"]);
    let roles = fields(&resumed["messages"], &["role"]).concat();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    let messages = resumed["messages"].as_array().unwrap();
    let from = messages.iter().map(|message| json!(fields(&message["from"], &["uuid", "origin"])));
    assert_eq!(
        from.collect::<Vec<_>>(),
        [
            json!([["u1", "branch"]]),
            json!([["a1", "branch"], ["a2", "branch"]]),
            json!([["r1", "parallel"], ["r2", "branch"]]),
            json!([["a3", "branch"]]),
        ]
    );
    assert_eq!(resumed["messages"][2]["content"][0]["tool_use_id"], "t-a1");
    assert_eq!(
        fields(&resumed["others"], &["uuid", "subtype"]),
        [[&json!("s1"), &json!("informational")]]
    );
    assert_eq!(names(&sandbox.path("")), before);
}

#[test]
fn resume_begins_with_the_summary_and_what_the_compaction_kept() {
    let sandbox = Sandbox::new();
    let session = with_tools(&sandbox, FIRST)
        .compacted("c1", "This is what was done.", &["a3", "gone"])
        .user("u2", "Go on");
    record(&sandbox, "project", FIRST, &session);
    assert_snapshot!(sandbox.run(["transcript", "resume", FIRST]), @"
    from the compaction at byte 2297 on (manual, 90000 tokens before it)
    2724  user       summary  This is what was done.
    1958  assistant  kept     It is fixed.
    3044  user       branch   Go on
    ------- stderr -------
    warning: the compaction kept `gone`, which the file does not hold
    [exit status: 0]
    ");
}

#[test]
fn resume_names_the_backups_of_files_and_those_that_are_missing() {
    let sandbox = Sandbox::new();
    let snapshot = |version: u64, update: bool| {
        json!({"type": "file-history-snapshot", "messageId": "u1", "isSnapshotUpdate": update, "snapshot": {
        "messageId": "u1", "timestamp": "2026-11-29T10:00:00.000Z", "trackedFileBackups": {
            "src/a.rs": {"backupFileName": format!("aa@v{version}"), "version": version, "backupTime": "2026-11-29T10:00:00.000Z"},
            "src/new.rs": {"backupFileName": null, "version": 1, "backupTime": "2026-11-29T10:00:00.000Z"},
            "src/z.rs": {"backupFileName": "zz@v1", "version": 1, "backupTime": "2026-11-29T10:00:00.000Z"},
        }}})
    };
    let session = Record::new(FIRST, sandbox.path("project"))
        .user("u1", "Hello")
        .line(snapshot(1, false))
        .line(snapshot(2, true))
        .says("a1", "Hi");
    record(&sandbox, "project", FIRST, &session);
    sandbox.write(&format!("home/.claude/file-history/{FIRST}/aa@v2"), 0, "old text");
    assert_snapshot!(sandbox.run(["transcript", "resume", FIRST]), @"
       0  user       branch  Hello
    1142  assistant  branch  Hi
    backups in $TEST_ENV/home/.claude/file-history/11111111-0000-4000-8000-000000000001
    aa@v2        2026-11-29T10:00:00.000Z           src/a.rs
    no file yet  2026-11-29T10:00:00.000Z           src/new.rs
    zz@v1        2026-11-29T10:00:00.000Z  missing  src/z.rs
    [exit status: 0]
    ");
    let history = &read(&sandbox, &["transcript", "resume", FIRST, "--json"])["file_history"];
    assert_eq!(history["missing"], json!(["zz@v1"]));
    assert_eq!(
        history["folder"],
        json!(sandbox.path(&format!("home/.claude/file-history/{FIRST}")))
    );
}

/// transcript-05.
#[test]
fn a_missing_parent_is_told_by_its_uuid_and_ends_a_strict_resume() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, case("transcript-05", "session.jsonl"));
    let uuids = |resumed: &Value| {
        let messages = resumed["messages"].as_array().unwrap().iter();
        let from = messages.flat_map(|message| message["from"].as_array().unwrap());
        from.map(|part| part["uuid"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let names = |numbers: std::ops::RangeInclusive<u32>| {
        numbers.map(|at| format!("m{at}")).collect::<Vec<_>>()
    };
    let resumed = read(&sandbox, &["transcript", "resume", "../s.jsonl", "--json"]);
    assert_eq!((uuids(&resumed), &resumed["unreached"]), (names(1..=12), &Value::Null));
    let why = "the file does not hold its parent";
    assert_eq!(
        resumed["detours"],
        json!([
            {"offset": 1236, "uuid": "m5", "parent": "ghost-1", "to": {"offset": 953, "uuid": "m4"}, "why": why},
            {"offset": 2297, "uuid": "m9", "parent": "ghost-2", "to": {"offset": 2014, "uuid": "m8"}, "why": why},
        ])
    );
    let strict = read(&sandbox, &["transcript", "resume", "../s.jsonl", "--strict", "--json"]);
    assert_eq!((uuids(&strict), &strict["unreached"]), (names(9..=12), &json!(8)));
    assert_snapshot!(sandbox.run(["transcript", "resume", "../s.jsonl", "--strict"]), @"
    2297  user       branch  message 9
    2547  assistant  branch  message 10
    2832  user       branch  message 11
    3080  assistant  branch  message 12
    ------- stderr -------
    note: byte 2297 (m9): the file does not hold its parent (ghost-2); it follows nothing
    note: entries that cannot be reached: 8
    [exit status: 0]
    ");
}

/// transcript-04.
#[test]
fn what_is_replaced_in_a_text_is_told_with_the_uuid_of_its_line() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, case("transcript-04", "session.jsonl"));
    let resumed = read(&sandbox, &["transcript", "resume", "../s.jsonl", "--json"]);
    let reason = "half a surrogate pair; shown as `\u{fffd}`";
    assert_eq!(
        resumed["notes"],
        json!([
            {"offset": 245, "uuid": "m2", "reason": reason, "advice": false},
            {"offset": 520, "uuid": "m3", "reason": reason, "advice": false},
        ])
    );
    let verified = read(&sandbox, &["transcript", "verify", "../s.jsonl", "--json"]);
    assert_eq!(verified["findings"], resumed["notes"]);
}

/// A file that claims an id like a path is led nowhere by it.
#[test]
fn an_id_that_is_a_path_names_no_folder() {
    let sandbox = Sandbox::new();
    let session = Record::new("../../secret", sandbox.path("project")).user("u1", "Hello");
    sandbox.write("s.jsonl", 0, session.text());
    let resumed = read(&sandbox, &["transcript", "resume", "../s.jsonl", "--json"]);
    assert_eq!(resumed["file_history"]["folder"], Value::Null);
}

#[test]
fn numbers_and_unknown_blocks_are_passed_on_as_they_are() {
    let sandbox = Sandbox::new();
    let line = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":[{"type":"novel","n":123456789012345678901234567890,"x":2.50}]}}"#;
    let ran =
        sandbox.output_in("project", ["transcript", "resume", "-", "--json"], line.as_bytes());
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(
        text.contains(r#"[{"type":"novel","n":123456789012345678901234567890,"x":2.50}]"#),
        "{text}"
    );
}

#[test]
fn what_can_be_read_of_a_damaged_file_is_resumed() {
    let sandbox = Sandbox::new();
    let mut text = with_tools(&sandbox, FIRST).text().into_bytes();
    text.extend_from_slice(b"\0\0\0\0{\"type\":\"user\",\"uu");
    sandbox.write("s.jsonl", 0, text);
    assert_snapshot!(sandbox.run(["transcript", "resume", "../s.jsonl"]), @"
       0  user       branch            Fix the importer
     282  assistant  branch            calls Read
    1018  user       parallel, branch  result: text of a file
    1958  assistant  branch            It is fixed.
    ------- stderr -------
    warning: the transcript is damaged in 2 places; the rest was read
      - byte 2297: 4 NUL bytes, passed over
      - byte 2301: the file ends within a line; 18 bytes lost
      where: ../s.jsonl
      try: `memdir transcript verify` lists all of it
    [exit status: 0]
    ");
}

#[test]
fn what_cannot_be_resumed_says_why() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.jsonl", 0, "");
    sandbox.write(
        "titles.jsonl",
        0,
        "{\"type\":\"summary\",\"summary\":\"Old title\",\"leafUuid\":\"zz\"}\n",
    );
    fs::create_dir(sandbox.path("folder.jsonl")).unwrap();
    record(&sandbox, "project", FIRST, &with_tools(&sandbox, FIRST));
    record(&sandbox, "project", "11112222", &with_tools(&sandbox, "11112222"));
    let all: String =
        ["../empty.jsonl", "../titles.jsonl", "../folder.jsonl", "../none.jsonl", "9999", "1111"]
            .map(|file| sandbox.run(["transcript", "resume", file]))
            .concat();
    assert_snapshot!(all, @"
    ------- stderr -------
    note: no message to resume with
    [exit status: 1]
    ------- stderr -------
    note: no message to resume with
    [exit status: 1]
    ------- stderr -------
    error: the transcript cannot be opened
      where: ../folder.jsonl
      why: it is a folder, not a file
      try: `memdir transcript list` names the sessions of this project; `-` reads what is piped in
    [exit status: 4]
    ------- stderr -------
    error: the transcript cannot be opened
      where: ../none.jsonl
      why: No such file or directory (os error 2)
      try: `memdir transcript list` names the sessions of this project; `-` reads what is piped in
    [exit status: 4]
    ------- stderr -------
    error: not found: this project has no session `9999`
      try: `memdir transcript list` names them all; a file is named by its path
    [exit status: 1]
    ------- stderr -------
    error: several sessions begin with `1111`
      why: 11111111-0000-4000-8000-000000000001 and 11112222 do
      try: type more of the id
    [exit status: 2]
    ");
}

#[cfg(unix)]
#[test]
fn a_pipe_that_is_named_like_a_session_is_not_waited_for() {
    let sandbox = Sandbox::new();
    let made =
        std::process::Command::new("mkfifo").arg(sandbox.path("pipe.jsonl")).status().unwrap();
    assert!(made.success());
    assert_snapshot!(sandbox.run(["transcript", "resume", "../pipe.jsonl"]), @"
    ------- stderr -------
    error: the transcript cannot be opened
      where: ../pipe.jsonl
      why: it is a pipe or a device, not a file
      try: `memdir transcript list` names the sessions of this project; `-` reads what is piped in
    [exit status: 4]
    ");
}
