//! transcript list, and what it shares with transcript resume: how little is read, and that nothing steers the terminal.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, names};
use crate::sessions::{FIRST, Record, SECOND, fields, place, read, record, with_tools};

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
          "repaired_copy": null,
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

    let listed = read(&sandbox, &["transcript", "list", "--json"]);
    assert_eq!(
        fields(&listed["sessions"], &["title", "last_prompt"]),
        [[&json!("Fix the importer"), &json!("Go on")]]
    );
    assert!(listed["bytes_read"].as_u64().unwrap() <= 128 * 1024, "{listed}");
    let resumed = read(&sandbox, &["transcript", "resume", FIRST, "--json"]);
    assert_eq!(resumed["messages"][0]["content"][0]["text"], "In short.");
    assert!(resumed["bytes_read"].as_u64().unwrap() <= 1 << 20, "{resumed}");
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
