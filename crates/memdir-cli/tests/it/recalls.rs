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
    assert_snapshot!(sandbox.run(["recall", "how do we test against the database?"]), @"");
    assert_snapshot!(sandbox.run(["recall", "how do we test against the database?", "--json"]), @"");
    assert_snapshot!(sandbox.run(["recall", "现在可以发布吗", "--explain"]), @"");
}

#[test]
fn says_nothing_and_exits_with_1_when_nothing_fits() {
    let sandbox = some();
    assert_snapshot!(sandbox.run(["recall", "kubernetes"]), @"");
    assert_snapshot!(sandbox.run(["recall", "kubernetes", "--json"]), @"");
    assert_snapshot!(Sandbox::new().run(["recall", "anything"]), @"");
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
    assert_snapshot!(sandbox.run(["recall", "database"]), @"");
    assert_snapshot!(sandbox.run(["recall", "database", "--json"]), @"");
    let sandbox = sandbox.env("MEMDIR_AUTO_MEMORY", "1");
    assert!(sandbox.run(["recall", "database"]).ends_with("[exit status: 0]\n"));
    sandbox.write("home/.config/memdir/config.toml", 0, "recall = false\n");
    assert_snapshot!(sandbox.run(["recall", "database"]), @"");
}
