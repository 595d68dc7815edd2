//! What an agent may not do, and what is recorded of it.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

fn save<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args =
        ["save", "--type", "user", "--name", "a", "--description", "d", "--body", "it's one"];
    args.into_iter().chain(more.iter().copied()).collect()
}

fn done(ran: &str) {
    assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
}

#[test]
fn an_agent_is_told_what_the_person_has_to_type() {
    let sandbox = Sandbox::new();
    done(&sandbox.run(save(&["--pinned"])));
    let pinned = sandbox.read("memory/user_a.md");
    let sandbox = sandbox.env("CLAUDECODE", "1");
    assert_snapshot!(sandbox.run(["edit", "a", "--body", "it's two"]), @r"
    ------- stderr -------
    error: `user_a.md` is pinned, and only a person changes what is pinned
      try: ask the person to type this in a terminal of their own: memdir edit a --body 'it'\''s two'
    [exit status: 3]
    ");
    for args in [
        vec!["forget", "a"],
        vec!["forget", "a", "--purge"],
        vec!["edit", "a", "--set", "pinned="],
        save(&["--pinned"]),
    ] {
        let ran = sandbox.run(&args);
        let unchanged = args.first() == Some(&"save");
        assert!(unchanged || ran.contains("ask the person to type"), "{args:?}: {ran}");
        assert!(unchanged || ran.ends_with("[exit status: 3]\n"), "{args:?}: {ran}");
    }
    assert_eq!(sandbox.read("memory/user_a.md"), pinned);
    let sandbox = sandbox.env("CLAUDECODE", "");
    done(&sandbox.run(["edit", "a", "--body", "two"]));
}

#[test]
fn an_agent_cannot_pin_and_a_folder_can() {
    let sandbox = Sandbox::new().env("GEMINI_CLI", "1");
    assert!(sandbox.run(save(&["--pinned"])).ends_with("[exit status: 3]\n"));
    assert!(sandbox.run(save(&["--file", "pinned/a.md"])).ends_with("[exit status: 3]\n"));
    done(&sandbox.run(save(&[])));
}

#[test]
fn session_and_actor_are_recorded() {
    let sandbox = Sandbox::new().env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "0f9c");
    done(&sandbox.run(save(&[])));
    assert_snapshot!(sandbox.read("memory/user_a.md"), @r#"
    ---
    name: a
    description: d
    metadata:
      type: user
      originSessionId: "0f9c"
      origin: agent
      modified: "2026-11-30T09:00:00Z"
    ---

    it's one
    "#);
    assert_snapshot!(sandbox.run(["log", "--json"]), @r#"
    {
      "operations": [
        {
          "actor": "agent",
          "at": "2026-11-30T09:00:00Z",
          "conflicts": [],
          "files": [
            {
              "action": "created",
              "after": "d5331e3116dcf5e6db9fef8362d325018eee95a0f72cb7855dc101afb81f2267",
              "before": null,
              "merged": false,
              "path": "user_a.md"
            },
            {
              "action": "created",
              "after": "4c9b1876d72536e69a280dd4748338b9a71dce8e8e0c76f042ef1a5bc201e622",
              "before": null,
              "merged": false,
              "path": "MEMORY.md"
            }
          ],
          "index_lines": [
            {
              "after": "- [a](user_a.md) — d",
              "before": null,
              "path": "user_a.md"
            }
          ],
          "kind": "save",
          "op": "$OP1",
          "reason": null,
          "run": null,
          "session": "0f9c",
          "state": "done",
          "undoes": [],
          "undoes_part": []
        }
      ],
      "outside": []
    }
    [exit status: 0]
    "#);
}

/// Two memories that fit alike; the names decide as long as nothing else does.
fn alike() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["a", "b"] {
        let path = format!("{name}.md");
        sandbox.memorize(&path, 0, "user", "Database tests", "Test against Postgres", "Text.");
    }
    sandbox
}

fn order(sandbox: &Sandbox, verb: &str) -> Vec<String> {
    let output = sandbox.output([verb, "how do we test against the database?", "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let attachments = told.get("attachments").unwrap().as_array().unwrap();
    let path = |it: &serde_json::Value| it.get("path").unwrap().as_str().unwrap().to_owned();
    attachments.iter().map(path).collect()
}

#[test]
fn what_agents_read_comes_first_where_memories_fit_alike() {
    let sandbox = alike();
    let before = order(&sandbox, "recall");
    let last = before.last().unwrap();
    // Of a person nothing is noted, nor where memdir keeps no notes yet.
    sandbox.run(["show", last]);
    let sandbox = sandbox.env("CLAUDECODE", "1");
    sandbox.run(["show", last]);
    assert!(!sandbox.path("memory/.memdir").exists());
    sandbox.write("memory/.memdir/.gitignore", 0, "*\n");
    for how in [&["show", last][..], &["show", last, "--raw"], &["show", last, "--json"]] {
        done(&sandbox.run(how));
    }
    let trail = sandbox.read("memory/.memdir/events.jsonl");
    let mut line: serde_json::Value = serde_json::from_str(trail.lines().next().unwrap()).unwrap();
    line["surfaced"][0].as_object_mut().unwrap().remove("revision").unwrap();
    assert_snapshot!(line.to_string().replace(last, "LAST"), @r#"{"at":"2026-11-30T09:00:00Z","outcome":"read","part":"read","surfaced":[{"path":"LAST"}]}"#);
    assert_eq!(trail.lines().count(), 3);
    let after: Vec<_> = before.iter().rev().cloned().collect();
    assert_eq!(
        [order(&sandbox, "recall"), order(&sandbox, "context")],
        [after.clone(), after.clone()]
    );
    let ask = serde_json::json!({
        "session_id": "s", "cwd": sandbox.path("project"), "prompt": "how do we test against the database?",
    });
    let told = sandbox.run_in("home", ["hook", "user-prompt-submit"], &ask.to_string());
    let places = after.iter().map(|path| told.find(&format!("path=\\\"{path}")).unwrap());
    assert!(places.is_sorted(), "{told}");
}

#[test]
fn a_memory_is_shown_though_it_cannot_be_noted_that_it_was() {
    let sandbox = alike().env("CLAUDECODE", "1");
    std::fs::create_dir_all(sandbox.path("memory/.memdir/events.jsonl")).unwrap();
    done(&sandbox.run(["show", "a.md"]));
    assert_eq!(order(&sandbox, "recall").len(), 2);
    let told = sandbox.run(["recall", "how do we test against the database?"]);
    assert!(told.contains("warning: how memories were used before cannot be told"), "{told}");
}
