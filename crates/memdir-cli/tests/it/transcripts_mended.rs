//! transcript verify and repair.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, done, names};
use crate::sessions::{FIRST, Record, case, fields, read, record};

/// Everything at once: NUL bytes, glued objects, a lone surrogate, a wrong type, a double and a missing parent, a cycle.
fn damaged() -> Vec<u8> {
    let line = |uuid: &str, parent: &str, more: &str| {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"message":{{"role":"user","content":"{uuid}"}}{more}}}"#
        )
    };
    let mut bytes = Vec::new();
    for part in [
        &line("m1", "null", "") as &str,
        "\n\0\0\0\0",
        &line("m2", "\"m1\"", ""),
        &line("m3", "\"m2\"", r#","x":"\ud83d""#),
        "\n\nnot json\n",
        &line("m7", "\"ghost\"", r#","timestamp":5"#),
        "\n",
        &line("m5", "\"m6\"", ""),
        "\n",
        &line("m6", "\"m5\"", ""),
        "\n",
        &line("m3", "\"m2\"", ""),
        "\n{\"type\":\"user\",\"uu",
    ] {
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

#[test]
fn verify_lists_each_fault_with_its_offset_and_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run(["transcript", "verify", "../s.jsonl"]), @"
    byte 87: 4 NUL bytes, passed over
    byte 177 (m3): a further object on the same line
    byte 177 (m3): half a surrogate pair; shown as `�`
    byte 278: 8 bytes that are no JSON object
    byte 287 (m7): `timestamp` has an unexpected shape
    byte 287 (m7): the parent `ghost` is missing; `m2` stands in its place
    byte 391 (m5): an ancestor of its parent `m6`; `m7` stands in its place
    byte 565 (m3): the uuid stands twice; the later entry counts
    byte 652: the file ends within a line; 18 bytes lost
    [exit status: 1]
    ");
    let ran = sandbox.output(["transcript", "verify", "../s.jsonl", "--json"]);
    let found: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(
        (ran.status.code(), found["findings"][0]["offset"].as_u64()),
        (Some(1), Some(87)),
        "{found}"
    );
    assert_eq!(names(&sandbox.path("")), before);
    assert_eq!(fs::read(sandbox.path("s.jsonl")).unwrap(), damaged());
}

#[test]
fn verify_finds_nothing_in_a_session_as_the_client_writes_it() {
    let sandbox = Sandbox::new();
    let session = Record::new(FIRST, sandbox.path("project")).user("u1", "Hello").says("a1", "Hi");
    record(&sandbox, "project", FIRST, &session.compacted("c1", "Hello was said.", &["a1"]));
    assert_snapshot!(sandbox.run(["transcript", "verify", FIRST]), @"
    ------- stderr -------
    note: nothing is wrong with it
    [exit status: 0]
    ");
}

#[test]
fn verify_tells_what_holds_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.jsonl", 0, "");
    sandbox.write(
        "titles.jsonl",
        0,
        "{\"type\":\"summary\",\"summary\":\"Old title\",\"leafUuid\":\"zz\"}\n",
    );
    let all = ["../empty.jsonl", "../titles.jsonl"]
        .map(|file| sandbox.run(["transcript", "verify", file]));
    assert_snapshot!(all.concat(), @"
    byte 0: the file is empty
    [exit status: 1]
    byte 0: no message in the file
    [exit status: 1]
    ");
}

#[test]
fn repair_refuses_what_holds_no_entry_and_leaves_it_as_it_is() {
    let utf16: Vec<u8> =
        "{\"type\":\"user\"}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files = [b"# Hello\n\nprecious\n".to_vec(), b"{\n  \"a\": 1\n}\n".to_vec(), utf16];
    for bytes in files {
        let sandbox = Sandbox::new();
        sandbox.write("s.jsonl", 0, &bytes);
        let before = names(&sandbox.path(""));
        for how in [&["--in-place"] as &[&str], &["--in-place", "--json"], &[], &["--output", "-"]]
        {
            let args = [&["transcript", "repair", "../s.jsonl"], how].concat();
            let ran = sandbox.output(&args);
            let said = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
            assert_eq!(ran.status.code(), Some(3), "{args:?}: {said}");
            assert!(said.contains("nothing in it can be read as an entry"), "{args:?}: {said}");
        }
        assert_eq!(fs::read(sandbox.path("s.jsonl")).unwrap(), bytes);
        assert_eq!(names(&sandbox.path("")), before);
    }
}

/// The change is made when its report cannot be written, so stderr tells of it.
#[cfg(target_os = "linux")]
#[test]
fn a_repair_in_place_is_told_where_stdout_takes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let args = ["transcript", "repair", "../s.jsonl", "--in-place"];
    let ran = sandbox.output_to("project", args, b"", full.into());
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.contains("the file was repaired"), "{said}");
    assert!(said.contains("s.jsonl.before-repair"), "{said}");
    assert!(said.contains("stdout cannot be written"), "{said}");
    assert_eq!(fs::read(sandbox.path("s.jsonl.before-repair")).unwrap(), damaged());
}

#[test]
fn a_line_of_twelve_megabytes_is_read_and_told() {
    let sandbox = Sandbox::new();
    let session = Record::new(FIRST, sandbox.path("project"))
        .user("u1", &"x".repeat(12 << 20))
        .says("a1", "Hi");
    record(&sandbox, "project", FIRST, &session);
    assert_snapshot!(sandbox.run(["transcript", "verify", FIRST]), @"
    byte 0: a line of 12583177 bytes
    [exit status: 1]
    ");
    let shown = sandbox.run(["transcript", "show", FIRST]);
    assert!(shown.len() < 20_000 && shown.contains("Hi"), "{} bytes", shown.len());
}

#[test]
fn repair_writes_a_copy_beside_the_file_and_says_each_change() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    assert_snapshot!(sandbox.run(["transcript", "repair", "../s.jsonl"]), @"
    byte 87: 4 NUL bytes, passed over: left out
    byte 177: a further object on the same line: put on a line of its own
    byte 177: half a surrogate pair; shown as `�`: replaced by U+FFFD
    byte 278: 8 bytes that are no JSON object: left out: it cannot be read
    byte 652: the file ends within a line; 18 bytes lost: left out: it cannot be read
    blank lines left out: 1
    wrote ../s.repaired.jsonl (7 objects)
    ------- stderr -------
    note: byte 287: `timestamp` has an unexpected shape: stays as it is
    [exit status: 0]
    ");
    assert_eq!(fs::read(sandbox.path("s.jsonl")).unwrap(), damaged());
    let copy = sandbox.read("s.repaired.jsonl");
    let uuids = |text: &str| text.matches("\"uuid\":\"m").count();
    assert_eq!(uuids(&copy), 7);
    assert!(
        copy.lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok_and(|line| line.is_object())),
        "{copy}"
    );
    assert_snapshot!(sandbox.run(["transcript", "repair", "../s.jsonl"]), @"
    ------- stderr -------
    error: there is a file of that name already, and it stays
      where: ../s.repaired.jsonl
      try: name another with --output FILE, or add --force
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["transcript", "repair", "../s.repaired.jsonl"]), @"
    ------- stderr -------
    note: byte 274: `timestamp` has an unexpected shape: stays as it is
    note: there is nothing to repair, so nothing was written
    [exit status: 0]
    ");
}

#[test]
fn repair_in_place_keeps_the_file_as_it_was_once() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    let args = ["transcript", "repair", "../s.jsonl", "--in-place", "--json"];
    assert_snapshot!(sandbox.run(args).lines().filter(|line| line.contains("s.jsonl")).collect::<Vec<_>>().join("\n"), @r#"
    "backup": "$TEST_ENV/s.jsonl.before-repair",
    "file": "../s.jsonl",
    "output": "$TEST_ENV/s.jsonl",
    "#);
    assert_eq!(fs::read(sandbox.path("s.jsonl.before-repair")).unwrap(), damaged());
    let mended = fs::read(sandbox.path("s.jsonl")).unwrap();
    assert!(mended.len() < damaged().len());
    sandbox.write("s.jsonl", 0, damaged());
    assert!(sandbox.run(args).ends_with("[exit status: 3]\n"));
    assert_eq!(fs::read(sandbox.path("s.jsonl")).unwrap(), damaged());
    assert_eq!(names(&sandbox.path("")).iter().filter(|name| name.contains(".tmp")).count(), 0);
}

#[test]
fn what_a_killed_repair_left_goes_with_the_next() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    // No process has the first number, and another's has the second.
    sandbox.write("s.jsonl.2147483646.tmp", 0, "half a copy");
    sandbox.write("s.jsonl.1.tmp", 0, "being written");
    sandbox.write("t.jsonl.2147483646.tmp", 0, "of another file");
    done(&sandbox.run(["transcript", "repair", "../s.jsonl", "--in-place"]));
    let left: Vec<_> =
        names(&sandbox.path("")).into_iter().filter(|name| name.contains(".tmp")).collect();
    assert_eq!(left, ["s.jsonl.1.tmp", "t.jsonl.2147483646.tmp"]);
}

#[test]
fn a_copy_to_stdout_is_the_copy_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    let before = names(&sandbox.path(""));
    let ran = sandbox.output(["transcript", "repair", "../s.jsonl", "--output", "-"]);
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.contains("note: byte 278: 8 bytes that are no JSON object: left out"), "{said}");
    assert_eq!(names(&sandbox.path("")), before);
    done(&sandbox.run(["transcript", "repair", "../s.jsonl"]));
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), sandbox.read("s.repaired.jsonl"));
    assert_snapshot!(sandbox.run(["transcript", "repair", "../s.jsonl", "--output", "-", "--json"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 2,
        "kind": "usage",
        "try": [
          "name a file with --output FILE"
        ],
        "what": "stdout takes the copy or the JSON, not both"
      }
    }
    [exit status: 2]
    "#);
}

#[test]
fn what_is_piped_in_is_mended_into_a_named_file_only() {
    let sandbox = Sandbox::new();
    let file = String::from_utf8(case("transcript-04", "session.jsonl")).unwrap();
    assert_snapshot!(sandbox.run_in("project", ["transcript", "repair", "-"], &file), @"
    ------- stderr -------
    error: what is piped in has no place for a copy
      try: name one with --output FILE
    [exit status: 2]
    ");
    done(&sandbox.run_in("project", ["transcript", "repair", "-", "--output", "m.jsonl"], &file));
    assert_eq!(sandbox.read("project/m.jsonl").lines().count(), file.lines().count());
}

/// A limit on the size of files is like a full disk: an error, the file as it was, and nothing left.
#[cfg(unix)]
#[test]
fn a_repair_that_does_not_fit_leaves_nothing() {
    let sandbox = Sandbox::new();
    let session = Record::new(FIRST, sandbox.path("project")).user("u1", &"x".repeat(9_000)).text();
    sandbox.write("s.jsonl", 0, format!("{session}\0"));
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run_limited(&["transcript", "repair", "../s.jsonl"]), @"
    ------- stderr -------
    error: the copy cannot be made
      where: ../s.repaired.jsonl
      why: File too large (os error 27)
    [exit status: 4]
    ");
    assert_eq!(names(&sandbox.path("")), before);
}

#[test]
fn what_is_made_of_a_session_takes_the_place_of_no_session_and_of_nothing_but_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", 0, damaged());
    fs::create_dir(sandbox.path("folder")).unwrap();
    let check = |args: &[&str], expect: &str| {
        let args = ["transcript"].iter().chain(args);
        let ran = sandbox.output(args);
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(3), "{said}");
        assert!(said.contains(expect), "{said}");
        assert_eq!(fs::read(sandbox.path("s.jsonl")).unwrap(), damaged());
    };
    let itself = "take the place of the session";
    check(&["repair", "../s.jsonl", "--output", "../s.jsonl", "--force"], itself);
    check(&["repair", "../s.jsonl", "--output", "src/../../s.jsonl", "--force"], itself);
    let export = ["export", "../s.jsonl", "--format", "html", "--force", "--output"];
    check(&[&export[..], &["../s.jsonl"]].concat(), itself);
    check(&[&export[..], &["../folder"]].concat(), "no file that could be replaced");
}

#[test]
fn a_repaired_copy_does_not_stand_in_the_way_of_its_session() {
    let sandbox = Sandbox::new();
    let session =
        Record::new(FIRST, sandbox.path("project")).user("u1", "Fix it").says("a1", "Done");
    let place = record(&sandbox, "project", FIRST, &session);
    sandbox.write(&place, 0, format!("{}no json\n", session.text()));
    let beginning = "1111";
    done(&sandbox.run(["transcript", "repair", beginning]));
    done(&sandbox.run(["transcript", "show", beginning]));
    assert_snapshot!(sandbox.run(["transcript", "list"]), @"
    11111111  today  611 B  2  damaged, repaired copy  Fix it
    [exit status: 0]
    ");
    let listed = read(&sandbox, &["transcript", "list", "--all", "--json"]);
    let copy = sandbox.path(&place).with_extension("repaired.jsonl");
    assert_eq!(
        fields(&listed["sessions"], &["id", "repaired_copy", "same_id"]),
        [[&json!(FIRST), &json!(copy), &json!([])]]
    );
    // Without its session the copy is all that there is of it.
    fs::remove_file(sandbox.path(&place)).unwrap();
    let listed = read(&sandbox, &["transcript", "list", "--json"]);
    assert_eq!(
        fields(&listed["sessions"], &["id", "repaired_copy"]),
        [[&json!(format!("{FIRST}.repaired")), &Value::Null]]
    );
    done(&sandbox.run(["transcript", "show", beginning]));
}
