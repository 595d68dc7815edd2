//! What a session resumes with, as memdir reads it and as the real client sends it. Needs `MEMDIR_CLAUDE`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{client, memdir, talk};
use crate::fake_api::Turn;
use crate::sandbox::Sandbox;

/// Runs the client with a prompt in the project and returns its requests of the conversation.
fn say(client: &OsString, sandbox: &Sandbox, args: &[&str], script: Vec<Turn>) -> Vec<Value> {
    let mut command = Command::new("timeout");
    command.arg("120").arg(client).args(args);
    talk(command, sandbox, script)
}

/// What the sides said in a list of messages: texts without what the client adds to them, calls, and results.
fn said(messages: &Value) -> Vec<(String, Vec<Value>)> {
    let mut said: Vec<(String, Vec<Value>)> = Vec::new();
    // What the client adds of its own has a role of its own.
    let messages = messages.as_array().unwrap().iter();
    for message in messages.filter(|message| message["role"] != "system") {
        let role = message["role"].as_str().unwrap().to_owned();
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            blocks => blocks.as_array().unwrap().clone(),
        };
        let blocks: Vec<_> = blocks.iter().filter_map(block).collect();
        match said.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, to)) if *last == role => to.extend(blocks),
            _ => said.push((role, blocks)),
        }
    }
    said
}

fn block(block: &Value) -> Option<Value> {
    match block["type"].as_str().unwrap() {
        "text" => {
            let text = block["text"].as_str().unwrap().trim();
            (!text.starts_with("<system-reminder>")).then(|| json!(text))
        }
        "tool_use" => Some(json!([block["id"], block["name"], block["input"]])),
        "tool_result" => Some(json!([block["tool_use_id"], block["content"]])),
        _ => None,
    }
}

/// The messages that memdir says the session resumes with, the new prompt behind them.
fn resumed(sandbox: &Sandbox, session: &str, prompt: &str) -> Vec<(String, Vec<Value>)> {
    let shown = memdir(sandbox, &["transcript", "resume", session, "--json"]).json(0);
    let mut messages = shown["messages"].as_array().unwrap().clone();
    messages.push(json!({"role": "user", "content": prompt}));
    said(&Value::Array(messages))
}

/// The id of the only session that memdir lists, or of the one that is not among `known`.
fn new_session(sandbox: &Sandbox, known: &[&str]) -> String {
    let listed = memdir(sandbox, &["transcript", "list", "--json"]).json(0);
    let ids = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["id"].as_str().unwrap());
    let ids: Vec<_> = ids.filter(|id| !known.contains(id)).collect();
    assert_eq!(ids.len(), 1, "{listed:#}");
    ids[0].to_owned()
}

/// The messages of the request that ends with a prompt.
fn sent(requests: &[Value], prompt: &str) -> Vec<(String, Vec<Value>)> {
    let all = requests.iter().map(|request| said(&request["messages"]));
    let mut with = all.filter(|said| {
        said.last().is_some_and(|(_, blocks)| blocks.last() == Some(&json!(prompt)))
    });
    with.next().unwrap_or_else(|| panic!("no request ends with {prompt}: {requests:#?}"))
}

#[test]
fn a_session_resumes_with_what_the_client_sends_before_and_after_a_compaction() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    let files: [PathBuf; 2] =
        ["project/src/a.txt", "project/src/b.txt"].map(|name| sandbox.path(name));
    for file in &files {
        std::fs::write(file, "some text\n").unwrap();
    }
    let reads = files.each_ref().map(|file| ("Read", json!({"file_path": file})));
    let script = vec![Turn::UseAll(reads.to_vec()), Turn::Say("both are read")];
    say(&client, &sandbox, &["-p", "read both files"], script);
    let first = new_session(&sandbox, &[]);

    let expect = resumed(&sandbox, &first, "and now?");
    assert_eq!(expect[1].1.len(), 2, "two calls in one reply: {expect:#?}");
    let resume = ["--resume", &first, "-p", "and now?"];
    let requests = say(&client, &sandbox, &resume, vec![Turn::Say("nothing more")]);
    assert_eq!(sent(&requests, "and now?"), expect);

    let fork = ["--resume", &first, "--fork-session", "-p", "another way"];
    let expect = resumed(&sandbox, &first, "another way");
    let requests = say(&client, &sandbox, &fork, vec![Turn::Say("a fork")]);
    assert_eq!(sent(&requests, "another way"), expect);
    let second = new_session(&sandbox, &[&first]);
    let listed = memdir(&sandbox, &["transcript", "list", "--json"]).json(0);
    let all = listed["sessions"].as_array().unwrap();
    let forked = all.iter().find(|session| session["id"] == *second).unwrap();
    assert!(
        forked["forked_from"] == *first || forked["same_start"] == json!([first]),
        "{forked:#}"
    );

    let summary = vec![Turn::Say("<summary>Both files were read.</summary>")];
    say(&client, &sandbox, &["--resume", &first, "-p", "/compact"], summary);
    let shown = memdir(&sandbox, &["transcript", "resume", &first, "--json"]).json(0);
    assert!(shown["compaction"]["offset"].is_u64(), "{shown:#}");
    let expect = resumed(&sandbox, &first, "go on");
    let resume = ["--resume", &first, "-p", "go on"];
    let requests = say(&client, &sandbox, &resume, vec![Turn::Say("going")]);
    assert_eq!(sent(&requests, "go on"), expect);
    for session in [&first, &second] {
        memdir(&sandbox, &["transcript", "verify", session, "--json"]).json(0);
    }
}

#[test]
fn subagents_are_listed_with_their_session_and_are_no_part_of_what_it_resumes_with() {
    let Some(client) = client() else { return };
    let sandbox = Sandbox::new();
    let file = sandbox.path("project/src/a.txt");
    std::fs::write(&file, "some text\n").unwrap();
    let task = json!({
        "description": "Look into a file", "prompt": "what does the file say?",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    let script = vec![
        Turn::Use { tool: "Agent", input: task },
        Turn::Use { tool: "Read", input: json!({"file_path": file}) },
        Turn::Say("the file says some text"),
        Turn::Say("an agent has read it"),
    ];
    let requests = say(&client, &sandbox, &["-p", "let an agent read it"], script);
    let asked = said(&requests[1]["messages"]);
    assert_eq!(asked[0].1.last(), Some(&json!("what does the file say?")), "{asked:#?}");

    let first = new_session(&sandbox, &[]);
    let listed = memdir(&sandbox, &["transcript", "list", "--json"]).json(0);
    let session = &listed["sessions"][0];
    assert_eq!(
        (&session["subagents"], &session["title"]),
        (&json!(1), &json!("let an agent read it"))
    );
    let expect = resumed(&sandbox, &first, "and now?");
    let read = json!("the file says some text");
    assert!(expect.iter().all(|(_, blocks)| !blocks.contains(&read)), "{expect:#?}");
    let requests = say(
        &client,
        &sandbox,
        &["--resume", &first, "-p", "and now?"],
        vec![Turn::Say("nothing more")],
    );
    assert_eq!(sent(&requests, "and now?"), expect);

    let folder = PathBuf::from(session["file"].as_str().unwrap()).with_extension("");
    let agents =
        std::fs::read_dir(folder.join("subagents")).unwrap().map(|entry| entry.unwrap().path());
    let agents: Vec<_> =
        agents.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    let [agent] = &agents[..] else { panic!("{agents:?}") };
    memdir(&sandbox, &["transcript", "verify", agent.to_str().unwrap(), "--json"]).json(0);
}
