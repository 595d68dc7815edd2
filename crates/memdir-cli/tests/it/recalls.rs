//! recall and its silence: recall-03 through the command.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

fn some() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.memorize(
        "m1.md",
        20,
        "feedback",
        "real database",
        "tests run against Postgres, not mocks",
        "Mocks hid a broken migration.",
    );
    sandbox.memorize(
        "m2.md",
        1,
        "project",
        "发布冻结",
        "三月之前不发布新版本",
        "数据库迁移也不做。",
    );
    sandbox.memorize(
        "m3.md",
        0,
        "reference",
        "dashboards",
        "Grafana folder for latency",
        "Ask before changing alerts.",
    );
    sandbox
}

#[test]
fn finds_what_helps_and_says_how_old_it_is() {
    let sandbox = some();
    assert_snapshot!(sandbox.run(["recall", "how do we test against the database?"]), @"
    [feedback] m1.md (20 days ago)
    Written 20 days ago: a note of what was true then. Code, file names and line numbers may have changed since; look before you state any of it as fact.

    tests run against Postgres, not mocks

    Mocks hid a broken migration.
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["recall", "how do we test against the database?", "--json"]), @r#"
    {
      "attachments": [
        {
          "age": "20 days ago",
          "age_days": 20,
          "content": "tests run against Postgres, not mocks\n\nMocks hid a broken migration.",
          "findings": [],
          "freshness_caveat": "Written 20 days ago: a note of what was true then. Code, file names and line numbers may have changed since; look before you state any of it as fact.",
          "is_cut": false,
          "memory_type": "feedback",
          "path": "m1.md",
          "revision": "45991012a6aa4c2da92fadea0518a1fa221d2d5ccb6cff7c13d2bf09e3c4fe04",
          "type": "relevant_memory",
          "why": "`test` in description; `database` in name; `against` in description"
        }
      ],
      "basis": "chosen by words",
      "query": "how do we test against the database?",
      "selector": "lexical"
    }
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["recall", "发布冻结到什么时候", "--explain"]), @"
    [project] m2.md (yesterday)
    why: `发布` in name and description; `布冻`, `冻结` in name

    三月之前不发布新版本

    数据库迁移也不做。
    [exit status: 0]
    ");
}

#[test]
fn says_nothing_and_exits_with_1_when_nothing_fits() {
    let sandbox = some();
    assert_snapshot!(sandbox.run(["recall", "kubernetes"]), @"
    ------- stderr -------
    note: no memory has a word of the question
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["recall", "kubernetes", "--json"]), @r#"
    {
      "attachments": [],
      "basis": "chosen by words",
      "query": "kubernetes",
      "selector": "lexical",
      "silence": "no memory has a word of the question"
    }
    [exit status: 1]
    "#);
    assert_snapshot!(Sandbox::new().run(["recall", "anything"]), @"
    ------- stderr -------
    note: there is no memory directory yet
    [exit status: 1]
    ");
}

#[test]
fn a_limit_is_kept() {
    let sandbox = some();
    for number in 0..9 {
        sandbox.memorize(
            &format!("n{number}.md"),
            number,
            "project",
            &format!("latency {number}"),
            "Grafana latency",
            "b",
        );
    }
    let count = |limit: &str| {
        sandbox
            .run(["recall", "grafana latency", "--json", "--limit", limit])
            .matches("\"path\"")
            .count()
    };
    assert_eq!([count("1"), count("3")], [1, 3]);
}

#[test]
fn switched_off_it_says_so_and_finds_nothing() {
    let sandbox = some().env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    assert_snapshot!(sandbox.run(["recall", "database"]), @"
    ------- stderr -------
    note: `auto_memory` is off (environment variable CLAUDE_CODE_DISABLE_AUTO_MEMORY)
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["recall", "database", "--json"]), @r#"
    {
      "attachments": [],
      "query": "database",
      "selector": "lexical",
      "silence": "`auto_memory` is off (environment variable CLAUDE_CODE_DISABLE_AUTO_MEMORY)"
    }
    [exit status: 0]
    "#);
    let sandbox = sandbox.env("MEMDIR_AUTO_MEMORY", "1");
    assert!(sandbox.run(["recall", "database"]).ends_with("[exit status: 0]\n"));
    sandbox.write("home/.config/memdir/config.toml", 0, "recall = false\n");
    assert_snapshot!(sandbox.run(["recall", "database"]), @"
    ------- stderr -------
    note: `recall` is off ($TEST_ENV/home/.config/memdir/config.toml)
    [exit status: 0]
    ");
}

/// recall-03: Chinese, Japanese and Korean questions find what was written without spaces.
#[test]
fn finds_words_within_text_that_has_no_spaces() {
    let sandbox = Sandbox::new();
    sandbox.copy_case("recall-03");
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/recall-03/expect.json");
    let expect: serde_json::Value = serde_json::from_slice(&std::fs::read(case).unwrap()).unwrap();
    for (query, first) in expect.as_object().unwrap() {
        let output = sandbox.output(["recall", query, "--json"]);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let path =
            found["attachments"].get(0).map_or(&serde_json::Value::Null, |first| &first["path"]);
        assert_eq!(path, first, "{query}");
        assert_eq!(output.status.code(), Some(i32::from(first.is_null())), "{query}");
    }
}

fn with_project() -> Sandbox {
    let sandbox = Sandbox::new();
    let project = sandbox.path("project");
    std::fs::create_dir_all(project.join("src")).unwrap();
    std::fs::write(project.join("src/lib.rs"), "fn main() {}").unwrap();
    sandbox.memorize(
        "old.md",
        45,
        "project",
        "tokens",
        "token refresh",
        "Refresh lives in src/auth/token.rs:120, called from src/lib.rs. Also ../../etc/passwd.",
    );
    sandbox.write(
        "memory/lib.md",
        1,
        "---\nname: lib\ndescription: what the library holds\ntype: project\npaths: [src/*.rs, \"{\"]\n---\n\nx\n",
    );
    sandbox
}

#[test]
fn what_a_memory_names_and_the_project_lacks_is_said() {
    let sandbox = with_project();
    let project = sandbox.path("project").display().to_string();
    assert_snapshot!(sandbox.run(["--project", &project, "recall", "token refresh"]), @r"
    [project] old.md (45 days ago)
    Written 45 days ago: a note of what was true then. Code, file names and line numbers may have changed since; look before you state any of it as fact.
    names `src/auth/token.rs`, which does not exist

    token refresh

    Refresh lives in src/auth/token.rs:120, called from src/lib.rs. Also ../../etc/passwd.
    [exit status: 0]
    ");
    let quiet = sandbox.run(["--project", &project, "recall", "token refresh", "--no-verify"]);
    assert!(!quiet.contains("does not exist"), "{quiet}");
    let context = sandbox.run(["--project", &project, "context", "token refresh"]);
    assert!(context.contains("names `src/auth/token.rs`, which does not exist"), "{context}");
    assert_snapshot!(sandbox.run(["--project", &project, "verify"]), @r"
    old.md:8: names `src/auth/token.rs`, which does not exist
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["--project", &project, "verify", "old", "--json"]), @r#"
    {
      "findings": [
        {
          "kind": "path",
          "line": 8,
          "message": "names `src/auth/token.rs`, which does not exist",
          "name": "src/auth/token.rs",
          "path": "old.md"
        }
      ],
      "memories": 1
    }
    [exit status: 1]
    "#);
    assert_snapshot!(sandbox.run(["--project", &project, "verify", "lib"]), @r"
    ------- stderr -------
    note: nothing that the memories name is known to be gone
    [exit status: 0]
    ");
}

#[test]
fn files_and_tools_in_play_change_what_is_found_and_every_candidate_is_explained() {
    let sandbox = with_project();
    let project = sandbox.path("project").display().to_string();
    let file = sandbox.path("project/src/lib.rs").display().to_string();
    assert_snapshot!(
        sandbox.run(["--project", &project, "recall", "token refresh of the library", "--file", &file, "--tool", "Bash", "--limit", "1", "--explain"]),
        @r"
        [project] lib.md (yesterday)
        why: `src/lib.rs` is in play, and it is for `src/*.rs`

        what the library holds

        x
        left out: old.md: enough others come before it; `token` in name, description and body; `refresh` in description and body (score 3.0, has 66 % of what is asked)
        ------- stderr -------
        warning: `lib.md`: the path pattern `{` is not used: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
        [exit status: 0]
        "
    );
    assert_snapshot!(
        sandbox.run(["--project", &project, "recall", "weather", "--file", &file, "--explain", "--json"]),
        @r#"
        {
          "attachments": [
            {
              "age": "yesterday",
              "age_days": 1,
              "content": "what the library holds\n\nx",
              "findings": [],
              "is_cut": false,
              "memory_type": "project",
              "path": "lib.md",
              "revision": "edccaa0e690f9240913449315fb9a76672ec8953c7dc98f06ce45b47fec93823",
              "type": "relevant_memory",
              "why": "`src/lib.rs` is in play, and it is for `src/*.rs`"
            }
          ],
          "basis": "chosen by words",
          "candidates": [
            {
              "path": "lib.md",
              "taken": true,
              "why": "`src/lib.rs` is in play, and it is for `src/*.rs`"
            }
          ],
          "query": "weather",
          "selector": "lexical"
        }
        ------- stderr -------
        {
          "warning": {
            "what": "`lib.md`: the path pattern `{` is not used: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"
          }
        }
        [exit status: 0]
        "#
    );
    let src = sandbox.path("project/src/auth");
    std::fs::create_dir_all(&src).unwrap();
    let relative = ["recall", "weather", "--file", ".././lib.rs"];
    let found = sandbox.run_in("project/src/auth", relative, "");
    assert!(found.starts_with("[project] lib.md"), "{found}");
}
