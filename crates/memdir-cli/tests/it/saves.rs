//! save, edit, forget: what they print, and what is on the disk afterwards.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names};

const SAVE: [&str; 9] = [
    "save",
    "--type",
    "feedback",
    "--name",
    "Real database in tests",
    "--description",
    "Tests run against Postgres, not mocks",
    "--body",
    "Mocks hid a broken migration.",
];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}

#[test]
fn a_save_prints_path_action_bytes_and_hash() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(SAVE), @"
    created feedback_real-database-in-tests.md, 196 bytes, sha256 eb6455923c85132c6c3a4a84604e569ea45fd25065ea9c0d68da2ee3ab183897
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.read("memory/feedback_real-database-in-tests.md"), @r#"
    ---
    name: Real database in tests
    description: Tests run against Postgres, not mocks
    metadata:
      type: feedback
      origin: user
      modified: "2026-11-30T09:00:00Z"
    ---

    Mocks hid a broken migration.
    "#);
    assert_snapshot!(sandbox.read("memory/MEMORY.md"), @"- [Real database in tests](feedback_real-database-in-tests.md) — Tests run against Postgres, not mocks");
    assert_snapshot!(sandbox.run(SAVE), @"
    unchanged feedback_real-database-in-tests.md, 196 bytes, sha256 eb6455923c85132c6c3a4a84604e569ea45fd25065ea9c0d68da2ee3ab183897
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(with(&SAVE, &["--hook", "Postgres in a container", "--json"])), @r#"
    {
      "action": "unchanged",
      "bytes": 196,
      "index_line": "- [Real database in tests](feedback_real-database-in-tests.md) — Postgres in a container",
      "merged": false,
      "op": "$OP1",
      "path": "feedback_real-database-in-tests.md",
      "remarks": [],
      "sha256": "eb6455923c85132c6c3a4a84604e569ea45fd25065ea9c0d68da2ee3ab183897"
    }
    [exit status: 0]
    "#);
}

#[test]
fn the_text_comes_from_stdin_and_an_empty_one_is_no_text() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--name", "Role", "--description", "Data engineer"];
    assert_snapshot!(sandbox.run_in("project", save, ""), @r#"
    ------- stderr -------
    error: the text is empty
      where: stdin
      try: pipe the text in, or give it with --body TEXT; --body "" saves a memory without a text
    [exit status: 2]
    "#);
    assert_eq!(names(&sandbox.memory()), [""; 0]);
    assert!(sandbox.run_in("project", save, "Ten years of SQL.\n").ends_with("[exit status: 0]\n"));
    assert!(sandbox.read("memory/user_role.md").ends_with("\n---\n\nTen years of SQL.\n"));
}

#[test]
fn the_same_name_and_type_is_the_same_memory_wherever_its_file_lies() {
    let sandbox = Sandbox::new();
    sandbox.memorize("old/notes.md", 3, "user", "Role", "Analyst", "Kept.");
    let save = [
        "save",
        "--type",
        "user",
        "--name",
        "role",
        "--description",
        "Data engineer",
        "--body",
        "Kept.",
    ];
    assert_snapshot!(sandbox.run(save), @"
    updated old/notes.md, 111 bytes, sha256 d2fbb4d0e8a89e6d86824f70e4fc394796df97b324508b6ad7e88bae404bb9e4
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.read("memory/old/notes.md"), @r#"
    ---
    name: Role
    description: Data engineer
    metadata:
      type: user
      modified: "2026-11-30T09:00:00Z"
    ---

    Kept.
    "#);
    assert_eq!(names(&sandbox.memory()), ["MEMORY.md", "old/notes.md"]);
}

#[test]
fn the_file_of_another_memory_is_never_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.memorize("user_role.md", 3, "user", "Something else", "d", "Precious.");
    sandbox.write("memory/user_plain.md", 3, "No frontmatter.\n");
    let before = sandbox.read("memory/user_role.md");
    let save = |name, more: &[&'static str]| {
        let args = ["save", "--type", "user", "--name", name, "--description", "d", "--body", "b"];
        sandbox.run(with(&args, more))
    };
    assert_snapshot!(save("Role", &[]), @"
    ------- stderr -------
    error: `user_role.md` is another memory, `Something else`
      why: a save never overwrites another memory
      try: save under another --name, or elsewhere with --file PATH
      try: memdir edit user_role.md … to change that memory
    [exit status: 3]
    ");
    assert_snapshot!(save("plain", &[]), @"
    ------- stderr -------
    error: `user_plain.md` is another memory, `user_plain.md`
      why: a save never overwrites another memory
      try: save under another --name, or elsewhere with --file PATH
      try: memdir edit user_plain.md … to change that memory
    [exit status: 3]
    ");
    assert!(save("Other", &["--file", "user_role.md"]).ends_with("[exit status: 3]\n"));
    assert_eq!(sandbox.read("memory/user_role.md"), before);
    assert_eq!(names(&sandbox.memory()), ["user_plain.md", "user_role.md"]);
}

#[test]
fn names_that_no_memory_can_have_are_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    let save = |file: &str| {
        sandbox.run([
            "save",
            "--type",
            "user",
            "--name",
            "n",
            "--description",
            "d",
            "--body",
            "b",
            "--file",
            file,
        ])
    };
    assert_snapshot!(save("../x.md"), @"
    ------- stderr -------
    error: no memory can have that path
      where: ../x.md
      why: path `../x.md` holds `..`, and a memory is named without it
    [exit status: 2]
    ");
    assert_snapshot!(save("MEMORY.md"), @"
    ------- stderr -------
    error: `MEMORY.md` is not a memory of this directory
      why: memories are the `.md` files besides MEMORY.md, which memdir keeps itself, and outside `logs/` and `team/`
    [exit status: 3]
    ");
    for file in [
        "/etc/x.md",
        "~/x.md",
        "a\\b.md",
        "CON.md",
        ".env",
        "x.md:y",
        "a/../b.md",
        "%2e%2e/x.md",
        "notes.txt",
        "team/x.md",
        "logs/x.md",
    ] {
        let ran = save(file);
        assert!(
            ran.ends_with("[exit status: 2]\n") || ran.ends_with("[exit status: 3]\n"),
            "{file}: {ran}"
        );
    }
    assert_eq!(names(&sandbox.memory()), [""; 0]);
}

#[test]
fn a_long_index_line_is_saved_with_a_warning() {
    let sandbox = Sandbox::new();
    let long = "word ".repeat(50);
    assert_snapshot!(sandbox.run(["save", "--type", "user", "--name", "n", "--description", &long, "--body", "b"]), @"
    created user_n.md, 357 bytes, sha256 4b59830a70531f5821560c2584e130c78ff511c3949d8e92eb45a37337fd36de
    ------- stderr -------
    warning: the index line has 268 characters; keep it under 200 with a short --hook, the detail belongs in the file
    [exit status: 0]
    ");
}

#[test]
fn an_edit_changes_its_lines_only_and_the_index_follows() {
    let sandbox = Sandbox::new();
    let file = "---\r\n# ours\r\nname: role\r\ndescription: 'old: text'\r\ntype: user\r\ncolour: blue\r\n---\r\n\r\nBody\r\n";
    sandbox.write("memory/role.md", 5, file);
    sandbox.write("memory/MEMORY.md", 5, "# Mine\n- [role](role.md) - old: text\nprose\n");
    assert_snapshot!(sandbox.run(["edit", "role", "--description", "new: text"]), @"
    updated role.md, 124 bytes, sha256 a7ebf895b62763b3a01b2658f295414e4cd2f0577f261a4648796e562ce3f51c
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.read("memory/role.md").replace('\r', "␍"), @r#"
    ---␍
    # ours␍
    name: role␍
    description: "new: text"␍
    type: user␍
    colour: blue␍
    modified: "2026-11-30T09:00:00Z"␍
    ---␍
    ␍
    Body␍
    "#);
    assert_snapshot!(sandbox.read("memory/MEMORY.md"), @"
    # Mine
    - [role](role.md) - new: text
    prose
    ");
    assert_snapshot!(sandbox.run(["edit", "role", "--set", "triggers=deploy, release", "--set", "pinned=true", "--verified"]), @"
    updated role.md, 209 bytes, sha256 1a97d04d44cebd5755d5d1f285dd5a4558dba0e05839391de2c3de8c1398116e
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.read("memory/role.md").replace('\r', "␍"), @r#"
    ---␍
    # ours␍
    name: role␍
    description: "new: text"␍
    type: user␍
    colour: blue␍
    modified: "2026-11-30T09:00:00Z"␍
    triggers: ["deploy", "release"]␍
    pinned: true␍
    lastVerified: "2026-11-30T09:00:00Z"␍
    ---␍
    ␍
    Body␍
    "#);
}

#[test]
fn an_index_line_that_a_person_wrote_stays_while_the_memory_stays() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE);
    sandbox.write(
        "memory/MEMORY.md",
        0,
        "- [DB!](feedback_real-database-in-tests.md): my own words\n",
    );
    assert!(
        sandbox
            .run(["edit", "Real database in tests", "--body", "Changed."])
            .ends_with("[exit status: 0]\n")
    );
    assert_eq!(
        sandbox.read("memory/MEMORY.md"),
        "- [DB!](feedback_real-database-in-tests.md): my own words\n"
    );
}

/// Threat 41: a change made for an old revision is a conflict, never an overwrite.
#[test]
fn an_edit_for_another_revision_is_a_conflict() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE);
    let path = "memory/feedback_real-database-in-tests.md";
    let before = sandbox.read(path);
    let stale = "0".repeat(64);
    assert_snapshot!(sandbox.run(["edit", "feedback_real", "--description", "x", "--expect", &stale]), @"
    ------- stderr -------
    error: `feedback_real-database-in-tests.md` has changed
      why: `feedback_real-database-in-tests.md` now has the revision eb6455923c85132c6c3a4a84604e569ea45fd25065ea9c0d68da2ee3ab183897
      try: look at it with `memdir show`, then make the change again on what is there
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["edit", "feedback_real", "--description", "x", "--expect", "12"]), @"
    ------- stderr -------
    error: invalid value '12' for '--expect <SHA256>': a revision has 64 hexadecimal digits

    For more information, try '--help'.
    [exit status: 2]
    ");
    assert_eq!(sandbox.read(path), before);
}

#[test]
fn an_edit_needs_something_to_change() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE);
    assert!(sandbox.run(["edit", "feedback_real"]).ends_with("[exit status: 2]\n"));
    assert_snapshot!(sandbox.run(["edit", "feedback_real", "--set", "colour=blue"]), @"
    ------- stderr -------
    error: invalid value 'colour=blue' for '--set <KEY=VALUE>': KEY is pinned, origin, triggers, paths or supersedes; name, description, type and body have options of their own

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn forgetting_names_what_it_removes_and_nothing_else() {
    let sandbox = Sandbox::new();
    for (number, name) in ["alpha", "alphabet", "beta"].into_iter().enumerate() {
        sandbox.memorize(&format!("{name}.md"), number as u64, "user", name, "SECRET", "SECRET");
    }
    sandbox.write("memory/MEMORY.md", 0, "- [a](alpha.md) - SECRET\n- [b](beta.md) - SECRET\n");
    assert_snapshot!(sandbox.run(["forget", "alp"]), @"
    ------- stderr -------
    error: `alp` fits 2 memories
      why: it fits alpha.md, alphabet.md
      try: name one of them by its path
    [exit status: 2]
    ");
    assert_snapshot!(sandbox.run(["forget", "3", "alphab", "--dry-run"]), @"
    would remove alphabet.md
    would remove beta.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "3", "alphab", "--json"]), @r#"
    {
      "dry_run": false,
      "forgotten": [
        "alphabet.md",
        "beta.md"
      ],
      "op": "$OP1",
      "purged": false
    }
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["forget", "beta"]), @"
    ------- stderr -------
    error: not found: there is no memory `beta`
      try: `memdir list` names them all
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["forget", "MEMORY.md"]), @"
    ------- stderr -------
    error: `MEMORY.md` is not a memory of this directory
      why: memories are the `.md` files besides MEMORY.md, which memdir keeps itself, and outside `logs/` and `team/`
    [exit status: 3]
    ");
    assert_eq!(sandbox.read("memory/MEMORY.md"), "- [a](alpha.md) - SECRET\n");
    assert_eq!(names(&sandbox.memory()), ["MEMORY.md", "alpha.md"]);
}

/// Fails if any file of the memory directory, memdir's own included, holds the word.
fn assert_nowhere(sandbox: &Sandbox, word: &str) {
    let mut open = vec![sandbox.memory()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                assert!(!text.contains(word), "{}: {text}", path.display());
            }
        }
    }
}

#[test]
fn a_purged_memory_is_in_no_file_any_more() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b-U-r-N"];
    let because = ["--reason", "it said b-U-r-N"];
    assert!(sandbox.run(with(&save, &because)).ends_with("[exit status: 0]\n"));
    assert!(
        sandbox.run(["edit", "n", "--description", "b-U-r-N too"]).ends_with("[exit status: 0]\n")
    );
    assert_snapshot!(sandbox.run(with(&["forget", "n", "--purge"], &because)), @"
    removed for good user_n.md: its file, 3 records of the journal, 2 reasons
    [exit status: 0]
    ");
    assert_nowhere(&sandbox, "b-U-r-N");
}

#[test]
fn what_was_forgotten_before_can_be_purged_by_its_name() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--description", "b-U-r-N", "--body", "b-U-r-N"];
    let done = |ran: String| assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
    for name in ["n", "path", "nearly n"] {
        done(sandbox.run(with(&save, &["--name", name, "--reason", "b-U-r-N"])));
    }
    done(sandbox.run(["forget", "n", "path", "--reason", "b-U-r-N"]));
    // Not the memory whose name only begins so.
    assert_snapshot!(sandbox.run(["forget", "n", "--purge", "--dry-run"]), @"
    would remove what the journal holds of user_n.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "n", "nearly n", "--purge"]), @"
    removed for good user_n.md: 2 records of the journal, 2 reasons
    removed for good user_nearly-n.md: its file, 2 records of the journal, 1 reason
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "user_path.md", "--purge", "--json"]), @r#"
    {
      "dry_run": false,
      "forgotten": [],
      "from_journal": [
        {
          "objects": 0,
          "path": "user_path.md",
          "reasons": 1,
          "records": 2,
          "torn_lines": 0
        }
      ],
      "op": null,
      "purged": true
    }
    [exit status: 0]
    "#);
    assert_nowhere(&sandbox, "b-U-r-N");
    assert_snapshot!(sandbox.run(["forget", "user_path.md", "--purge"]), @"
    nothing is kept of user_path.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "nobody", "--purge"]), @"
    ------- stderr -------
    error: not found: there is no memory `nobody`
      try: `memdir list` names them all
    [exit status: 1]
    ");
}

/// Exit 0 means that every reader sees it.
#[test]
fn what_could_not_be_read_back_is_refused_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--name", "n"];
    let long = "d".repeat(70_000);
    assert_snapshot!(sandbox.run(with(&save, &["--description", &long, "--body", "b"])), @"
    ------- stderr -------
    error: `user_n.md` could not be read back
      why: name, description and lists take more than 65536 bytes
      try: keep the description to one line; the detail belongs in the text
    [exit status: 3]
    ");
    let file = format!("{}x.md", "a/".repeat(100));
    let deep = with(&save, &["--description", "d", "--body", "b", "--file", &file]);
    let refused = sandbox.run(deep).replace(&file, "$FILE");
    assert_snapshot!(refused, @"
    ------- stderr -------
    error: `$FILE` could not be read back
      why: it lies deeper than 64 folders
      try: name fewer folders with --file PATH
    [exit status: 3]
    ");
    let args = with(&save, &["--description", "d"]);
    assert_snapshot!(sandbox.run_in("project", args, "a\0b"), @"
    ------- stderr -------
    error: `user_n.md` could not be read back
      why: it holds a NUL character, as no text does
    [exit status: 3]
    ");
    assert!(sandbox.run(["list"]).ends_with("[exit status: 0]\n"));
    assert!(sandbox.run(with(&save, &["--description", "d", "--body", "b"])).contains("created"));
    assert_snapshot!(sandbox.run(["edit", "n", "--name", ""]), @"
    ------- stderr -------
    error: the name is empty
    [exit status: 2]
    ");
}
