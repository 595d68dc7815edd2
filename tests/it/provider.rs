//! The real client as a model behind the port. Needs `MEMDIR_CLAUDE`, the path of its binary; its own model is scripted on the
//! loopback.

use std::ffi::OsStr;
use std::fs;
use std::time::Duration;

use memdir_model::{Deadline, Error, Message, Model, Output, Request, Schema, Stop};
use memdir_providers::Command;
use serde_json::json;

use crate::client::{client, text_of};
use crate::fake_api::{FakeApi, Turn};
use crate::sandbox::Sandbox;

const KEY: &str = "planted-key-4f9a1c7d2e8b";

/// The client in an empty folder; its user has rules and a hook, which are not for this.
fn provider(sandbox: &Sandbox, program: &OsStr, api: &str) -> impl Model + use<> {
    for folder in ["empty", "tmp", "home/.claude"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    fs::write(sandbox.path("home/.claude/CLAUDE.md"), "Rules of the user.").unwrap();
    let hook = json!({"type": "command", "command": format!("env >> '{}'", sandbox.path("hooked").display())});
    let hooks = ["SessionStart", "UserPromptSubmit", "Stop"]
        .map(|event| (event, json!([{"hooks": [hook]}])));
    let settings =
        json!({"hooks": hooks.into_iter().collect::<std::collections::BTreeMap<_, _>>()});
    fs::write(sandbox.path("home/.claude/settings.json"), settings.to_string()).unwrap();
    let path = |name: &str| sandbox.path(name).into_os_string();
    let environment = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin".into()),
        ("HOME", path("home")),
        ("TMPDIR", path("tmp")),
        ("CLAUDE_CODE_TMPDIR", path("tmp")),
        ("LANG", "C.UTF-8".into()),
        ("ANTHROPIC_BASE_URL", api.into()),
        ("ANTHROPIC_API_KEY", KEY.into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        ("DISABLE_TELEMETRY", "1".into()),
        ("DISABLE_ERROR_REPORTING", "1".into()),
        ("DISABLE_AUTOUPDATER", "1".into()),
        // Whatever it tries besides ends at a closed port.
        ("HTTPS_PROXY", "http://127.0.0.1:9".into()),
        ("NO_PROXY", "127.0.0.1".into()),
        // As in a hook of a session.
        ("CLAUDECODE", "1".into()),
        ("CLAUDE_CODE_ENTRYPOINT", "cli".into()),
    ];
    let command = Command::new(program, sandbox.path("empty")).environment(environment);
    // Ends a client that hangs.
    Deadline::new(command, Duration::from_secs(120), tokio::time::sleep)
}

fn request() -> Request {
    Request::new("test", 77).system("Choose one.").message(Message::user("Which port?"))
}

#[tokio::test]
async fn the_client_answers_in_the_form_that_is_asked_for_and_takes_nothing_of_its_user_along() {
    let Some(program) = client() else { return };
    let sandbox = Sandbox::new();
    let call = Turn::Use { tool: "StructuredOutput", input: json!({"port": 8443}) };
    let api = FakeApi::start(vec![call]);
    let model = provider(&sandbox, &program, &api.url());
    let schema = json!({
        "type": "object",
        "properties": {"port": {"type": "integer"}},
        "required": ["port"],
        "additionalProperties": false,
    });
    let asked = request().output(Output::Json(Schema::new("answer", schema)));
    let answer = model.complete(&asked).await.unwrap();
    assert_eq!((answer.json(), answer.stop), (Some(json!({"port": 8443})), Stop::End));
    assert!(answer.usage.input > 0 && answer.usage.micros.is_some_and(|micros| micros > 0));

    let requests = api.requests();
    assert_eq!(requests.len(), 1, "{requests:#?}");
    let body = &requests[0];
    assert_eq!(body["max_tokens"], 77);
    assert!(text_of(&body["system"]).contains("Choose one."), "{body:#}");
    assert!(text_of(&body["messages"]).contains("Which port?"), "{body:#}");
    assert!(!body.to_string().contains("Rules of the user."), "{body:#}");
    let tools: Vec<_> =
        body["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert!(tools.contains(&&json!("StructuredOutput")), "{tools:?}");
    assert!(!tools.iter().any(|tool| *tool == "Bash" || *tool == "Write"), "{tools:?}");
    assert!(!sandbox.path("hooked").try_exists().unwrap(), "a hook ran");
    assert_eq!(fs::read_dir(sandbox.path("empty")).unwrap().count(), 0);
    let sessions = fs::read_dir(sandbox.path("home/.claude/projects"));
    assert!(sessions.is_err() || sessions.unwrap().count() == 0, "a session was kept");
}

#[tokio::test]
async fn the_client_answers_in_words_reads_no_file_and_tells_what_its_server_refuses() {
    let Some(program) = client() else { return };
    let sandbox = Sandbox::new();
    let api = FakeApi::start(vec![Turn::Say("8443")]);
    let model = provider(&sandbox, &program, &api.url());
    let answer = model.complete(&request()).await.unwrap();
    assert_eq!((answer.text(), answer.stop), ("8443".to_owned(), Stop::End));

    // Neither a command of the client nor the mention of a file is one.
    let secret = sandbox.path("home/notes.txt");
    fs::write(&secret, "Words of a file.").unwrap();
    for text in ["/help".to_owned(), format!("see @{} please", secret.display())] {
        let before = api.requests().len();
        let asked = Request::new("test", 77).message(Message::user(text));
        assert_eq!(model.complete(&asked).await.unwrap().text(), "done");
        let requests = api.requests();
        assert_eq!(requests.len(), before + 1);
        assert!(!requests[before].to_string().contains("Words of a file."), "{requests:#?}");
    }

    // A server without the endpoint: the client is told once, and so are we.
    let elsewhere = provider(&sandbox, &program, &format!("{}/nowhere?", api.url()));
    let error = elsewhere.complete(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Status { .. } | Error::Program { .. }), "{error:?}");
    assert!(!format!("{error:?} {error}").contains(KEY));
}
