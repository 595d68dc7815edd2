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
    assert_snapshot!(sandbox.run(["edit", "a", "--body", "it's two"]), @"");
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
    assert_snapshot!(sandbox.read("memory/user_a.md"), @"");
    assert_snapshot!(sandbox.run(["log", "--json"]), @"");
}
