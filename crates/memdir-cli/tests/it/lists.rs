//! list and show.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

fn three() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.memorize(
        "user_role.md",
        40,
        "user",
        "role",
        "Data engineer, ten years of SQL",
        "Body.",
    );
    sandbox.memorize("projekt/冻结.md", 1, "project", "发布冻结", "三月之前不发布", "正文");
    sandbox.write("memory/plain.md", 0, "No frontmatter at all.\n");
    sandbox
}

#[test]
fn lists_the_newest_first_with_everything_that_names_a_memory() {
    let sandbox = three();
    assert_snapshot!(sandbox.run(["list"]), @"
    1  -        plain     plain.md         today        23 B
    2  project  发布冻结  projekt/冻结.md  yesterday    96 B  三月之前不发布
    3  user     role      user_role.md     40 days ago  94 B  Data engineer, ten years of SQL
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["list", "--no-description", "--limit", "2"]), @"
    1  -        plain     plain.md         today      23 B
    2  project  发布冻结  projekt/冻结.md  yesterday  96 B
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["list", "--type", "user"]), @"
    3  user  role  user_role.md  40 days ago  94 B  Data engineer, ten years of SQL
    [exit status: 0]
    ");
}

#[test]
fn minimal_json_holds_nothing_from_inside_but_name_and_type() {
    let sandbox = three();
    assert_snapshot!(sandbox.run(["list", "--json", "--limit", "1", "--type", "user"]), @r#"
    {
      "memories": [
        {
          "age_days": 40,
          "bytes": 94,
          "date": "2026-10-21T09:00:00Z",
          "name": "role",
          "number": 3,
          "path": "user_role.md",
          "type": "user"
        }
      ],
      "problems": []
    }
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["list", "--json", "--full", "--limit", "1", "--type", "user"]), @r#"
    {
      "memories": [
        {
          "age_days": 40,
          "bytes": 94,
          "date": "2026-10-21T09:00:00Z",
          "date_from": "file",
          "description": "Data engineer, ten years of SQL",
          "last_verified": null,
          "name": "role",
          "notes": [],
          "number": 3,
          "origin": null,
          "path": "user_role.md",
          "paths": [],
          "pinned": false,
          "triggers": [],
          "type": "user"
        }
      ],
      "problems": []
    }
    [exit status: 0]
    "#);
}

#[test]
fn an_absent_and_an_empty_store_list_nothing() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["list"]), "[exit status: 0]\n");
    assert!(!sandbox.memory().exists());
    std::fs::create_dir(sandbox.memory()).unwrap();
    assert_eq!(sandbox.run(["list"]), "[exit status: 0]\n");
    assert_snapshot!(sandbox.run(["list", "--json"]), @r#"
    {
      "memories": [],
      "problems": []
    }
    [exit status: 0]
    "#);
}

#[test]
fn shows_by_path_name_number_and_beginning() {
    let sandbox = three();
    let whole = sandbox.run(["show", "user_role.md"]);
    assert_snapshot!(whole, @"
    ---
    name: role
    description: Data engineer, ten years of SQL
    metadata:
      type: user
    ---

    Body.
    [exit status: 0]
    ");
    for reference in ["user_role", "role", "ROLE", "3", "user_r", "ro"] {
        assert_eq!(sandbox.run(["show", reference]), whole, "{reference}");
    }
    assert!(sandbox.run(["show", "冻结.md"]).contains("正文"));
    assert!(sandbox.run(["show", "发布"]).contains("正文"));
    assert_snapshot!(sandbox.run(["show", "role", "--json"]), @r#"
    {
      "age_days": 40,
      "body": "Body.\n",
      "bytes": 94,
      "date": "2026-10-21T09:00:00Z",
      "description": "Data engineer, ten years of SQL",
      "last_verified": null,
      "name": "role",
      "notes": [],
      "origin": null,
      "path": "user_role.md",
      "pinned": false,
      "revision": "7f088c14194710b35989e49cd62cc9aa8d1e9840adc12a24f571d6343df122b8",
      "type": "user"
    }
    [exit status: 0]
    "#);
}

#[test]
fn show_dates_a_memory_as_list_does() {
    let sandbox = three();
    let dated = |ran: String| {
        let found: Vec<_> = ran
            .lines()
            .map(|line| line.trim().trim_end_matches(',').to_owned())
            .filter(|line| line.starts_with("\"date\"") || line.starts_with("\"age_days\""))
            .collect();
        assert!(!found.is_empty(), "{ran}");
        found
    };
    let listed = dated(sandbox.run(["list", "--json"]));
    let shown = ["1", "2", "3"].map(|number| dated(sandbox.run(["show", number, "--json"])));
    assert_eq!(shown.concat(), listed);
}

#[test]
fn what_is_not_there_is_not_found_with_similar_names() {
    let sandbox = three();
    assert_snapshot!(sandbox.run(["show", "usr_role"]), @"
    ------- stderr -------
    error: not found: there is no memory `usr_role`
      try: similar names: user_role.md
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["show", "nothing-like-it", "--json"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 1,
        "kind": "not_found",
        "try": [
          "`memdir list` names them all"
        ],
        "what": "not found: there is no memory `nothing-like-it`"
      }
    }
    [exit status: 1]
    "#);
    assert_snapshot!(sandbox.run(["show", "99"]), @"
    ------- stderr -------
    error: not found: there is no memory `99`
      try: `memdir list` names them all
    [exit status: 1]
    ");
    assert_snapshot!(Sandbox::new().run(["show", "x"]), @"
    ------- stderr -------
    error: not found: there is no memory `x`
      where: $TEST_ENV/memory
      try: `memdir list` names them all
    [exit status: 1]
    ");
}

#[test]
fn raw_prints_the_bytes_and_the_rest_prints_nothing_that_a_terminal_obeys() {
    let sandbox = Sandbox::new();
    let bytes = b"---\nname: n\n---\n\n\x1b[2Jred\x07\xff\r\n";
    sandbox.write("memory/n.md", 0, bytes);
    assert_eq!(sandbox.output(["show", "n", "--raw"]).stdout, bytes);
    assert_snapshot!(sandbox.run(["show", "n"]), @r"
    ---
    name: n
    ---

    \u{1b}[2Jred\u{7}�
    [exit status: 0]
    ");
}
