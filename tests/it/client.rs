//! The real Claude Code beside memdir on one memory directory. Needs `MEMDIR_CLAUDE`, the path of its binary; the model is
//! scripted on the loopback.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::fake_api::{FakeApi, Turn};
use crate::sandbox::{Ran, Sandbox};

pub(crate) fn client() -> Option<OsString> {
    let client = std::env::var_os("MEMDIR_CLAUDE");
    if client.is_none() {
        eprintln!("skipped: needs MEMDIR_CLAUDE: the path of a Claude Code binary");
    }
    client
}

/// Runs one conversation in the project and returns the requests that the client made.
fn converse(client: &OsString, sandbox: &Sandbox, script: Vec<Turn>) -> Vec<Value> {
    // The outer program ends a client that hangs.
    let mut command = Command::new("timeout");
    command.arg("120").arg(client).args(["-p", "please go on"]);
    talk(command, sandbox, script)
}

/// Runs a command line that starts the client, in the project, and returns the requests that the client made.
pub(crate) fn talk(command: Command, sandbox: &Sandbox, script: Vec<Turn>) -> Vec<Value> {
    talk_in(command, sandbox, "project", script).1
}

/// The same in any folder, with what the client printed.
pub(crate) fn talk_in(
    mut command: Command,
    sandbox: &Sandbox,
    folder: &str,
    script: Vec<Turn>,
) -> (Ran, Vec<Value>) {
    let api = FakeApi::start(script);
    let temp = sandbox.path("tmp");
    fs::create_dir_all(&temp).unwrap();
    // What the caller set stays.
    let own: Vec<_> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let output = command
        .env_clear()
        .envs(own)
        .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("TERM", "dumb"), ("LANG", "C.UTF-8")])
        .env("HOME", sandbox.path("home"))
        .env("TMPDIR", &temp)
        .env("CLAUDE_CODE_TMPDIR", &temp)
        .env("ANTHROPIC_BASE_URL", api.url())
        .envs([("ANTHROPIC_API_KEY", "no-key"), ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")])
        .envs([
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ])
        // Whatever it tries besides ends at a closed port.
        .envs([("HTTPS_PROXY", "http://127.0.0.1:9"), ("NO_PROXY", "127.0.0.1")])
        .current_dir(sandbox.path(folder))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let ran = Ran::of(output);
    assert_eq!(ran.exit, Some(0), "{ran:#?}");
    (ran, api.requests())
}

/// The command as a person in the project runs it: the directory is found, not given.
pub(crate) fn memdir(sandbox: &Sandbox, args: &[&str]) -> Ran {
    Ran::of(sandbox.bare_command("project/src").args(args).output().unwrap())
}

pub(crate) fn memory_dir(sandbox: &Sandbox) -> PathBuf {
    PathBuf::from(memdir(sandbox, &["path"]).quietly().stdout.trim_end())
}

/// All text that a request carries, tool results included.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone() + "\n",
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Object(fields) => fields.values().map(text_of).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn read(path: &Path) -> Turn {
    Turn::Use { tool: "Read", input: json!({"file_path": path}) }
}

#[test]
fn the_client_loads_the_index_line_of_a_saved_memory_and_reads_its_file() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    let saved = memdir(
        &sandbox,
        &[
            "save",
            "--type",
            "feedback",
            "--name",
            "Real database",
            "--description",
            "Tests run against Postgres",
            "--body",
            "Mocks hid a broken migration.",
            "--json",
        ],
    );
    let file = memory_dir(&sandbox).join(saved.json(0)["path"].as_str().unwrap());
    let requests = converse(&client, &sandbox, vec![read(&file), Turn::Say("read")]);
    let [first, second] = [&requests[0], &requests[1]].map(|request| text_of(&request["messages"]));
    assert!(
        first.contains("- [Real database](feedback_real-database.md) — Tests run against Postgres"),
        "{first}"
    );
    assert!(!first.contains("Mocks hid a broken migration."), "{first}");
    assert!(second.contains("Mocks hid a broken migration."), "{second}");
}

#[test]
fn a_file_that_the_client_rewrote_reads_and_edits_without_loss() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    memdir(
        &sandbox,
        &[
            "save",
            "--type",
            "user",
            "--name",
            "Role & Größe 记忆",
            "--description",
            "Data: engineer",
            "--body",
            "Ten years.",
        ],
    )
    .quietly();
    let directory = memory_dir(&sandbox);
    let ours = directory.join(
        memdir(&sandbox, &["list", "--json"]).json(0)["memories"][0]["path"].as_str().unwrap(),
    );
    let theirs = directory.join("project_freeze.md");
    let flat = "---\nname: Freeze\ndescription: no releases: before March\ntype: project\ntags: [a, b]\ncolour: blue # kept\n---\n\nSince 2026-11-01.\n";
    let script = vec![
        read(&ours),
        Turn::Use {
            tool: "Edit",
            input: json!({"file_path": ours, "old_string": "Ten years.", "new_string": "Eleven years."}),
        },
        Turn::Use { tool: "Write", input: json!({"file_path": theirs, "content": flat}) },
        Turn::Say("written"),
    ];
    converse(&client, &sandbox, script);
    let rewritten = fs::read_to_string(&ours).unwrap();
    assert!(rewritten.contains("Eleven years."), "{rewritten}");
    assert!(
        rewritten.contains("node_type: memory"),
        "the client did not rewrite the frontmatter: {rewritten}"
    );

    let shown = memdir(&sandbox, &["show", "project_freeze.md", "--json"]).json(0);
    assert_eq!(
        [&shown["description"], &shown["type"], &shown["body"]],
        [&json!("no releases: before March"), &json!("project"), &json!("Since 2026-11-01.\n")],
        "{}",
        fs::read_to_string(&theirs).unwrap()
    );
    for file in [&ours, &theirs] {
        edits_only_its_lines(&sandbox, file);
    }

    let again = memdir(
        &sandbox,
        &[
            "save",
            "--type",
            "user",
            "--name",
            "Role & Größe 记忆",
            "--description",
            "New",
            "--body",
            "Eleven years.",
            "--json",
        ],
    );
    assert_eq!(
        again.json(0)["action"],
        "updated",
        "the client's spelling of the name made it another memory"
    );
    assert_eq!(
        memdir(&sandbox, &["list", "--json"]).json(0)["memories"].as_array().unwrap().len(),
        2
    );
}

/// A new description changes the line of the description and the date, nothing else.
fn edits_only_its_lines(sandbox: &Sandbox, file: &Path) {
    let before = fs::read_to_string(file).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let edited = memdir(sandbox, &["edit", name, "--description", "Changed by memdir", "--json"]);
    assert_eq!(edited.json(0)["action"], "updated");
    let after = fs::read_to_string(file).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let changed: BTreeSet<_> =
        lines(&after).difference(&lines(&before)).map(|line| line.trim().to_owned()).collect();
    let expect = ["description: Changed by memdir", "modified: \"2026-11-30T09:00:00Z\""];
    assert_eq!(changed, expect.map(str::to_owned).into(), "{before}\n{after}");
    assert_eq!(before.lines().count(), after.lines().count());
}
