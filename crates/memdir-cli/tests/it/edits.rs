//! edit: what changes, and what stays.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;
use crate::saves::SAVE;

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
