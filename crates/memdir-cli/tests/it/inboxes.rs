//! inbox, forget --session, and what a session start tells of background runs.

use std::collections::BTreeMap;
use std::thread;

use insta::assert_snapshot;
use memdir::change::{
    Change, Draft, Message, Operation, Plan, Policy, Snapshot, Terms, Tombstones, commit, validate,
};
use memdir::core::FixedClock;
use memdir::core::age::parse_date;
use memdir::core::frontmatter::Origin;
use memdir::store::{Actor, Attribution, LocalDir, Options};

use crate::sandbox::{Sandbox, names};

/// As a background run of the host's own does it.
fn background(sandbox: &Sandbox, operations: Vec<Operation>) {
    let now = parse_date("2026-11-30T08:00:00Z").unwrap();
    let options = Options::new(std::sync::Arc::new(FixedClock(now)));
    let store = LocalDir::open_or_create(&sandbox.memory(), options).unwrap();
    let said = Message::new("Deploys happen on Fridays.", Origin::User);
    let messages = BTreeMap::from([("m1".to_owned(), said)]);
    let (policy, tombstones) = (Policy::default(), Tombstones::read(&store).unwrap());
    let snapshot = Snapshot::read(&store).unwrap();
    let terms = Terms::new(now, &policy, &tombstones, &messages).session("s1");
    let verdict = validate(&Plan::new(operations), &snapshot, &terms);
    let by = Attribution::new(Actor::Worker("dream".to_owned())).run("run-1").session("s1");
    commit(&store, &snapshot, &verdict, &by, now).unwrap();
}

fn create(name: &str, quote: &str) -> Operation {
    let body = format!("{name}: deploys happen on Fridays.");
    let draft = Draft::new("project", name, "When deploys happen", body);
    Operation::new(Change::Create(draft), "the user said so").quoting("m1", quote)
}

fn delete(at: &str) -> Operation {
    Operation::new(Change::Delete { path: at.to_owned() }, "nobody needs it")
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (number, name) in ["alpha", "beta", "gamma", "delta"].into_iter().enumerate() {
        sandbox.memorize(&format!("{name}.md"), number as u64, "user", name, "d", name);
    }
    sandbox
}

#[test]
fn what_waits_is_listed_and_shown_with_its_changes() {
    let sandbox = sandbox();
    assert_snapshot!(sandbox.run(["inbox", "list"]), @"
    ------- stderr -------
    note: nothing waits for you
    [exit status: 0]
    ");
    background(
        &sandbox,
        vec![delete("alpha.md"), create("Invented", "Deploys happen at night"), delete("beta.md")],
    );
    assert_snapshot!(sandbox.run(["inbox", "list"]), @"
    1  by worker:dream, run run-1, 2026-11-30T08:00:00Z
       waits: a person decides on operations of this kind
       delete: nobody needs it
       remove alpha.md
    2  by worker:dream, run run-1, 2026-11-30T08:00:00Z
       waits: nothing shows that anybody said so: message `m1` does not say so
       create: the user said so
         m1 says: Deploys happen at night
       create project_invented.md
    3  by worker:dream, run run-1, 2026-11-30T08:00:00Z
       waits: a person decides on operations of this kind
       delete: nobody needs it
       remove beta.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["inbox", "show", "2"]), @r#"
    2  by worker:dream, run run-1, 2026-11-30T08:00:00Z
       waits: nothing shows that anybody said so: message `m1` does not say so
       create: the user said so
         m1 says: Deploys happen at night
       create project_invented.md
    --- original
    +++ modified
    @@ -0,0 +1,11 @@
    +---
    +name: Invented
    +description: When deploys happen
    +metadata:
    +  type: project
    +  originSessionId: s1
    +  origin: agent
    +  modified: "2026-11-30T08:00:00Z"
    +---
    +
    +Invented: deploys happen on Fridays.
    [exit status: 0]
    "#);
}

#[test]
fn what_waits_is_told_to_programs() {
    let sandbox = sandbox();
    background(&sandbox, vec![delete("beta.md"), create("Invented", "Deploys happen at night")]);
    sandbox.memorize("beta.md", 0, "user", "beta", "d", "Changed since.");
    assert_snapshot!(sandbox.run(["inbox", "list", "--json"]), @r#"
    {
      "proposals": [
        {
          "actor": "worker:dream",
          "at": "2026-11-30T08:00:00Z",
          "files": [
            {
              "action": "remove",
              "path": "beta.md"
            }
          ],
          "id": 1,
          "index_lines": [
            "beta.md"
          ],
          "operations": [
            {
              "evidence": [],
              "op": "delete",
              "origin": "agent",
              "reason": "nobody needs it"
            }
          ],
          "run": "run-1",
          "session": "s1",
          "standing": "stale",
          "waits": "a person decides on operations of this kind"
        },
        {
          "actor": "worker:dream",
          "at": "2026-11-30T08:00:00Z",
          "files": [
            {
              "action": "create",
              "path": "project_invented.md"
            }
          ],
          "id": 2,
          "index_lines": [
            "project_invented.md"
          ],
          "operations": [
            {
              "evidence": [
                {
                  "message": "m1",
                  "quote": "Deploys happen at night",
                  "session": null
                }
              ],
              "op": "create",
              "origin": "agent",
              "reason": "the user said so"
            }
          ],
          "run": "run-1",
          "session": "s1",
          "standing": "open",
          "waits": "nothing shows that anybody said so: message `m1` does not say so"
        }
      ]
    }
    [exit status: 0]
    "#);
}

#[test]
fn a_person_applies_what_is_as_it_was_and_dismisses_the_rest() {
    let sandbox = sandbox();
    background(
        &sandbox,
        vec![delete("alpha.md"), create("Invented", "Deploys happen at night"), delete("beta.md")],
    );
    assert_snapshot!(sandbox.run(["inbox", "apply", "1"]), @"
    applied 1, undo with `memdir undo $OP1`
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["inbox", "apply", "1"]), @"
    ------- stderr -------
    error: there is no proposal 1
      try: `memdir inbox list` shows what waits
    [exit status: 1]
    ");
    sandbox.memorize("beta.md", 0, "user", "beta", "d", "Changed since.");
    assert_snapshot!(sandbox.run(["inbox", "apply", "3"]), @"
    ------- stderr -------
    error: proposal 3 is stale: `beta.md` was changed since
      try: memdir log beta.md --diff
      try: memdir inbox dismiss 3
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["inbox", "dismiss", "3", "7", "2", "--json"]), @r#"
    {
      "decision": "dismissed",
      "done": [
        {
          "id": 3,
          "op": null
        },
        {
          "id": 2,
          "op": null
        }
      ],
      "failed": [
        {
          "id": 7,
          "reason": "there is no proposal 7"
        }
      ]
    }
    ------- stderr -------
    {
      "warning": {
        "try": [
          "`memdir inbox list` shows what waits"
        ],
        "what": "there is no proposal 7"
      }
    }
    [exit status: 1]
    "#);
    assert_eq!(names(&sandbox.memory()), ["beta.md", "delta.md", "gamma.md"]);
    // What was dismissed is not proposed again.
    background(&sandbox, vec![create("Invented", "Deploys happen at night")]);
    assert_snapshot!(sandbox.run(["inbox", "list", "--json"]), @r#"
    {
      "proposals": []
    }
    [exit status: 0]
    "#);
}

#[test]
fn an_agent_gets_the_command_for_the_person() {
    let sandbox = sandbox().env("CLAUDECODE", "1");
    background(&sandbox, vec![delete("alpha.md")]);
    assert_snapshot!(sandbox.run(["inbox", "apply", "1"]), @"
    ------- stderr -------
    error: only a person may apply what a run proposes
      why: CLAUDECODE is set, so this command was started by an agent
      try: ask the person to type this in a terminal of their own: memdir inbox apply 1
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["inbox", "dismiss", "1", "--json"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 3,
        "kind": "refused",
        "try": [
          "ask the person to type this in a terminal of their own: memdir inbox dismiss 1 --json"
        ],
        "what": "only a person may dismiss what a run proposes",
        "why": "CLAUDECODE is set, so this command was started by an agent"
      }
    }
    [exit status: 3]
    "#);
    assert!(sandbox.memory().join("alpha.md").is_file());
}

#[test]
fn of_two_processes_that_apply_one_proposal_one_does() {
    for _ in 0..5 {
        let sandbox = sandbox();
        background(&sandbox, vec![create("Invented", "Deploys happen at night")]);
        let apply = || sandbox.output(["inbox", "apply", "1"]).status.code();
        let mut codes = thread::scope(|scope| {
            let both = [scope.spawn(apply), scope.spawn(apply)];
            both.map(|one| one.join().unwrap())
        });
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(1)]);
        assert!(sandbox.memory().join("project_invented.md").is_file());
        let log = sandbox.run(["log"]);
        assert_eq!(log.matches("inbox").count(), 1, "{log}");
    }
}

#[test]
fn a_run_is_told_once_at_the_start_of_a_session() {
    let sandbox = sandbox();
    background(&sandbox, vec![create("Deploys", "deploys happen on Fridays"), delete("alpha.md")]);
    let start = |source: &str| {
        let input = format!(
            r#"{{"session_id": "s9", "source": "{source}", "hook_event_name": "SessionStart"}}"#
        );
        sandbox.run_in("project", ["hook", "session-start"], &input)
    };
    assert_eq!(start("resume"), "[exit status: 0]\n");
    assert_snapshot!(start("startup"), @r#"
    {
      "systemMessage": "memdir: a background run (dream) changed 1 memory\n  - created project_deploys.md\n  try: memdir undo --run run-1, to take it back\n  try: memdir inbox show 1, which waits for you"
    }
    [exit status: 0]
    "#);
    assert_eq!(start("startup"), "[exit status: 0]\n");
    assert_snapshot!(sandbox.run(["undo", "--run", "run-1"]), @"
    undid $OP1
      removed MEMORY.md
      removed project_deploys.md
    [exit status: 0]
    ");
}

#[test]
fn a_conversation_is_forgotten_with_a_list_of_what_is_not_covered() {
    let sandbox = sandbox();
    background(&sandbox, vec![create("Deploys", "deploys happen on Fridays"), delete("alpha.md")]);
    assert_snapshot!(sandbox.run(["forget", "--session", "s1", "--dry-run"]), @"
    would remove project_deploys.md
    would dismiss 1 proposal in the inbox
    not covered of session s1:
      the journal keeps earlier texts, so that undo works, until --purge
      transcripts and summaries of the conversation, which are the client's
      what was shared in team/
    [exit status: 0]
    ");
    assert!(sandbox.memory().join("project_deploys.md").is_file());
    assert_snapshot!(sandbox.run(["forget", "--session", "s1", "--json"]), @r#"
    {
      "dry_run": false,
      "forgotten": [
        "project_deploys.md"
      ],
      "not_covered": [
        {
          "text": "the journal keeps earlier texts, so that undo works, until --purge",
          "what": "journal"
        },
        {
          "text": "transcripts and summaries of the conversation, which are the client's",
          "what": "transcripts"
        },
        {
          "text": "what was shared in team/",
          "what": "team"
        }
      ],
      "op": "$OP1",
      "proposals": 1,
      "purged": false
    }
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["forget", "--session", "s1"]), @"
    not covered of session s1:
      the journal keeps earlier texts, so that undo works, until --purge
      transcripts and summaries of the conversation, which are the client's
      what was shared in team/
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["undo"]), @"
    undid $OP1
      updated MEMORY.md
      created project_deploys.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "--session", "s1", "alpha"]), @"
    ------- stderr -------
    error: the argument '--session <ID>' cannot be used with '[NAMES]...'

    Usage: memdir forget --session <ID> [NAMES]...

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn what_was_forgotten_is_left_out_until_a_person_saves_it() {
    let sandbox = sandbox();
    let deploys = || vec![create("Deploys", "deploys happen on Fridays")];
    background(&sandbox, deploys());
    sandbox.run(["forget", "Deploys"]);
    background(&sandbox, deploys());
    let file = sandbox.memory().join("project_deploys.md");
    assert!(!file.exists());
    let save =
        ["save", "--type", "project", "--name", "Deploys", "--description", "d", "--body", "x"];
    sandbox.run(save);
    background(&sandbox, deploys());
    assert!(sandbox.read("memory/project_deploys.md").contains("Deploys: deploys happen"));
    // An agent that saves it lifts nothing.
    sandbox.run(["forget", "Deploys"]);
    let sandbox = sandbox.env("CLAUDECODE", "1");
    sandbox.run(save);
    let sandbox = sandbox.env("CLAUDECODE", "");
    std::fs::remove_file(&file).unwrap();
    background(&sandbox, deploys());
    assert!(!file.exists());
}
