//! log: who changed what, when and why.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, done, ops, save};

#[test]
fn the_log_tells_who_when_what_and_why() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    done(&sandbox.run(save("b", "two")));
    done(&sandbox.run(["edit", "a", "--body", "three"]));
    done(&sandbox.run(["forget", "b"]));
    assert_snapshot!(sandbox.run(["log"]), @"
    $OP1  2026-11-30T09:00:00Z  forget by user
      removed user_b.md
      index - - [b](user_b.md) — d
    $OP2  2026-11-30T09:00:00Z  edit by user
      updated user_a.md
    $OP3  2026-11-30T09:00:00Z  save by user
      why: asked to
      created user_b.md
      index + - [b](user_b.md) — d
    $OP4  2026-11-30T09:00:00Z  save by user
      why: asked to
      created user_a.md
      index + - [a](user_a.md) — d
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["log", "a", "--diff"]), @r#"
    $OP1  2026-11-30T09:00:00Z  edit by user
      updated user_a.md
        @@ -7,4 +7,4 @@
           modified: "2026-11-30T09:00:00Z"
         ---

        -one
        +three
    $OP2  2026-11-30T09:00:00Z  save by user
      why: asked to
      created user_a.md
        @@ -0,0 +1,10 @@
        +---
        +name: a
        +description: d
        +metadata:
        +  type: user
        +  origin: user
        +  modified: "2026-11-30T09:00:00Z"
        +---
        +
        +one
      index + - [a](user_a.md) — d
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["log", "--limit", "1", "--json"]), @r#"
    {
      "operations": [
        {
          "actor": "user",
          "at": "2026-11-30T09:00:00Z",
          "conflicts": [],
          "files": [
            {
              "action": "updated",
              "after": "4c9b1876d72536e69a280dd4748338b9a71dce8e8e0c76f042ef1a5bc201e622",
              "before": "25ee2fe79dfde38981c29fc38c56cf682547ce4486112f325a6df0c17e17553f",
              "merged": false,
              "path": "MEMORY.md"
            },
            {
              "action": "removed",
              "after": null,
              "before": "aa2c11652f2769baa8d2b46560306b7e146931645bc30813f78681e29ca546fb",
              "merged": false,
              "path": "user_b.md"
            }
          ],
          "index_lines": [
            {
              "after": null,
              "before": "- [b](user_b.md) — d",
              "path": "user_b.md"
            }
          ],
          "kind": "forget",
          "op": "$OP1",
          "reason": null,
          "run": null,
          "session": null,
          "state": "done",
          "undoes": [],
          "undoes_part": []
        }
      ],
      "outside": []
    }
    [exit status: 0]
    "#);
    assert_eq!(sandbox.run(["log", "user_b.md"]).matches("forget").count(), 1);
}

/// Threat 33: a change that somebody made outside is in the log, with its text, and can be taken back.
#[test]
fn a_change_from_outside_is_logged_and_can_be_taken_back() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    let ours = sandbox.read("memory/user_a.md");
    sandbox.write("memory/user_a.md", 0, ours.replace("one", "EVIL"));
    assert_snapshot!(sandbox.run(["check"]), @"
    remark: user_a.md: was changed by another program since memdir wrote it; `memdir log --diff` shows how
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["log", "a", "--diff"]), @r#"
    not in the journal yet: changed outside
      updated user_a.md
        @@ -7,4 +7,4 @@
           modified: "2026-11-30T09:00:00Z"
         ---

        -one
        +EVIL
    $OP1  2026-11-30T09:00:00Z  save by user
      why: asked to
      created user_a.md
        @@ -0,0 +1,10 @@
        +---
        +name: a
        +description: d
        +metadata:
        +  type: user
        +  origin: user
        +  modified: "2026-11-30T09:00:00Z"
        +---
        +
        +one
      index + - [a](user_a.md) — d
    [exit status: 0]
    "#);
    done(&sandbox.run(["edit", "a", "--description", "new"]));
    assert_snapshot!(sandbox.run(["log", "a"]), @"
    $OP1  2026-11-30T09:00:00Z  edit by user
      updated user_a.md
      index - - [a](user_a.md) — d
      index + - [a](user_a.md) — new
    $OP2  2026-11-30T09:00:00Z  observed by another program, outside
      updated user_a.md
    $OP3  2026-11-30T09:00:00Z  save by user
      why: asked to
      created user_a.md
      index + - [a](user_a.md) — d
    [exit status: 0]
    ");
}

#[test]
fn the_log_tells_what_was_undone_only_in_part() {
    let sandbox = Sandbox::new();
    for name in ["a", "b"] {
        done(&sandbox.run(save(name, "one")));
    }
    done(&sandbox.run(["forget", "a", "b"]));
    done(&sandbox.run(save("a", "anew")));
    assert!(sandbox.run(["undo", &ops(&sandbox)[1]]).ends_with("[exit status: 3]\n"));
    assert_snapshot!(sandbox.run(["log", "--limit", "1"]), @"
    $OP1  2026-11-30T09:00:00Z  undo by user
      undoes of $OP2: user_b.md
      created user_b.md
      index + - [b](user_b.md) — d
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["log", "--limit", "1", "--json"]), @r#"
    {
      "operations": [
        {
          "actor": "user",
          "at": "2026-11-30T09:00:00Z",
          "conflicts": [],
          "files": [
            {
              "action": "created",
              "after": "c5c954056b685daaa75fb869b5e66b4aaca32b002acbca227525c9f65721f020",
              "before": null,
              "merged": false,
              "path": "user_b.md"
            },
            {
              "action": "updated",
              "after": "25ee2fe79dfde38981c29fc38c56cf682547ce4486112f325a6df0c17e17553f",
              "before": "4c9b1876d72536e69a280dd4748338b9a71dce8e8e0c76f042ef1a5bc201e622",
              "merged": false,
              "path": "MEMORY.md"
            }
          ],
          "index_lines": [
            {
              "after": "- [b](user_b.md) — d",
              "before": null,
              "path": "user_b.md"
            }
          ],
          "kind": "undo",
          "op": "$OP1",
          "reason": null,
          "run": null,
          "session": null,
          "state": "done",
          "undoes": [],
          "undoes_part": [
            {
              "files": [
                "user_b.md"
              ],
              "op": "$OP2"
            }
          ]
        }
      ],
      "outside": []
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_log_of_a_memory_that_never_was_is_empty() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save("a", "one")));
    assert_eq!(sandbox.run(["log", "nobody"]), "[exit status: 0]\n");
}
