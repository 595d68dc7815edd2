//! transcript list and transcript resume.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, names};
use crate::sessions::{FIRST, Record, SECOND, place, record};

/// Two tools at once, whose results hang on different parents, and a remark in between.
fn with_tools(sandbox: &Sandbox, session: &str) -> Record {
    Record::new(session, sandbox.path("project"))
        .user("u1", "Fix the importer")
        .calls("a1", "msg_1", "Read")
        .calls("a2", "msg_1", "Grep")
        .result("r1", "a1", "text of a file")
        .result("r2", "a2", "a line")
        .entry("system", "s1", &json!({"subtype": "informational", "content": "a remark"}))
        .says("a3", "It is fixed.")
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_slice(&sandbox.output(args).stdout).unwrap()
}

/// The fields of each thing in a list.
fn fields<'a>(list: &'a Value, names: &[&str]) -> Vec<Vec<&'a Value>> {
    let pick = |thing: &'a Value| names.iter().map(|name| &thing[*name]).collect();
    list.as_array().unwrap().iter().map(pick).collect()
}

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
    let resumed = json(&sandbox, &["transcript", "resume", "1111", "--json"]);
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
    let history = &json(&sandbox, &["transcript", "resume", FIRST, "--json"])["file_history"];
    assert_eq!(history["missing"], json!(["zz@v1"]));
    assert_eq!(
        history["folder"],
        json!(sandbox.path(&format!("home/.claude/file-history/{FIRST}")))
    );
}

/// A file that claims an id like a path is led nowhere by it.
#[test]
fn an_id_that_is_a_path_names_no_folder() {
    let sandbox = Sandbox::new();
    let session = Record::new("../../secret", sandbox.path("project")).user("u1", "Hello");
    sandbox.write("s.jsonl", 0, session.text());
    let resumed = json(&sandbox, &["transcript", "resume", "../s.jsonl", "--json"]);
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

/// Two gigabytes with a hole in the middle: what is before the last compaction, and the middle for a list, is not read.
#[test]
fn of_two_gigabytes_only_what_counts_is_read() {
    const LENGTH: u64 = 2 << 30;
    let sandbox = Sandbox::new();
    let session = with_tools(&sandbox, FIRST);
    let place = record(&sandbox, "project", FIRST, &session);
    let mut file = fs::File::options().write(true).open(sandbox.path(&place)).unwrap();
    file.seek(SeekFrom::Start(LENGTH)).unwrap();
    let end = Record::new(FIRST, sandbox.path("project"))
        .compacted("c1", "In short.", &[])
        .user("u2", "Go on");
    file.write_all(format!("\n{}", end.text()).as_bytes()).unwrap();
    drop(file);

    let listed = json(&sandbox, &["transcript", "list", "--json"]);
    assert_eq!(
        fields(&listed["sessions"], &["title", "last_prompt"]),
        [[&json!("Fix the importer"), &json!("Go on")]]
    );
    assert!(listed["bytes_read"].as_u64().unwrap() <= 128 * 1024, "{listed}");
    let resumed = json(&sandbox, &["transcript", "resume", FIRST, "--json"]);
    assert_eq!(resumed["messages"][0]["content"][0]["text"], "In short.");
    assert!(resumed["bytes_read"].as_u64().unwrap() <= 1 << 20, "{resumed}");
}

/// transcript-12.
#[test]
fn lists_what_can_be_resumed_and_with_all_the_rest_with_its_reason() {
    let sandbox = Sandbox::new();
    let full = with_tools(&sandbox, FIRST);
    record(&sandbox, "project", FIRST, &full);
    let broken = format!(
        "{{\"type\":\"user\",\"uu\n{}",
        Record::new(SECOND, sandbox.path("project"))
            .user("u9", "Second thing")
            .says("a9", "ok")
            .text()
    );
    sandbox.write(&place(&sandbox, "project", SECOND), 0, broken);
    sandbox.write(
        &place(&sandbox, "project", "44444444"),
        0,
        "{\"type\":\"summary\",\"summary\":\"Old title\",\"leafUuid\":\"zz\"}\n",
    );
    let side = full.text().replace("\"isSidechain\":false", "\"isSidechain\":true");
    sandbox.write(&place(&sandbox, "project", "agent-x"), 0, &side);
    sandbox.write(&place(&sandbox, "project", "55555555"), 0, &side);
    sandbox.write(&place(&sandbox, "project", &format!("{FIRST}/subagents/agent-y")), 0, &side);
    sandbox.write(&place(&sandbox, "project", "66666666"), 0, "");
    fs::create_dir(sandbox.path(&place(&sandbox, "project", "folder"))).unwrap();
    fs::create_dir(sandbox.path(&place(&sandbox, "project", "33333333")).with_extension(""))
        .unwrap();
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run(["transcript", "list"]), @"
    11111111  today  2.2 KiB  6  1 subagent  Fix the importer
    22222222  today    626 B  2  damaged     Second thing
    ------- stderr -------
    note: 1 file of subagents name no session
    warning: not everything that is named like a session can be read
      - $TEST_ENV/home/.claude/projects/$SLUG-project/folder.jsonl: it is a folder, not a file
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["transcript", "list", "--all"]), @"
    44444444  today     57 B  0  it holds titles and no messages  Old title
    66666666  today      0 B  0  it is empty                      (no title)
    11111111  today  2.2 KiB  6  1 subagent                       Fix the importer
    55555555  today  2.2 KiB  0  it is the record of a subagent   (no title)
    22222222  today    626 B  2  damaged                          Second thing
    ------- stderr -------
    note: 1 file of subagents name no session
    warning: not everything that is named like a session can be read
      - $TEST_ENV/home/.claude/projects/$SLUG-project/folder.jsonl: it is a folder, not a file
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["transcript", "list", "--limit", "1", "--json"]), @r#"
    {
      "bytes_read": 5270,
      "sessions": [
        {
          "bytes": 2297,
          "complete": true,
          "damage": 0,
          "file": "$TEST_ENV/home/.claude/projects/$SLUG-project/11111111-0000-4000-8000-000000000001.jsonl",
          "first_prompt": "Fix the importer",
          "folder": "$TEST_ENV/project",
          "forked_from": null,
          "git_branch": "main",
          "id": "11111111-0000-4000-8000-000000000001",
          "last_active": "2026-11-29T10:06:00.000Z",
          "last_prompt": "Fix the importer",
          "messages": 6,
          "not_resumable": null,
          "same_id": [],
          "same_start": [],
          "started": "2026-11-29T10:00:00.000Z",
          "subagents": 1,
          "title": "Fix the importer",
          "version": "2.1.332"
        }
      ],
      "subagents": 1,
      "unreadable": [
        {
          "file": "$TEST_ENV/home/.claude/projects/$SLUG-project/folder.jsonl",
          "why": "it is a folder, not a file"
        }
      ]
    }
    [exit status: 0]
    "#);
    assert_eq!(names(&sandbox.path("")), before);
}

#[test]
fn lists_sessions_of_sub_folders_and_worktrees_and_none_of_other_projects() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("project/.git/worktrees/wt")).unwrap();
    fs::create_dir_all(sandbox.path("wt")).unwrap();
    sandbox.write(
        "wt/.git",
        0,
        format!("gitdir: {}\n", sandbox.path("project/.git/worktrees/wt").display()),
    );
    sandbox.write(
        "project/.git/worktrees/wt/gitdir",
        0,
        format!("{}\n", sandbox.path("wt/.git").display()),
    );
    sandbox.write("project/.git/worktrees/wt/commondir", 0, "../..\n");
    sandbox.write("project/.git/worktrees/wt/HEAD", 0, "ref: refs/heads/wt\n");
    fs::create_dir_all(sandbox.path("other/.git/objects")).unwrap();
    fs::create_dir_all(sandbox.path("other/.git/refs")).unwrap();
    sandbox.write("other/.git/HEAD", 0, "ref: refs/heads/main\n");
    for (at, folder) in
        ["project", "project/src", "wt", "project/gone", "other", "nowhere"].into_iter().enumerate()
    {
        let id = format!("{at}0000000-0000-4000-8000-000000000000");
        let session =
            Record::new(&id, sandbox.path(folder)).user(&format!("u{at}"), &format!("in {folder}"));
        record(&sandbox, folder, &id, &session);
    }
    // Two paths may have one folder name.
    let twin = Record::new("7", sandbox.path("other")).user("u7", "a stranger");
    record(&sandbox, "project", "70000000", &twin);
    let titles = |folder| {
        let listed = sandbox.output_in(folder, ["transcript", "list", "--json"], b"").stdout;
        let listed: Value = serde_json::from_slice(&listed).unwrap();
        let mut titles: Vec<_> = listed["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|session| session["title"].as_str().unwrap().to_owned())
            .collect();
        titles.sort();
        titles
    };
    let ours = ["in project", "in project/gone", "in project/src", "in wt"];
    assert_eq!(titles("project/src"), ours);
    assert_eq!(titles("wt"), ours);
    assert_eq!(titles("other"), ["in other"]);
}

#[test]
fn tells_forks_copies_and_ids_that_stand_in_several_files() {
    let sandbox = Sandbox::new();
    let first = with_tools(&sandbox, FIRST);
    record(&sandbox, "project", FIRST, &first);
    let mut fork = with_tools(&sandbox, SECOND);
    fork.lines[1]["requestSessionId"] = json!(FIRST);
    record(&sandbox, "project", SECOND, &fork.user("u2", "Another way"));
    record(&sandbox, "project", "copy", &first);
    record(&sandbox, "project", "33333333", &with_tools(&sandbox, "33333333"));
    assert_snapshot!(sandbox.run(["transcript", "list"]), @"
    22222222  today  2.5 KiB  7  fork of 11111111                         Fix the importer
    11111111  today  2.2 KiB  6  begins like 22222222, same id in 1 more  Fix the importer
    33333333  today  2.0 KiB  6  begins like 22222222                     Fix the importer
    copy      today  2.2 KiB  6  begins like 22222222, same id in 1 more  Fix the importer
    [exit status: 0]
    ");
}

#[test]
fn no_session_is_an_empty_list() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(["transcript", "list"]), @"
    ------- stderr -------
    note: no session of this project
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["transcript", "list", "--json"]), @r#"
    {
      "bytes_read": 0,
      "sessions": [],
      "subagents": 0,
      "unreadable": []
    }
    [exit status: 0]
    "#);
}

#[test]
fn titles_and_texts_cannot_steer_the_terminal() {
    let sandbox = Sandbox::new();
    let session =
        Record::new(FIRST, sandbox.path("project")).user("u1", "a\u{1b}[31mb\u{202e}c\u{9b}");
    record(&sandbox, "project", FIRST, &session);
    for args in
        [&["list"][..], &["list", "--json"], &["resume", FIRST], &["resume", FIRST, "--json"]]
    {
        let ran = sandbox.output([&["transcript"], args].concat());
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.contains('b') && !text.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{text:?}");
    }
}
