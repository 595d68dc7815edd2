//! undo: what comes back, what is left, and what is said of it.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, done, ops, save};

#[test]
fn undo_takes_back_the_last_operations_one_after_another_and_can_be_undone() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    let (index, file) = (sandbox.read("memory/MEMORY.md"), sandbox.read("memory/user_a.md"));
    done(&sandbox.run(["edit", "a", "--description", "changed", "--body", "two"]));
    done(&sandbox.run(["forget", "a"]));
    assert_snapshot!(sandbox.run(["undo", "--dry-run"]), @"
    would undo $OP1
      updated MEMORY.md
      created user_a.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["undo"]), @"
    undid $OP1
      updated MEMORY.md
      created user_a.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["undo", "--json"]), @r#"
    {
      "conflicts": [],
      "dry_run": false,
      "files": [
        {
          "action": "updated",
          "path": "MEMORY.md"
        },
        {
          "action": "updated",
          "path": "user_a.md"
        }
      ],
      "incomplete": [],
      "op": "$OP1",
      "undone": [
        "$OP2"
      ],
      "undone_before": []
    }
    [exit status: 0]
    "#);
    assert_eq!((sandbox.read("memory/MEMORY.md"), sandbox.read("memory/user_a.md")), (index, file));
    done(&sandbox.run(["undo"]));
    assert_snapshot!(sandbox.run(["list"]), @"[exit status: 0]");
    assert_snapshot!(sandbox.run(["undo"]), @"
    ------- stderr -------
    error: there is nothing to undo
      where: $TEST_ENV/memory
      try: `memdir log` lists the operations
    [exit status: 1]
    ");
}

#[test]
fn what_was_changed_since_is_merged_or_a_conflict() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(["edit", "a", "--body", "two"]));
    let ours = sandbox.read("memory/user_a.md");
    sandbox.write("memory/user_a.md", 0, ours.replace("two", "three"));
    assert_snapshot!(sandbox.run(["undo"]), @"
    ------- stderr -------
    warning: `user_a.md` was left as it is: it was changed since
      try: memdir log user_a.md --diff
      try: memdir undo $OP1, which is the operation before it
    [exit status: 3]
    ");
    assert!(sandbox.read("memory/user_a.md").ends_with("three\n"));
}

#[test]
fn a_change_is_taken_out_of_what_came_later() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(["edit", "a", "--description", "wrong"]));
    let ours = sandbox.read("memory/user_a.md");
    sandbox.write("memory/user_a.md", 0, ours.replace("one", "one, and two from outside"));
    assert_snapshot!(sandbox.run(["undo"]), @"
    undid $OP1
      updated MEMORY.md
      updated user_a.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.read("memory/user_a.md"), @r#"
    ---
    name: a
    description: d
    metadata:
      type: user
      origin: user
      modified: "2026-11-30T09:00:00Z"
    ---

    one, and two from outside
    "#);
}

#[test]
fn an_edit_is_taken_out_of_later_ones_of_other_days() {
    let day =
        |sandbox: Sandbox, day: u8| sandbox.env("MEMDIR_NOW", format!("2026-06-0{day}T00:00:00Z"));
    let body = |second: &str, last: &str| format!("1\n{second}\n3\n4\n5\n{last}\n");
    let sandbox = day(Sandbox::new(), 1);
    done(&sandbox.run(save("a", &body("2", "6"))));
    let sandbox = day(sandbox, 2);
    done(&sandbox.run(["edit", "a", "--description", "new", "--body", &body("two", "6")]));
    let edit = ops(&sandbox).remove(0);
    let sandbox = day(sandbox, 3);
    done(&sandbox.run(["edit", "a", "--body", &body("two", "six")]));
    assert_snapshot!(sandbox.run(["undo", &edit]), @"
    undid $OP1
      updated MEMORY.md
      updated user_a.md
    [exit status: 0]
    ");
    assert!(sandbox.read("memory/user_a.md").ends_with(&body("2", "six")));
    assert_eq!(sandbox.read("memory/MEMORY.md"), "- [a](user_a.md) — d\n");
}

#[test]
fn a_memory_and_its_index_line_are_left_together_and_can_be_tried_again() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    let saved = ops(&sandbox).remove(0);
    done(&sandbox.run(save("b", "two")));
    let old = sandbox.read("memory/user_a.md");
    done(&sandbox.run(["edit", "a", "--body", "new"]));
    let expect = "------- stderr -------
warning: `user_a.md` and its index line were left as they are: it was changed since
  try: memdir log user_a.md --diff
[exit status: 3]
";
    assert_eq!(sandbox.run(["undo", &saved]), expect);
    assert!(sandbox.read("memory/MEMORY.md").contains("user_a.md"));
    assert_eq!(sandbox.run(["check"]), "[exit status: 0]\n");
    sandbox.write("memory/user_a.md", 0, old);
    assert_snapshot!(sandbox.run(["undo", &saved]), @"
    undid $OP1
      removed user_a.md
      updated MEMORY.md
    [exit status: 0]
    ");
    assert_eq!(sandbox.read("memory/MEMORY.md"), "- [b](user_b.md) — d\n");
}

#[test]
fn what_is_undone_already_is_said_to_be_so() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(["undo"]));
    let undo = ops(&sandbox).remove(0);
    done(&sandbox.run(["undo", &undo]));
    assert_snapshot!(sandbox.run(["undo", &undo]), @"
    ------- stderr -------
    warning: operation `$OP1` is undone already
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["undo", &undo, "--dry-run"]), @"
    ------- stderr -------
    warning: operation `$OP1` is undone already
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["undo", &undo, "--json"]), @r#"
    {
      "conflicts": [],
      "dry_run": false,
      "files": [],
      "incomplete": [],
      "op": null,
      "undone": [],
      "undone_before": [
        "$OP1"
      ]
    }
    [exit status: 1]
    "#);
    assert_eq!(ops(&sandbox).len(), 3, "nothing was done");
}

/// What a dry run says, and that nothing came of it.
#[track_caller]
fn dry_run(sandbox: &Sandbox, args: &[&str]) -> String {
    let before = sandbox.read("memory/.memdir/journal/00000001.jsonl");
    let args: Vec<_> = [&["undo", "--dry-run"], args].concat();
    let said = sandbox.run(args);
    assert_eq!(sandbox.read("memory/.memdir/journal/00000001.jsonl"), before);
    said
}

#[test]
fn a_dry_run_foresees_what_would_be_left() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(["edit", "a", "--description", "e", "--body", "two"]));
    let edit = ops(&sandbox).remove(0);
    sandbox.write("memory/user_a.md", 0, "by hand\n");
    assert_snapshot!(dry_run(&sandbox, &[]), @"
    ------- stderr -------
    warning: `user_a.md` and its index line would be left as they are: it was changed since
      try: memdir log user_a.md --diff
      try: memdir undo $OP1, which is the operation before it
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["undo"]), @"
    ------- stderr -------
    warning: `user_a.md` and its index line were left as they are: it was changed since
      try: memdir log user_a.md --diff
      try: memdir undo $OP1, which is the operation before it
    [exit status: 3]
    ");
    assert_snapshot!(dry_run(&sandbox, &["--json", &edit]), @r#"
    {
      "conflicts": [
        {
          "index_line": true,
          "message": "it was changed since",
          "path": "user_a.md"
        }
      ],
      "dry_run": true,
      "files": [],
      "incomplete": [],
      "op": null,
      "undone": [],
      "undone_before": []
    }
    [exit status: 3]
    "#);
}

#[test]
fn undo_does_not_pass_over_what_was_purged_but_names_what_was_before_it() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(save("b", "two")));
    done(&sandbox.run(["edit", "b", "--body", "three"]));
    done(&sandbox.run(["forget", "b", "--purge"]));
    let saved = ops(&sandbox).remove(3);
    assert_snapshot!(sandbox.run(["undo"]), @"
    ------- stderr -------
    error: the last operation, `$OP1`, cannot be taken back
      why: what it replaced is not kept any more: it was purged, or is too old
      try: `memdir undo $OP2` takes back the operation before it
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["undo", "--last", "--dry-run"]), @"
    ------- stderr -------
    error: the last operation, `$OP1`, cannot be taken back
      why: what it replaced is not kept any more: it was purged, or is too old
      try: `memdir undo $OP2` takes back the operation before it
    [exit status: 1]
    ");
    assert!(sandbox.read("memory/user_a.md").ends_with("one\n"));
    assert_snapshot!(sandbox.run(["undo", &saved]), @"
    undid $OP1
      removed MEMORY.md
      removed user_a.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["undo"]), @"
    ------- stderr -------
    error: the last operation, `$OP1`, cannot be taken back
      why: what it replaced is not kept any more: it was purged, or is too old
      try: `memdir undo $OP2` takes back the operation before it
    [exit status: 1]
    ");
}

#[test]
fn where_nothing_is_left_to_undo_the_exit_code_is_1() {
    let sandbox = Sandbox::new();
    let nothing = "------- stderr -------
error: there is nothing to undo
  where: $TEST_ENV/memory
  try: `memdir log` lists the operations
[exit status: 1]
";
    assert_eq!(sandbox.run(["undo"]), nothing);
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(["undo"]));
    assert_eq!(sandbox.run(["undo"]), nothing);
}

#[test]
fn an_operation_that_nobody_knows_is_a_usage_error() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    assert_snapshot!(sandbox.run(["undo", "19990101"]), @"
    ------- stderr -------
    error: no operations have an id that begins with `19990101`
      try: `memdir log` lists the operations
    [exit status: 2]
    ");
    assert_snapshot!(sandbox.run(["undo", "--run", "none"]), @"
    ------- stderr -------
    error: the journal has no completed operation of run `none`
      try: `memdir log` lists the operations
    [exit status: 2]
    ");
}
