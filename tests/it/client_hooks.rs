//! Hooks at work in the real Claude Code: what reaches the model's request, and what does not when something is wrong. Needs
//! `MEMDIR_CLAUDE`.

use std::ffi::OsString;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::client::{client, memdir, memory_dir, talk, text_of};
use crate::fake_api::Turn;
use crate::sandbox::{Ran, Sandbox};

const ASK: &str = "how do we test against the database?";
/// A sentence of the memory that answers it, which stands in no index.
const ANSWER: &str = "Mocks hid a broken migration.";
const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// A project with one memory, and the hooks in the client's settings.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let described = ["--name", "Real database", "--description", "Tests run against Postgres"];
    let args = ["save", "--type", "feedback", "--body", ANSWER].into_iter().chain(described);
    memdir(&sandbox, &args.collect::<Vec<_>>()).quietly();
    memdir(&sandbox, &["init", "claude-code"]).quietly();
    sandbox
}

fn command(client: &OsString, args: &[&str]) -> Command {
    let mut command = Command::new("timeout");
    command.arg("120").arg(client).arg("-p").args(args);
    command
}

/// How often each request of a run holds the memory.
fn told(requests: &[Value]) -> Vec<usize> {
    let count = |request: &Value| text_of(&request["messages"]).matches(ANSWER).count();
    requests.iter().map(count).collect()
}

/// The text of all messages of a run that made one request.
fn messages(requests: &[Value]) -> String {
    let [request] = requests else { panic!("one request, not {}", requests.len()) };
    text_of(&request["messages"])
}

#[test]
fn a_prompt_brings_its_memory_once_a_conversation_and_again_after_a_compaction() {
    let Some(client) = client() else { return };
    let sandbox = sandbox();
    let ask = |args: &[&str]| talk(command(&client, args), &sandbox, vec![Turn::Say("ok")]);
    let first = ask(&["--session-id", SESSION, ASK]);
    assert_eq!(told(&first), [1]);
    let text = messages(&first);
    assert!(text.contains("UserPromptSubmit") && text.contains("<memory path="), "{text}");
    // The text of the first prompt stays in the conversation; nothing is added to it.
    assert_eq!(told(&ask(&["--resume", SESSION, "so, how do we test against the database?"])), [1]);
    ask(&["--resume", SESSION, "/compact"]);
    let after = ask(&["--resume", SESSION, "again: how do we test against the database?"]);
    assert_eq!(told(&after), [1]);
    let other = ask(&[ASK]);
    assert_eq!(told(&other), [1], "a conversation of its own");
    assert_eq!(told(&ask(&["what is the weather like?"])), [0]);

    let events = fs::read_to_string(memory_dir(&sandbox).join(".memdir/events.jsonl")).unwrap();
    let outcomes: Vec<_> = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["part"] == "recall")
        .map(|event| event["outcome"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(outcomes, ["surfaced", "silent", "surfaced", "surfaced", "silent"], "{events}");
}

#[test]
fn an_agent_that_a_hook_started_runs_no_hooks_of_ours() {
    let Some(client) = client() else { return };
    let sandbox = sandbox();
    let mut nested = command(&client, &[ASK]);
    nested.env("MEMDIR_HOOK_DEPTH", "1");
    assert_eq!(told(&talk(nested, &sandbox, vec![Turn::Say("ok")])), [0]);
    assert!(!memory_dir(&sandbox).join(".memdir/events.jsonl").exists());
}

#[test]
fn after_the_removal_the_settings_are_as_they_were_and_so_is_the_request() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    let settings = sandbox.path("home/.claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    // A layout that no program would write.
    let before = "\u{feff}{\"model\" : \"opus\",\r\n\t\"env\": { } }\r\n\r\n";
    fs::write(&settings, before).unwrap();
    let ask = || messages(&talk(command(&client, &[ASK]), &sandbox, vec![Turn::Say("ok")]));
    let without = ask();
    memdir(&sandbox, &["init", "claude-code"]).quietly();
    memdir(&sandbox, &["init", "claude-code", "--remove"]).quietly();
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
    assert_eq!(ask(), without);
}

/// Asks once with the hooks and once without where something is broken: the requests are the same, and `why` says why.
/// `around` runs where the client does and ends with it.
fn broken(client: &OsString, setup: &str, around: &str, why: &str) {
    let sandbox = sandbox();
    let home = sandbox.path("home");
    let memory = memory_dir(&sandbox);
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        command.args([
            "--mount",
            "--propagation",
            "private",
            "timeout",
            "120",
            "bash",
            "-euc",
            script,
        ]);
        command.arg("bash").arg(client).args(["-p", ASK]);
        command.env("MEMORY", &memory).env("HOME", &home);
        command
    };
    let run = |script: &str| {
        messages(&talk(
            shell(&format!("{setup}\n{around}\n{script}\n\"$@\"")),
            &sandbox,
            vec![Turn::Say("ok")],
        ))
    };
    let with = run("");
    let told = memdir(&sandbox, &["why"]);
    memdir(&sandbox, &["init", "claude-code", "--remove"]).quietly();
    assert_eq!(with, run(""), "{setup} {around}");
    assert!(!with.contains(ANSWER), "{with}");
    assert_eq!(told.exit, Some(0), "{told:#?}");
    assert!(told.stdout.contains(why), "{setup} {around}: {told:#?}");
}

#[test]
fn whatever_is_wrong_the_request_is_as_without_memdir_and_why_says_what_it_was() {
    let Some(client) = client() else { return };
    if !can_mount() {
        eprintln!("skipped: needs mount: disks of the test's own");
        return;
    }
    broken(
        &client,
        "mkdir -p $HOME/.config/memdir; echo 'recall = ' > $HOME/.config/memdir/config.toml",
        "",
        "recall: could not look, because settings or environment named no memory directory that can be used\n",
    );
    broken(
        &client,
        "rm -rf $MEMORY; echo x > $MEMORY",
        "",
        "recall: could not look, because the memory directory, or memdir's folder in it, is none\n",
    );
    broken(&client, "rm -rf $MEMORY", "", "recall: silent, because there are no memories\n");
    broken(
        &client,
        "",
        "mount -t tmpfs -o size=64k,mode=700 tmpfs $MEMORY; echo '# database tests' > $MEMORY/db.md; dd if=/dev/zero of=$MEMORY/filler bs=4k 2> /dev/null || :",
        "recall: silent, because what it does could not be noted in the memory directory: the disk is full\n",
    );
    broken(
        &client,
        "",
        "mount --bind $MEMORY $MEMORY; mount -o remount,bind,ro $MEMORY",
        "recall: silent, because what it does could not be noted in the memory directory: the file system is read-only\n",
    );
}

fn can_mount() -> bool {
    let mut probe = Command::new("unshare");
    probe.args(["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
    probe.output().map(Ran::of).is_ok_and(|ran| ran.exit == Some(0))
}
