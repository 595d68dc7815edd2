//! Hooks as a client calls them: what they answer, what they note, and that nothing that is wrong reaches the agent.

mod answers;
mod faults;
mod whys;

use std::fs;

use memdir::core::prompt::parse_frames;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const ASK: &str = "how do we test against the database?";

/// A project with one memory that answers [`ASK`] and one that does not.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.memorize("db.md", 0, "feedback", "Real database", "Test against Postgres", "No mocks.");
    sandbox.memorize("tea.md", 0, "user", "Tea", "Drinks green tea", "Never coffee.");
    sandbox
}

fn input(sandbox: &Sandbox, session: &str, prompt: &str) -> Value {
    json!({
        "session_id": session, "transcript_path": "/t.jsonl", "cwd": sandbox.path("project/src"),
        "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": prompt,
    })
}

fn call(sandbox: &Sandbox, moment: &str, input: impl AsRef<[u8]>) -> String {
    // Clients call from anywhere; the input says where they are.
    let output = sandbox.output_in("home", ["hook", moment], input.as_ref());
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    String::from_utf8(output.stdout).unwrap()
}

fn submit(sandbox: &Sandbox, session: &str, prompt: &str) -> String {
    call(sandbox, "user-prompt-submit", input(sandbox, session, prompt).to_string())
}

fn start(sandbox: &Sandbox, session: &str, source: &str) -> String {
    let mut input = input(sandbox, session, "");
    input.as_object_mut().unwrap().insert("source".to_owned(), json!(source));
    call(sandbox, "session-start", input.to_string())
}

/// The text for the model in an answer; empty where there is no answer.
fn context(answer: &str) -> String {
    if answer.is_empty() {
        return String::new();
    }
    let answer: Value = serde_json::from_str(answer).unwrap();
    let text = answer.pointer("/hookSpecificOutput/additionalContext").unwrap().as_str().unwrap();
    let output = json!({"hookEventName": "UserPromptSubmit", "additionalContext": text});
    assert_eq!(answer, json!({ "hookSpecificOutput": output }));
    text.to_owned()
}

/// Paths of the memories in an answer.
fn told(answer: &str) -> Vec<String> {
    parse_frames(&context(answer)).into_iter().map(|frame| frame.path).collect()
}

/// The trail without times and revisions.
fn trail(sandbox: &Sandbox) -> String {
    let text = fs::read_to_string(sandbox.path("memory/.memdir/events.jsonl")).unwrap_or_default();
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("at");
        let surfaced = line.get_mut("surfaced").and_then(Value::as_array_mut);
        for shown in surfaced.into_iter().flatten() {
            shown.as_object_mut().unwrap().remove("revision").unwrap();
        }
        line.to_string() + "\n"
    });
    lines.collect()
}

fn config(sandbox: &Sandbox, text: &str) {
    sandbox.write("home/.config/memdir/config.toml", 0, text);
}
