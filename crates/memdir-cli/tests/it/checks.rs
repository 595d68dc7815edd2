//! check, with and without --fix, and status.

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
    assert_snapshot!(sandbox.run(["check"]), @"");
    assert_snapshot!(sandbox.run(["check", "--json"]), @"");
    assert_eq!(names(&sandbox.path("")), before);
    assert!(!sandbox.memory().join(".memdir").exists());
}

#[test]
fn fixes_what_needs_no_judgement_and_can_take_it_back() {
    let sandbox = orphans_and_dangling();
    let before = sandbox.read("memory/MEMORY.md");
    assert_snapshot!(sandbox.run(["check", "--fix"]), @"");
    assert_snapshot!(sandbox.read("memory/MEMORY.md"), @"");
    assert_snapshot!(sandbox.run(["check"]), @"");
    assert_snapshot!(sandbox.run(["undo"]), @"");
    assert_eq!(sandbox.read("memory/MEMORY.md"), before);
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
    assert_snapshot!(sandbox.run(["check"]), @"");
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
    assert_snapshot!(sandbox.run(["check"]), @"");
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
    assert_snapshot!(sandbox.run(["status"]), @"");
    assert_snapshot!(sandbox.run(["status", "--json"]), @"");
    assert_snapshot!(Sandbox::new().run(["status"]), @"");
}
