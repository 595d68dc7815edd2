//! log and undo.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

fn save<'a>(name: &'a str, body: &'a str) -> [&'a str; 11] {
    [
        "save",
        "--type",
        "user",
        "--name",
        name,
        "--description",
        "d",
        "--body",
        body,
        "--reason",
        "asked to",
    ]
}

fn done(ran: &str) {
    assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
}

#[test]
fn the_log_tells_who_when_what_and_why() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(save("b", "two")));
    done(&sandbox.run(["edit", "a", "--body", "three"]));
    done(&sandbox.run(["forget", "b"]));
    assert_snapshot!(sandbox.run(["log"]), @"");
    assert_snapshot!(sandbox.run(["log", "a", "--diff"]), @"");
    assert_snapshot!(sandbox.run(["log", "--limit", "1", "--json"]), @"");
    assert_eq!(sandbox.run(["log", "user_b.md"]).matches("forget").count(), 1);
}

#[test]
fn undo_takes_back_the_last_operations_one_after_another_and_can_be_undone() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    let (index, file) = (sandbox.read("memory/MEMORY.md"), sandbox.read("memory/user_a.md"));
    done(&sandbox.run(["edit", "a", "--description", "changed", "--body", "two"]));
    done(&sandbox.run(["forget", "a"]));
    assert_snapshot!(sandbox.run(["undo", "--dry-run"]), @"");
    assert_snapshot!(sandbox.run(["undo"]), @"");
    assert_snapshot!(sandbox.run(["undo", "--json"]), @"");
    assert_eq!((sandbox.read("memory/MEMORY.md"), sandbox.read("memory/user_a.md")), (index, file));
    done(&sandbox.run(["undo"]));
    assert_snapshot!(sandbox.run(["list"]), @"");
    assert_snapshot!(sandbox.run(["undo"]), @"");
}

/// Threat 33: a change that somebody made outside is in the log, with its text, and can be taken back.
#[test]
fn a_change_from_outside_is_logged_and_can_be_taken_back() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    let ours = sandbox.read("memory/user_a.md");
    sandbox.write("memory/user_a.md", 0, ours.replace("one", "EVIL"));
    assert_snapshot!(sandbox.run(["check"]), @"");
    assert_snapshot!(sandbox.run(["log", "a", "--diff"]), @"");
    done(&sandbox.run(["edit", "a", "--description", "new"]));
    assert_snapshot!(sandbox.run(["log", "a"]), @"");
}

#[test]
fn what_was_changed_since_is_merged_or_a_conflict() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(["edit", "a", "--body", "two"]));
    let ours = sandbox.read("memory/user_a.md");
    sandbox.write("memory/user_a.md", 0, ours.replace("two", "three"));
    assert_snapshot!(sandbox.run(["undo"]), @"");
    assert!(sandbox.read("memory/user_a.md").ends_with("three\n"));
}

#[test]
fn an_operation_that_nobody_knows_is_a_usage_error() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(["undo"]), @"");
    done(&sandbox.run(save("a", "one")));
    assert_snapshot!(sandbox.run(["undo", "19990101"]), @"");
    assert_snapshot!(sandbox.run(["undo", "--run", "none"]), @"");
    assert_eq!(sandbox.run(["log", "nobody"]), "[exit status: 0]\n");
}
