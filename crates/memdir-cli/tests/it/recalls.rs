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
