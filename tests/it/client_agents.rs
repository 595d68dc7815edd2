//! The real client with agents that have a memory: the folder that it reads is the one that `memdir agent path` names.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::client::{client, memdir, talk, text_of};
use crate::fake_api::Turn;
use crate::sandbox::Sandbox;

/// Defines an agent in the project.
fn define(sandbox: &Sandbox, name: &str, scope: &str) {
    let folder = sandbox.path("project/.claude/agents");
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "---\nname: {name}\ndescription: Reads code\nmemory: {scope}\n---\n\nYou read code.\n"
    );
    fs::write(folder.join(format!("{name}.md")), text).unwrap();
}

/// Where memdir says the memory is; asked from below the root.
fn path(sandbox: &Sandbox, name: &str) -> PathBuf {
    let ran = memdir(sandbox, &["agent", "path", name]);
    assert_eq!(ran.exit, Some(0), "{ran:#?}");
    PathBuf::from(ran.stdout.trim_end())
}

/// All that the client sends first when it runs as the agent.
fn first_request(client: &OsString, sandbox: &Sandbox, name: &str, script: Vec<Turn>) -> String {
    let mut command = Command::new("timeout");
    command.arg("120").arg(client).args(["--agent", name, "-p", "please go on"]);
    let requests = talk(command, sandbox, script);
    text_of(requests.first().unwrap())
}

#[test]
fn the_client_reads_the_index_of_an_agent_where_memdir_says_it_is() {
    let Some(client) = client() else { return };
    let agents = [
        ("reviewer", "project"),
        ("code-reviewer", "user"),
        ("test_runner2", "local"),
        ("a", "project"),
    ];
    for (name, scope) in agents {
        let sandbox = Sandbox::new();
        define(&sandbox, name, scope);
        let directory = path(&sandbox, name);
        let directory = directory.to_str().unwrap();
        let canary = format!("canary of {name} in {scope}");
        let save = [
            "save",
            "--type",
            "feedback",
            "--name",
            "Canary",
            "--body",
            "b",
            "--memory-dir",
            directory,
        ];
        let described = ["--description", canary.as_str()];
        memdir(&sandbox, &[&save[..], &described].concat()).quietly();
        let sent = first_request(&client, &sandbox, name, vec![Turn::Say("gone on")]);
        assert!(sent.contains(&canary), "{name} {scope}: {sent}");
        assert!(sent.contains(directory), "{name} {scope}: {sent}");
        let named = format!("agent-memory{}/{name}", if scope == "local" { "-local" } else { "" });
        assert!(directory.ends_with(&named), "{directory}");
    }
}

#[test]
fn what_an_agent_of_the_client_writes_is_listed_and_recalled() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    define(&sandbox, "reviewer", "project");
    let directory = path(&sandbox, "reviewer");
    let memory = "---\nname: small-diffs\ndescription: Reviewers want small diffs\nmetadata:\n  type: feedback\n---\n\nTouch only what the task needs.\n";
    let write = |name: &str, content: &str| Turn::Use {
        tool: "Write",
        input: json!({"file_path": directory.join(name), "content": content}),
    };
    let script = vec![
        write("feedback_small_diffs.md", memory),
        write("MEMORY.md", "- [Small diffs](feedback_small_diffs.md) — reviewers asked\n"),
        Turn::Say("written"),
    ];
    let _ = first_request(&client, &sandbox, "reviewer", script);
    let listed = memdir(&sandbox, &["agent", "list", "--json"]).json(0);
    assert_eq!(listed["agents"][0]["memories"], json!(1), "{listed}");
    let prompt = memdir(&sandbox, &["agent", "prompt", "reviewer"]);
    assert!(prompt.stdout.contains("- [Small diffs](feedback_small_diffs.md)"), "{prompt:#?}");
    let of = ["--memory-dir", directory.to_str().unwrap()];
    let recalled = memdir(&sandbox, &[&["recall", "small diffs", "--json"], &of[..]].concat());
    assert_eq!(recalled.json(0)["attachments"][0]["path"], "feedback_small_diffs.md");
}

/// The differences that the documentation of subagent-memory names.
#[test]
fn the_client_parts_where_names_share_a_folder_and_below_the_root() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    for (name, folder) in [("Reviewer", "Reviewer"), ("code.reviewer", "code-reviewer")] {
        define(&sandbox, name, "project");
        let sent = first_request(&client, &sandbox, name, vec![Turn::Say("gone on")]);
        let theirs = sandbox.path("project/.claude/agent-memory").join(folder);
        assert!(sent.contains(theirs.to_str().unwrap()), "{name}: {sent}");
        let ours = memdir(&sandbox, &["agent", "path", name]);
        assert_ne!(ours.stdout.trim_end(), theirs.to_str().unwrap());
        assert!(ours.stderr.contains(theirs.to_str().unwrap()), "{ours:#?}");
    }

    define(&sandbox, "below", "project");
    let mut command = Command::new("sh");
    let script = "cd src && exec timeout 120 \"$0\" --agent below -p 'please go on'";
    command.args(["-c", script]).arg(&client);
    let requests = talk(command, &sandbox, vec![Turn::Say("gone on")]);
    let sent = text_of(requests.first().unwrap());
    let theirs = sandbox.path("project/src/.claude/agent-memory/below");
    assert!(sent.contains(theirs.to_str().unwrap()), "{sent}");
    assert_eq!(path(&sandbox, "below"), sandbox.path("project/.claude/agent-memory/below"));
}
