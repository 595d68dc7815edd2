//! recall with a model behind a real connection: what each answer comes to, and what is spent and noted.

mod budgets;
mod checks;
mod outcomes;
mod server;

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use server::{Server, chosen, completion, error};

/// A key that must show nowhere.
const KEY: &str = "planted-key-4f9a1c7d2e8b";
/// What words alone answer with `m1.md`, and our models with `m3.md`.
const QUESTION: &str = "how do we test against the database?";

/// Memories, and a model at this server that has so many seconds.
fn some(server: &Server, seconds: u32, more: &str) -> Sandbox {
    let sandbox = Sandbox::new().env("ANTHROPIC_API_KEY", KEY).env("RUST_LOG", "trace");
    sandbox.memorize(
        "m1.md",
        1,
        "feedback",
        "real database",
        "tests run against Postgres",
        "No mocks.",
    );
    sandbox.memorize(
        "m2.md",
        1,
        "project",
        "freeze",
        "no releases before March",
        "Nor migrations.",
    );
    sandbox.memorize(
        "m3.md",
        1,
        "reference",
        "dashboards",
        "Grafana folder for latency",
        "Ask first.",
    );
    configure(&sandbox, server.address(), seconds, more);
    sandbox
}

fn configure(sandbox: &Sandbox, address: &str, seconds: u32, more: &str) {
    let text = format!(
        "[model]\nprovider = \"anthropic\"\nname = \"a-model\"\naddress = \"{address}\"\ntimeout_seconds = {seconds}\n{more}\n"
    );
    sandbox.write("home/.config/memdir/config.toml", 0, text);
}

fn ask(sandbox: &Sandbox) -> Output {
    sandbox.output(["recall", QUESTION, "--selector", "model", "--json"])
}

/// What the answer rests on, in a word and in words, and the memories.
fn told(output: &Output) -> String {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let attachments = json.get("attachments").and_then(Value::as_array).unwrap();
    let paths: Vec<_> = attachments.iter().map(|one| text(one, "path")).collect();
    format!("{}: {}: {}", text(&json, "selector"), paths.join(" "), text(&json, "basis"))
}

/// A field; empty where it is absent.
fn text<'a>(json: &'a Value, name: &str) -> &'a str {
    json.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// What `why` says of the model.
fn noted(sandbox: &Sandbox) -> Value {
    let why: Value = serde_json::from_slice(&sandbox.output(["why", "--json"]).stdout).unwrap();
    let decisions = why.get("decisions").and_then(Value::as_array).unwrap();
    decisions.iter().find(|one| text(one, "part") == "model").cloned().unwrap_or_default()
}

/// Every file of the sandbox.
fn files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![sandbox.path("")], Vec::new());
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found
}

/// Fails where the key, or most of it, stands in what was printed or kept.
#[track_caller]
fn key_is_nowhere(sandbox: &Sandbox, output: &Output) {
    let kept = files(sandbox).into_iter().map(|path| fs::read(path).unwrap());
    for bytes in kept.chain([output.stdout.clone(), output.stderr.clone()]) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("4f9a1c7d") && !text.contains("planted-key"), "{text}");
    }
}

#[test]
fn a_server_that_does_not_know_schemas_is_asked_in_a_plainer_way_and_each_request_counts() {
    let server = Server::new([
        error(400, "response_format is not supported"),
        error(400, "tools are not supported"),
        completion(&json!({"selected_memories": ["m3.md"]})),
    ]);
    let sandbox = some(&server, 5, "").env("OPENAI_API_KEY", KEY);
    let config = sandbox.read("home/.config/memdir/config.toml").replace("anthropic", "openai");
    sandbox.write("home/.config/memdir/config.toml", 0, config);
    let output = ask(&sandbox);
    assert_eq!(told(&output), "model: m3.md: chosen by the model");
    assert_eq!(server.seen().len(), 3);
    key_is_nowhere(&sandbox, &output);
    let spent: Value = serde_json::from_str(&sandbox.read(budgets::SPENT)).unwrap();
    assert_eq!(spent.pointer("/entries/2/calls"), Some(&json!(1)));
}

#[test]
fn the_list_and_the_question_are_sent_and_secrets_in_them_are_blotted_out() {
    let server = Server::new([chosen(&["m3.md"])]);
    let sandbox = some(&server, 5, "");
    let secret = ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let question = format!("does {secret} open the dashboards?");
    sandbox.output(["recall", &question, "--selector", "model"]);
    let [request] = &server.seen()[..] else { panic!("{:?}", server.seen()) };
    assert!(request.contains("m3.md") && request.contains("open the dashboards?"), "{request}");
    assert!(!request.contains(&secret), "{request}");
    // The texts of memories stay here.
    assert!(!request.contains("Ask first."), "{request}");
}

#[test]
fn people_are_told_why_the_model_had_no_part_in_it() {
    let server = Server::new([error(400, "no such parameter")]);
    let sandbox = some(&server, 5, "");
    assert_snapshot!(sandbox.run(["recall", QUESTION, "--selector", "model"]), @"
    [feedback] m1.md (yesterday)

    tests run against Postgres

    No mocks.
    ------- stderr -------
    note: chosen by words, as the model's server answered 400: no such parameter
    [exit status: 0]
    ");
    // By default it is asked where words leave a doubt, and among three memories they leave none.
    assert_snapshot!(sandbox.run(["recall", QUESTION]), @"
    [feedback] m1.md (yesterday)

    tests run against Postgres

    No mocks.
    ------- stderr -------
    note: chosen by words; the model was not asked, as there are at most 5 memories to choose from
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["why"]), @"
    model: not asked, because there were few memories to choose from
      when: 2026-11-30T09:00:00Z
      try: memdir recall --selector model asks all the same
    [exit status: 0]
    ");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn the_flag_goes_before_the_environment_and_that_before_the_file() {
    let server = Server::new([chosen(&["m3.md"])]);
    let by = |sandbox: &Sandbox, args: &[&str]| {
        let args = ["recall", QUESTION, "--json"].iter().chain(args);
        let output = sandbox.output(args);
        told(&output).split(':').next().unwrap().to_owned()
    };
    let sandbox = some(&server, 5, "");
    let config = sandbox.read("home/.config/memdir/config.toml");
    sandbox.write("home/.config/memdir/config.toml", 0, format!("selector = \"model\"\n{config}"));
    assert_eq!(by(&sandbox, &[]), "model");
    let sandbox = sandbox.env("MEMDIR_SELECTOR", "lexical").env("MEMDIR_MODEL_NAME", "another");
    assert_eq!(by(&sandbox, &[]), "lexical");
    assert_eq!(by(&sandbox, &["--selector", "model"]), "model");
    let [first, second] = &server.seen()[..] else { panic!("{:?}", server.seen()) };
    assert!(first.contains("a-model") && second.contains("another"), "{first} {second}");
    let sandbox = sandbox.env("MEMDIR_SELECTOR", "best");
    assert_snapshot!(sandbox.run(["path"]), @"
    $TEST_ENV/memory
    ------- stderr -------
    warning: `best` is no selector and was ignored
      where: the environment variable MEMDIR_SELECTOR
      try: lexical, model or auto
    [exit status: 0]
    ");
}

#[test]
fn a_model_that_nobody_named_is_wrong_usage_and_words_need_none() {
    let sandbox = Sandbox::new();
    sandbox.memorize("m1.md", 1, "feedback", "real database", "tests run against Postgres", "");
    assert_snapshot!(sandbox.run(["recall", QUESTION, "--selector", "model"]), @r#"
    ------- stderr -------
    error: no model is configured
      where: --selector
      try: write into $TEST_ENV/home/.config/memdir/config.toml: [model], below it provider = "anthropic", "openai" or "command", and name = "…"
    [exit status: 2]
    "#);
    assert_eq!(
        told(&sandbox.output(["recall", QUESTION, "--selector", "auto", "--json"])),
        "lexical: m1.md: chosen by words"
    );
}

#[test]
fn settings_of_a_project_name_no_model_and_a_missing_key_is_told_before_anything_is_sent() {
    let server = Server::new([chosen(&["m3.md"])]);
    let sandbox = some(&server, 5, "key_env = \"NOT_SET\"");
    sandbox.write(
        "project/.claude/settings.json",
        0,
        r#"{"model": {"provider": "openai"}, "env": {"MEMDIR_MODEL_ADDRESS": "http://evil"}}"#,
    );
    let output = ask(&sandbox);
    let expect = "lexical: m1.md: chosen by words, as the request cannot be sent: the variable NOT_SET, which shall hold the key, is not set";
    assert_eq!(told(&output), expect);
    assert_eq!(server.seen(), [""; 0]);
    assert_eq!(text(&noted(&sandbox), "reason"), "not_sent");
}

#[cfg(unix)]
#[test]
fn a_helper_prints_the_key_and_what_it_says_in_vain_is_not_repeated() {
    let server = Server::new([chosen(&["m3.md"])]);
    let helper = |script: &str| {
        let script = script.replace('\'', "\\'");
        format!("key_command = [\"/bin/sh\", \"-c\", '''{script}''']")
    };
    let sandbox = some(&server, 5, &helper(&format!("echo {KEY}")));
    let sandbox = sandbox.env("ANTHROPIC_API_KEY", "");
    assert_eq!(told(&ask(&sandbox)), "model: m3.md: chosen by the model");
    assert!(server.seen().iter().all(|request| request.contains(KEY)));
    for (script, what) in [
        ("echo SAID; echo SAID >&2; exit 3", "ended with exit status: 3 and brought no key"),
        ("true", "printed no key"),
        ("head -c 20000 /dev/zero", "printed more than 16384 bytes, which is no key"),
    ] {
        configure(&sandbox, server.address(), 5, &helper(script));
        let output = ask(&sandbox);
        let expect = format!(
            "lexical: m1.md: chosen by words, as the request cannot be sent: `/bin/sh` {what}"
        );
        assert_eq!(told(&output), expect);
        assert!(output.stderr.is_empty(), "{output:?}");
    }
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn hooks_and_words_ask_nobody_and_keep_no_ledger() {
    let server = Server::new([chosen(&["m3.md"])]);
    let sandbox = some(&server, 5, "");
    let prompt = format!(r#"{{"session_id": "s", "prompt": "{QUESTION}"}}"#);
    let hook = sandbox.run_in("project", ["hook", "user-prompt-submit"], &prompt);
    assert!(hook.contains("m1.md"), "{hook}");
    let recall = sandbox.output(["recall", QUESTION, "--selector", "lexical", "--json"]);
    assert_eq!(told(&recall), "lexical: m1.md: chosen by words");
    assert_eq!(server.seen(), [""; 0]);
    assert_eq!(noted(&sandbox), Value::Null);
    assert!(!files(&sandbox).contains(&sandbox.path(budgets::SPENT)));
}

#[cfg(unix)]
#[test]
fn a_program_answers_in_an_empty_folder() {
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = some(&Server::new([chosen(&[])]), 30, "");
    let answer = json!({
        "type": "result",
        "is_error": false,
        "result": "",
        "structured_output": {"selected_memories": ["m3.md"]},
        "usage": {"input_tokens": 7, "output_tokens": 2},
    });
    let script = format!("#!/bin/sh\npwd > \"$HOME/where\"\ncat > /dev/null\necho '{answer}'\n");
    sandbox.write("bin/fake", 0, script);
    let program = sandbox.path("bin/fake");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let config = |name: &str| {
        let text = format!(
            "[model]\nprovider = \"command\"\nprogram = \"{name}\"\ntimeout_seconds = 30\n"
        );
        sandbox.write("home/.config/memdir/config.toml", 0, text);
    };
    config(program.to_str().unwrap());
    assert_eq!(told(&ask(&sandbox)), "model: m3.md: chosen by the model");
    let place = sandbox.read("home/where");
    assert!(place.trim_end().ends_with("/memdir/empty"), "{place}");
    config("bin/fake");
    let expect = "lexical: m1.md: chosen by words, as the request cannot be sent: `bin/fake` is neither an absolute path nor a name that PATH could find";
    assert_eq!(told(&ask(&sandbox)), expect);
}
