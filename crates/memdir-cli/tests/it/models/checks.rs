//! `config check` and how settings of a model are shown.

use insta::assert_snapshot;
use serde_json::json;

use super::server::{Reply, Server, completion, error, words};
use super::{KEY, key_is_nowhere, some};
use crate::sandbox::Sandbox;

/// What the command prints, without what differs between runs.
fn run(sandbox: &Sandbox, server: &Server, args: &[&str]) -> String {
    let output = sandbox.output(args);
    key_is_nowhere(sandbox, &output);
    let shown = sandbox.show(&output).replace(server.address(), "$SERVER");
    let line = |line: &str| {
        let time =
            ["time: ", "  \"milliseconds\": "].into_iter().find(|start| line.starts_with(start));
        time.map_or(line.to_owned(), |start| format!("{start}…"))
    };
    shown.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_works_is_told_without_the_key() {
    let server = Server::new([words(r#"{"answer": "yes"}"#, "end_turn")]);
    let sandbox = some(&server, 5, "");
    assert_snapshot!(run(&sandbox, &server, &["config", "check"]), @"
    provider: anthropic
    address: $SERVER
    model: a-model
    key: environment variable ANTHROPIC_API_KEY
    answers: yes
    JSON: by a schema
    time: …
    tokens: 40 read, 5 written
    [exit status: 0]
    ");
    assert_snapshot!(run(&sandbox, &server, &["config", "check", "--json"]), @r#"
    {
      "address": "$SERVER",
      "json": "schema",
      "key": "environment variable ANTHROPIC_API_KEY",
      "milliseconds": …
      "model": "a-model",
      "provider": "anthropic",
      "tokens": {
        "cache_read": 0,
        "cache_write": 0,
        "input": 40,
        "output": 5
      },
      "works": true
    }
    [exit status: 0]
    "#);
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn the_way_to_json_that_a_server_knows_is_told() {
    let server = Server::new([
        error(400, "unknown field response_format"),
        error(422, "no tools"),
        completion(&json!({"answer": "yes"})),
    ]);
    let sandbox = some(&server, 5, "").env("OPENAI_API_KEY", KEY);
    let config = sandbox.read("home/.config/memdir/config.toml").replace("anthropic", "openai");
    sandbox.write("home/.config/memdir/config.toml", 0, config);
    assert_snapshot!(run(&sandbox, &server, &["config", "check"]), @"
    provider: openai
    address: $SERVER
    model: a-model
    key: environment variable OPENAI_API_KEY
    answers: yes
    JSON: by a wish for JSON
    time: …
    tokens: 40 read, 5 written
    [exit status: 0]
    ");
}

#[test]
fn each_failure_has_its_exit_code() {
    for (reply, seconds, exit, what) in [
        (words("Yes.", "end_turn"), 5, 0, "JSON: none came"),
        (words("", "refusal"), 5, 3, "the model refused to answer"),
        (words("", "max_tokens"), 5, 4, "the model's answer was cut"),
        (error(401, KEY), 5, 4, "the model's server answered 401: ****"),
        (Reply::Never, 1, 4, "no answer from the model within 1s"),
    ] {
        let server = Server::new([reply]);
        let shown = run(&some(&server, seconds, ""), &server, &["config", "check"]);
        assert!(shown.contains(what), "{shown}");
        assert!(shown.ends_with(&format!("[exit status: {exit}]")), "{shown}");
    }
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(["config", "check"]), @r#"
    ------- stderr -------
    error: no model is configured
      try: write into $TEST_ENV/home/.config/memdir/config.toml: [model], below it provider = "anthropic", "openai" or "command", and name = "…"
    [exit status: 2]
    "#);
    sandbox.write(
        "home/.config/memdir/config.toml",
        0,
        "[model]\nprovider = \"openai\"\naddress = \"http://127.0.0.1:9\"\n",
    );
    assert_snapshot!(sandbox.run(["config", "check"]), @"
    provider: openai
    address: http://127.0.0.1:9
    key: environment variable OPENAI_API_KEY
    ------- stderr -------
    error: the request cannot be sent: no model is named
      where: $TEST_ENV/home/.config/memdir/config.toml
      try: memdir config --help lists the keys
    [exit status: 2]
    ");
}

#[test]
fn the_model_is_shown_with_its_origin_and_arguments_of_a_helper_are_not() {
    let sandbox = Sandbox::new().env("MEMDIR_MODEL_NAME", "another");
    sandbox.write(
        "home/.config/memdir/config.toml",
        0,
        format!(
            "[model]\nprovider = \"openai\"\nname = \"m\"\nkey_command = [\"echo\", \"{KEY}\"]\n\
             price = {{ input = 0.5, output = 2 }}\n[budget]\ndollars_per_day = 1.25\nhourly = 3\n"
        ),
    );
    assert_snapshot!(sandbox.run(["config"]), @r#"
    memory_dir = "$TEST_ENV/memory"  # `MEMDIR_MEMORY_DIR`
    layout = "claude-code"  # default
    per_worktree = false  # default
    trusted_projects = []  # default
    auto_memory = true  # default
    recall = true  # default
    selector = "auto"  # default
    model.provider = "openai"  # $TEST_ENV/home/.config/memdir/config.toml
    model.name = "another"  # environment variable MEMDIR_MODEL_NAME
    model.address = "https://api.openai.com"  # default
    model.key_command = "echo"  # $TEST_ENV/home/.config/memdir/config.toml
    model.timeout_seconds = 10  # default
    model.price = {"cache_read":0.5,"cache_write":0.5,"input":0.5,"output":2.0}  # $TEST_ENV/home/.config/memdir/config.toml
    budget.calls_per_hour = 60  # default
    budget.tokens_per_day = 2000000  # default
    budget.dollars_per_day = 1.25  # $TEST_ENV/home/.config/memdir/config.toml
    ------- stderr -------
    warning: the key `budget.hourly` is unknown and was ignored
      where: $TEST_ENV/home/.config/memdir/config.toml
      try: known keys: calls_per_hour, tokens_per_day, dollars_per_day
    [exit status: 0]
    "#);
    sandbox.write("home/.config/memdir/config.toml", 0, "[model]\nprovider = \"command\"\n");
    assert_snapshot!(sandbox.run(["config"]), @r#"
    memory_dir = "$TEST_ENV/memory"  # `MEMDIR_MEMORY_DIR`
    layout = "claude-code"  # default
    per_worktree = false  # default
    trusted_projects = []  # default
    auto_memory = true  # default
    recall = true  # default
    selector = "auto"  # default
    model.provider = "command"  # $TEST_ENV/home/.config/memdir/config.toml
    model.name = "another"  # environment variable MEMDIR_MODEL_NAME
    model.program = "claude"  # default
    model.timeout_seconds = 10  # default
    budget.calls_per_hour = 60  # default
    budget.tokens_per_day = 2000000  # default
    [exit status: 0]
    "#);
}
