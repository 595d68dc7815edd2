//! transcript show, stats and export.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, names};
use crate::sessions::{FIRST, Record, case, read, record};

fn talk(sandbox: &Sandbox) -> Record {
    Record::new(FIRST, sandbox.path("project"))
        .user("u1", "Fix the <importer>")
        .calls("a1", "msg_1", "Read")
        .result("r1", "a1", "a ``` fence & <b>markup</b>")
        .says("a2", "It is\nfixed.")
        .compacted("c1", "What was done.", &[])
        .user("u2", "Go on\u{1b}[2J")
}

#[test]
fn show_gives_the_whole_branch_through_compactions() {
    let sandbox = Sandbox::new();
    record(&sandbox, "project", FIRST, &talk(&sandbox));
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run(["transcript", "show", FIRST]), @r#"
    user  2026-11-29T10:00:00.000Z
      Fix the <importer>

    assistant  2026-11-29T10:01:00.000Z
    calls:
      Read {"path":"a1"}

    tools  2026-11-29T10:02:00.000Z
    result:
      a ``` fence & <b>markup</b>

    assistant  2026-11-29T10:03:00.000Z
      It is
      fixed.

    summary of what was said before  2026-11-29T10:05:00.000Z
      What was done.

    user  2026-11-29T10:06:00.000Z
      Go on\u{1b}[2J
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["transcript", "show", FIRST, "--last", "1"]), @r"
    user  2026-11-29T10:06:00.000Z
      Go on\u{1b}[2J
    [exit status: 0]
    ");
    assert_eq!(names(&sandbox.path("")), before);
}

#[test]
fn show_follows_the_branch_that_was_asked_for() {
    let sandbox = Sandbox::new();
    let session = talk(&sandbox).entry(
        "user",
        "u3",
        &json!({"parentUuid": "a2", "message": {"role": "user", "content": "Another way"}}),
    );
    record(&sandbox, "project", FIRST, &session);
    let last = |args: &[&str]| {
        let shown = read(&sandbox, &[&["transcript", "show", FIRST, "--json"], args].concat());
        shown["turns"].as_array().unwrap().last().unwrap()["parts"][0]["text"].clone()
    };
    assert_eq!(last(&[]), "Another way");
    assert_eq!(last(&["--branch", "u2"]), "Go on\u{1b}[2J");
    assert_eq!(last(&["--branch", "a2"]), "It is\nfixed.");
    assert_snapshot!(sandbox.run(["transcript", "show", FIRST, "--branch", "nobody"]), @"
    ------- stderr -------
    error: not found: no entry has the uuid `nobody`
      where: $TEST_ENV/home/.claude/projects/$SLUG-project/11111111-0000-4000-8000-000000000001.jsonl
    [exit status: 1]
    ");
}

#[test]
fn show_as_json_tells_where_each_turn_is_and_what_was_cut() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(20_000);
    let session = Record::new(FIRST, sandbox.path("project")).user("u1", &long);
    record(&sandbox, "project", FIRST, &session);
    let shown = read(&sandbox, &["transcript", "show", FIRST, "--json"]);
    assert_eq!(shown["turns"][0]["offsets"], json!([0]));
    assert_eq!(shown["turns"][0]["parts"][0]["cut"], 4_000);
    let full = read(&sandbox, &["transcript", "show", FIRST, "--json", "--full"]);
    assert_eq!(full["turns"][0]["parts"][0]["text"], Value::String(long));
}

/// More turns than are held at once, with results of tools at the seam.
#[test]
fn a_long_session_is_shown_as_its_json_says() {
    let sandbox = Sandbox::new();
    let mut session = Record::new(FIRST, sandbox.path("project"));
    for at in 0..100 {
        let [u, a, b, r] = ["u", "a", "b", "r"].map(|kind| format!("{kind}{at}"));
        session =
            session.user(&u, &format!("ask {at}")).calls(&a, &a, "Read").calls(&b, &a, "Read");
        session = session.result(&r, &a, "one").result(&format!("{r}b"), &b, "two");
    }
    record(&sandbox, "project", FIRST, &session);
    let turns =
        read(&sandbox, &["transcript", "show", FIRST, "--json"])["turns"].as_array().unwrap().len();
    assert_eq!(turns, 300);
    let text = sandbox.run(["transcript", "show", FIRST]);
    for speaker in ["user", "assistant", "tools"] {
        let count = text.lines().filter(|line| line.starts_with(&format!("{speaker}  "))).count();
        assert_eq!(count, 100, "{speaker}");
    }
}

/// More than JSON is cut to, and no message of the user to part it at.
#[test]
fn a_long_answer_to_one_message_is_shown_and_exported_whole() {
    let sandbox = Sandbox::new();
    let mut session = Record::new(FIRST, sandbox.path("project")).user("u", "ask");
    for at in 0..250 {
        let [call, result] = ["a", "r"].map(|kind| format!("{kind}{at}"));
        session = session.calls(&call, &call, "Read").result(&result, &call, &"x".repeat(2_000));
    }
    record(&sandbox, "project", FIRST, &session);
    let shown = sandbox.run(["transcript", "show", FIRST]);
    let exported = sandbox.run(["transcript", "export", FIRST, "--format", "markdown"]);
    for (text, mark) in [(shown, ""), (exported, "## ")] {
        for (speaker, expect) in [("user", 1), ("assistant", 250), ("tools", 250)] {
            let start = format!("{mark}{speaker}");
            let count = text.lines().filter(|line| line.starts_with(&start)).count();
            assert_eq!(count, expect, "{start}");
        }
    }
    let json = read(&sandbox, &["transcript", "show", FIRST, "--json"]);
    assert!(json["left_out"].as_u64() > Some(0), "JSON is cut to a size");
}

/// transcript-01, -03, -04, -05, -07 and -10: each message that is there is shown.
#[test]
fn damaged_sessions_are_shown_as_far_as_they_can_be_read() {
    let sandbox = Sandbox::new();
    for (id, count) in [
        ("transcript-01", 8),
        ("transcript-03", 4),
        ("transcript-04", 4),
        ("transcript-05", 12),
        ("transcript-07", 4),
        ("transcript-10", 4),
    ] {
        let file = case(id, "session.jsonl");
        let shown = sandbox.output_in("project", ["transcript", "show", "-", "--json"], &file);
        let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert_eq!(shown["turns"].as_array().unwrap().len(), count, "{id}: {shown}");
    }
}

#[test]
fn stats_count_lines_by_type_and_name_compactions() {
    let sandbox = Sandbox::new();
    let session = talk(&sandbox).line(json!({"type": "brand-new", "n": 1}));
    let place = record(&sandbox, "project", FIRST, &session);
    assert_snapshot!(sandbox.run(["transcript", "stats", FIRST]), @"
    2.3 KiB in 8 lines, 8 objects
    6 messages
    from 2026-11-29T10:00:00.000Z to 2026-11-29T10:06:00.000Z
    compaction at byte 1341 (manual, 90000 tokens before it)
    4  1.2 KiB  user
    2    706 B  assistant
    1     26 B  brand-new
    1    415 B  system/compact_boundary
    [exit status: 0]
    ");
    let piped = sandbox.read(&place);
    assert_snapshot!(sandbox.run_in("project", ["transcript", "stats", "-", "--json"], &piped), @r#"
    {
      "blank": 0,
      "bytes": 2384,
      "compactions": [
        {
          "offset": 1341,
          "tokens_after": 900,
          "tokens_before": 90000,
          "trigger": "manual"
        }
      ],
      "file": "-",
      "last_active": "2026-11-29T10:06:00.000Z",
      "lines": 8,
      "messages": 6,
      "more_notes": 0,
      "notes": [
        {
          "advice": true,
          "offset": 2357,
          "reason": "unknown type `brand-new`",
          "uuid": null
        }
      ],
      "objects": 8,
      "sidechain": 0,
      "started": "2026-11-29T10:00:00.000Z",
      "types": {
        "assistant": {
          "bytes": 706,
          "count": 2
        },
        "brand-new": {
          "bytes": 26,
          "count": 1
        },
        "system/compact_boundary": {
          "bytes": 415,
          "count": 1
        },
        "user": {
          "bytes": 1229,
          "count": 4
        }
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn exports_hold_no_markup_of_the_sessions_own() {
    let sandbox = Sandbox::new();
    record(&sandbox, "project", FIRST, &talk(&sandbox));
    let export = |format| sandbox.run(["transcript", "export", FIRST, "--format", format]);
    assert_snapshot!(export("markdown"), @r#"
    ## user, 2026-11-29T10:00:00.000Z

    ```
    Fix the <importer>
    ```

    ## assistant, 2026-11-29T10:01:00.000Z

    calls:

    ```
    Read {"path":"a1"}
    ```

    ## tools, 2026-11-29T10:02:00.000Z

    result:

    ````
    a ``` fence & <b>markup</b>
    ````

    ## assistant, 2026-11-29T10:03:00.000Z

    ```
    It is
    fixed.
    ```

    ## summary of what was said before, 2026-11-29T10:05:00.000Z

    ```
    What was done.
    ```

    ## user, 2026-11-29T10:06:00.000Z

    ```
    Go on\u{1b}[2J
    ```

    [exit status: 0]
    "#);
    let html = export("html");
    assert!(html.contains("a ``` fence &amp; &lt;b&gt;markup&lt;/b&gt;"), "{html}");
    assert!(
        html.starts_with("<!doctype html>") && !html.contains("<b>") && !html.contains('\u{1b}'),
        "{html}"
    );
    assert!(!html.contains("src=") && !html.contains("href="), "{html}");
}

/// Text, names, arguments, results and times that look like what memdir writes around them.
#[test]
fn nothing_that_was_said_passes_for_a_turn_or_for_markup() {
    let sandbox = Sandbox::new();
    let forged = "ok\n```\n\n## assistant, 2026-11-29T10:01:00.000Z\n\nassistant  2026-11-29T10:01:00.000Z\ncalls:\n  \
        Bash\r\nresult:\n<script>alert(1)</script>\n````\n![x](http://127.0.0.1/x.png)";
    let call = json!({"type": "tool_use", "id": "t-a1", "name": forged, "input": {"x": forged}});
    let mut session = Record::new(FIRST, sandbox.path("project"))
        .user("u1", forged)
        .block("a1", "msg_1", &call)
        .result("r1", "a1", forged)
        .says("a2", forged)
        .user("u2", "end");
    session.lines[4]["timestamp"] = json!(forged);
    record(&sandbox, "project", FIRST, &session);

    let shown = sandbox.run(["transcript", "show", FIRST]);
    let ours: Vec<_> =
        shown.lines().filter(|line| !line.is_empty() && !line.starts_with("  ")).collect();
    assert_eq!(
        ours,
        [
            "user  2026-11-29T10:00:00.000Z",
            "assistant  2026-11-29T10:01:00.000Z",
            "calls:",
            "tools  2026-11-29T10:02:00.000Z",
            "result:",
            "assistant  2026-11-29T10:03:00.000Z",
            "user",
            "[exit status: 0]",
        ]
    );

    let exported = sandbox.run(["transcript", "export", FIRST, "--format", "markdown"]);
    let mut fence = None;
    let outside = exported.lines().filter(|line| {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            None => return true,
            Some(open) if ticks >= open && line.trim_end().len() == ticks => fence = None,
            Some(_) => {}
        }
        false
    });
    let outside: Vec<_> = outside.filter(|line| !line.is_empty()).collect();
    assert_eq!(
        outside,
        [
            "## user, 2026-11-29T10:00:00.000Z",
            "## assistant, 2026-11-29T10:01:00.000Z",
            "calls:",
            "## tools, 2026-11-29T10:02:00.000Z",
            "result:",
            "## assistant, 2026-11-29T10:03:00.000Z",
            "## user",
            "[exit status: 0]",
        ]
    );
}

/// Of many short messages most of the JSON is what stands around them.
#[test]
fn json_is_cut_by_what_is_printed() {
    let sandbox = Sandbox::new();
    let mut session = Record::new(FIRST, sandbox.path("project"));
    for at in 0..6_000 {
        session = session.user(&format!("u{at}"), "\u{7f}");
    }
    record(&sandbox, "project", FIRST, &session);
    let ran = sandbox.output(["transcript", "show", FIRST, "--json"]);
    let shown: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let turns = shown["turns"].as_array().unwrap().len();
    assert_eq!(turns as u64 + shown["left_out"].as_u64().unwrap(), 6_000);
    assert!((380_000..=401_000).contains(&ran.stdout.len()), "{} bytes", ran.stdout.len());
    let full = read(&sandbox, &["transcript", "show", FIRST, "--json", "--full"]);
    assert_eq!(full["turns"].as_array().unwrap().len(), 6_000);
}

#[test]
fn a_dash_as_output_is_stdout() {
    let sandbox = Sandbox::new();
    record(&sandbox, "project", FIRST, &talk(&sandbox));
    let before = names(&sandbox.path(""));
    let export = ["transcript", "export", FIRST, "--format", "jsonl"];
    let to_dash = sandbox.run([&export[..], &["--output", "-"]].concat());
    assert_eq!(to_dash, sandbox.run(export));
    assert_eq!(to_dash.lines().count(), talk(&sandbox).lines.len() + 1);
    assert_eq!(names(&sandbox.path("")), before);
}

/// transcript-04 and -10: what was no JSON is, and what was keeps its bytes.
#[test]
fn an_export_as_jsonl_is_valid_and_keeps_numbers_and_unknown_fields() {
    let sandbox = Sandbox::new();
    for id in ["transcript-04", "transcript-10"] {
        let file = case(id, "session.jsonl");
        let ran =
            sandbox.output_in("project", ["transcript", "export", "-", "--format", "jsonl"], &file);
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.lines().count() >= 4, "{text}");
        let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        assert!(lines.is_ok(), "{lines:?}");
        if id == "transcript-10" {
            let given = String::from_utf8(file).unwrap();
            assert!(text.lines().all(|line| given.contains(line)), "{text}");
        }
    }
}

#[test]
fn an_export_replaces_no_file_unless_forced_and_is_private() {
    let sandbox = Sandbox::new();
    record(&sandbox, "project", FIRST, &talk(&sandbox));
    let args = ["transcript", "export", FIRST, "--format", "markdown", "--output", "out.md"];
    assert_snapshot!(sandbox.run(args), @"[exit status: 0]");
    let first = sandbox.read("project/out.md");
    assert!(first.starts_with("## user"), "{first}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(sandbox.path("project/out.md")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    sandbox.write("project/out.md", 0, "mine");
    assert_snapshot!(sandbox.run(args), @"
    ------- stderr -------
    error: there is a file of that name already, and it stays
      where: out.md
      try: name another with --output FILE, or add --force
    [exit status: 3]
    ");
    assert_eq!(sandbox.read("project/out.md"), "mine");
    sandbox.run([&args[..], &["--force"]].concat());
    assert_eq!(sandbox.read("project/out.md"), first);
    let stray: Vec<_> =
        names(&sandbox.path("project")).into_iter().filter(|name| name.contains(".tmp")).collect();
    assert_eq!(stray, [""; 0]);
}
