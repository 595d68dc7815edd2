//! check, with and without --fix, and status.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names};

/// index-04.
fn orphans_and_dangling() -> Sandbox {
    let sandbox = Sandbox::new();
    let index = "# Memory\n- [User](user_role.md) — data engineer\n- [Gone](gone.md) - removed\n\
                 - [Archive](ARCHIVE.md) - older notes\nSee also user_role.md in prose.\n";
    sandbox.write("memory/MEMORY.md", 9, index);
    sandbox.write("memory/ARCHIVE.md", 9, "- [Old](archive/old.md) - an old note\n");
    sandbox.memorize("user_role.md", 9, "user", "role", "data engineer", "x");
    sandbox.memorize("orphan.md", 8, "user", "Orphan", "nobody links it", "x");
    sandbox.memorize("sub/deep.md", 7, "user", "Deep", "d", "x");
    sandbox.memorize("archive/old.md", 6, "user", "Old", "d", "x");
    sandbox
}

#[test]
fn finds_orphans_and_dangling_lines_and_writes_nothing() {
    let sandbox = orphans_and_dangling();
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run(["check"]), @"
    warning: MEMORY.md:3: leads to `gone.md`, which does not exist *
    warning: orphan.md: no line of the index leads to it *
    warning: sub/deep.md: no line of the index leads to it *
    ------- stderr -------
    note: `memdir check --fix` mends what is marked with *
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["check", "--json"]), @r#"
    {
      "findings": [
        {
          "fixable": true,
          "kind": "dangling",
          "level": "warning",
          "line": 3,
          "message": "leads to `gone.md`, which does not exist",
          "path": "MEMORY.md",
          "target": "gone.md"
        },
        {
          "fixable": true,
          "kind": "orphan",
          "level": "warning",
          "message": "no line of the index leads to it",
          "path": "orphan.md"
        },
        {
          "fixable": true,
          "kind": "orphan",
          "level": "warning",
          "message": "no line of the index leads to it",
          "path": "sub/deep.md"
        }
      ]
    }
    [exit status: 1]
    "#);
    assert_eq!(names(&sandbox.path("")), before);
    assert!(!sandbox.memory().join(".memdir").exists());
}

#[test]
fn fixes_what_needs_no_judgement_and_can_take_it_back() {
    let sandbox = orphans_and_dangling();
    let before = sandbox.read("memory/MEMORY.md");
    assert_snapshot!(sandbox.run(["check", "--fix"]), @"
    removed from MEMORY.md: - [Gone](gone.md) - removed
    added to MEMORY.md: - [Orphan](orphan.md) - nobody links it
    added to MEMORY.md: - [Deep](sub/deep.md) - d
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.read("memory/MEMORY.md"), @"
    # Memory
    - [User](user_role.md) — data engineer
    - [Archive](ARCHIVE.md) - older notes
    See also user_role.md in prose.
    - [Orphan](orphan.md) - nobody links it
    - [Deep](sub/deep.md) - d
    ");
    assert_snapshot!(sandbox.run(["check"]), @"[exit status: 0]");
    assert_snapshot!(sandbox.run(["undo"]), @"
    undid $OP1
      updated MEMORY.md
    [exit status: 0]
    ");
    assert_eq!(sandbox.read("memory/MEMORY.md"), before);
}

/// An index that is a link is not written through; what else there is to mend is mended, and the rest listed.
#[cfg(unix)]
#[test]
fn mends_what_it_can_where_the_index_is_a_link() {
    let sandbox = Sandbox::new();
    sandbox.memorize("a.md", 9, "user", "a", "d", "x");
    sandbox.write("memory/idx2.md", 9, "- [Gone](gone.md) - removed\n");
    sandbox.write("memory/.memdir-0123456789abcdef0123456789abcdef.tmp", 9, "left over");
    std::os::unix::fs::symlink("idx2.md", sandbox.memory().join("MEMORY.md")).unwrap();
    assert_snapshot!(sandbox.run(["check", "--fix"]), @"
    removed temporary files: 1
    warning: MEMORY.md: is a link, and links are not written through; replace it by the file that it leads to
    warning: MEMORY.md:1: leads to `gone.md`, which does not exist
    warning: a.md: no line of the index leads to it
    [exit status: 1]
    ");
    assert_eq!(sandbox.read("memory/idx2.md"), "- [Gone](gone.md) - removed\n");
}

#[cfg(unix)]
#[test]
fn an_index_that_is_a_link_is_told_once_and_no_memory_of_its_own() {
    for (target, says) in [
        (
            "idx2.md",
            "warning: MEMORY.md: is a link, and links are not written through; replace it by the file that it leads to",
        ),
        (
            "index.txt",
            "warning: MEMORY.md: is a link, and links are not written through; replace it by the file that it leads to",
        ),
        (
            "/etc/passwd",
            "error: MEMORY.md: `MEMORY.md` is not read: a link that leads out of the memory directory",
        ),
        ("nothing", "error: MEMORY.md: `MEMORY.md` is not read: a link to nothing"),
        ("sub", "error: MEMORY.md: `sub` is a folder, not a file"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.memorize("a.md", 9, "user", "a", "alpha", "x");
        std::fs::create_dir(sandbox.path("memory/sub")).unwrap();
        if !target.starts_with('/') && target.contains('.') {
            sandbox.write(&format!("memory/{target}"), 9, "- [a](a.md) — alpha\n");
        }
        std::os::unix::fs::symlink(target, sandbox.memory().join("MEMORY.md")).unwrap();
        assert_eq!(sandbox.run(["check"]), format!("{says}\n[exit status: 1]\n"), "{target}");
        assert_eq!(sandbox.run(["list", "--json"]).matches("\"number\"").count(), 1, "{target}");
        assert_eq!(sandbox.run(["recall", "alpha"]).matches("alpha").count(), 1, "{target}");
    }
}

#[test]
fn lists_what_is_left_where_mending_fails() {
    let sandbox = Sandbox::new();
    sandbox.memorize("a.md", 9, "user", "a", "d", "x");
    sandbox.write("memory/.memdir/journal", 9, "");
    assert_snapshot!(sandbox.run(["check", "--fix"]), @"
    error: .memdir/journal: `.memdir/journal` is not a directory; move it away: no memory is in it, but `log` and `undo` forget what is
    warning: a.md: no line of the index leads to it *
    ------- stderr -------
    error: `.memdir/journal` is not a directory
      try: `memdir check` says what is to be done about it
    [exit status: 3]
    ");
}

#[test]
fn names_everything_else_that_is_wrong_in_one_line_each() {
    let sandbox = Sandbox::new();
    let long = format!("- [A](a.md) — {}\n", "long ".repeat(50));
    sandbox.write(
        "memory/MEMORY.md",
        3,
        format!("{long}- [again](a.md) - twice\n- [out](../out.md) - out\n"),
    );
    sandbox.write("memory/a.md", 3, "---\nname: a\nname: b\ntype: wish\nmodified: soon\n---\nx\n");
    sandbox.write("memory/b\\c.md", 3, "x\n");
    sandbox.write("memory/team/x.md", 3, "x\n");
    assert_snapshot!(sandbox.run(["check"]), @r"
    warning: MEMORY.md: lines 1, 2 all lead to `a.md`
    warning: MEMORY.md:1: has 264 characters; under 200 the whole index stays readable, the detail belongs in the file
    warning: MEMORY.md:3: leads to a name that no memory can have: path `../out.md` holds `..`, and a memory is named without it
    warning: a.md:3: `name` stands twice; the last one counts
    warning: a.md:4: type `wish` is none of the four
    warning: a.md:5: `modified` is no date: `soon`
    warning: b\c.md: path `b\c.md` holds a backslash (U+005C)
    [exit status: 1]
    ");
}

#[test]
fn remarks_fail_only_when_strict() {
    let sandbox = Sandbox::new();
    sandbox.write("memory/MEMORY.md", 3, "- [a](a.md) - d\n");
    sandbox.write(
        "memory/a.md",
        3,
        "---\nname: a\ndescription: yes: quotes would help\ntype: user\n---\nx\n",
    );
    assert_snapshot!(sandbox.run(["check"]), @"
    remark: a.md:3: `description` should be quoted; YAML readers refuse or change it
    [exit status: 0]
    ");
    assert!(sandbox.run(["check", "--strict"]).ends_with("[exit status: 1]\n"));
}

#[test]
fn an_absent_store_has_nothing_wrong() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["check"]), "[exit status: 0]\n");
    assert_eq!(sandbox.run(["check", "--fix"]), "[exit status: 0]\n");
    assert!(!sandbox.memory().exists());
}

#[test]
fn status_tells_directory_counts_fill_and_what_happened_last() {
    let sandbox = orphans_and_dangling();
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "Freeze",
        "--description",
        "d",
        "--body",
        "b",
        "--reason",
        "asked to",
    ];
    assert!(sandbox.run(save).ends_with("[exit status: 0]\n"));
    assert_snapshot!(sandbox.run(["status"]), @"
    directory  $TEST_ENV/memory (`MEMDIR_MEMORY_DIR`)
    project    $TEST_ENV/project
    memories   6 (1 without a type, 1 project, 4 user)
    index      6 of 200 lines, 181 of 25000 bytes
    journal    906 B
    last       2026-11-30T09:00:00Z save project_freeze.md, MEMORY.md by user: asked to ($OP1)
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["status", "--json"]), @r#"
    {
      "auto_memory": true,
      "by_type": {
        "none": 1,
        "project": 1,
        "user": 4
      },
      "directory": "$TEST_ENV/memory",
      "exists": true,
      "index": {
        "bytes": 181,
        "is_cut": false,
        "is_cut_by_client": false,
        "lines": 6,
        "max_bytes": 25000,
        "max_lines": 200
      },
      "journal_bytes": 906,
      "last_operations": [
        {
          "actor": "user",
          "at": "2026-11-30T09:00:00Z",
          "kind": "save",
          "op": "$OP1",
          "paths": [
            "project_freeze.md",
            "MEMORY.md"
          ],
          "reason": "asked to"
        }
      ],
      "layout": "claude-code",
      "leftover_files": 0,
      "memories": 6,
      "pinned": 0,
      "problems": 0,
      "project": "$TEST_ENV/project",
      "recall": true,
      "source": "environment:MEMDIR_MEMORY_DIR",
      "unfinished": null,
      "writer": null
    }
    [exit status: 0]
    "#);
    assert_snapshot!(Sandbox::new().run(["status"]), @"
    directory  $TEST_ENV/memory (`MEMDIR_MEMORY_DIR`)
    project    $TEST_ENV/project
    memories   none yet: the directory is created by the first save
    [exit status: 0]
    ");
}

#[test]
fn a_trail_that_is_no_file_is_found_with_what_is_to_be_done() {
    for name in ["events.jsonl", "events.old.jsonl"] {
        let sandbox = Sandbox::new();
        let path = format!("memory/.memdir/{name}");
        fs::create_dir_all(sandbox.path(&path)).unwrap();
        let told = sandbox.run(["check"]);
        let expect = format!(
            "error: .memdir/{name}: `.memdir/{name}` is a folder, not a file; move it away, it is made anew and nothing is lost\n[exit status: 1]\n"
        );
        assert_eq!(told, expect);
        fs::remove_dir(sandbox.path(&path)).unwrap();
        assert_eq!(sandbox.run(["check"]), "[exit status: 0]\n");
    }
}
