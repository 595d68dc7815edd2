//! save: what it prints, and what is on the disk afterwards.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names, with};

pub(crate) const SAVE: [&str; 9] = [
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
      "action": "updated",
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

/// Shaped as a token of GitHub; made here, so that no scanner takes this file for a leak.
fn token() -> String {
    format!("gh{}_{}", 'p', "0Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Y")
}

#[test]
fn a_secret_in_what_names_a_memory_is_refused_and_not_printed() {
    let sandbox = Sandbox::new();
    let name = format!("token {}", token());
    let file = format!("{}.md", token());
    let mut named = SAVE;
    named[4] = &name;
    assert_snapshot!(sandbox.run(named), @"
    ------- stderr -------
    error: what --name gives looks like a secret (rule github-pat)
      why: it would be printed wherever the memory is listed
      try: name what it is for, not what it is
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(with(&SAVE, &["--file", &file])), @"
    ------- stderr -------
    error: what --file gives looks like a secret (rule github-pat)
      why: it would be printed wherever the memory is listed
      try: name what it is for, not what it is
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(with(&SAVE, &["--title", &name])), @"
    ------- stderr -------
    error: what --title gives looks like a secret (rule github-pat)
      why: it would be printed wherever the memory is listed
      try: name what it is for, not what it is
    [exit status: 3]
    ");
    assert!(!sandbox.memory().exists());
}

#[test]
fn a_secret_in_the_reason_is_told() {
    let sandbox = Sandbox::new();
    let reason = format!("because {}", token());
    assert_snapshot!(sandbox.run(with(&SAVE, &["--reason", &reason])), @"
    created feedback_real-database-in-tests.md, 196 bytes, sha256 eb6455923c85132c6c3a4a84604e569ea45fd25065ea9c0d68da2ee3ab183897
    ------- stderr -------
    warning: the reason, which `memdir log` prints, looks like a secret (rule github-pat)
    [exit status: 0]
    ");
}

#[test]
fn of_many_suspicious_places_a_few_are_told() {
    let sandbox = Sandbox::new();
    let body = format!("{}\n", token()).repeat(300);
    let mut many = SAVE;
    many[8] = &body;
    assert_snapshot!(sandbox.run(many), @"
    created feedback_real-database-in-tests.md, 13066 bytes, sha256 438083251b143e38925236dc56821354be4b5541e0887430b396828d01c8efbf
    ------- stderr -------
    warning: line 10: looks like a secret (rule github-pat)
    warning: line 11: looks like a secret (rule github-pat)
    warning: line 12: looks like a secret (rule github-pat)
    warning: line 13: looks like a secret (rule github-pat)
    warning: line 14: looks like a secret (rule github-pat)
    warning: and 295 more; `memdir scan-text FILE` lists all
    [exit status: 0]
    ");
    let output = sandbox.run(with(&many, &["--json"]));
    assert_eq!(output.matches("looks like a secret").count(), 100);
    assert!(output.contains("\"and 200 more; `memdir scan-text FILE` lists all\""), "{output}");
}
