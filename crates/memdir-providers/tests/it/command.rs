//! A program that answers: a script of the shell in its place.

use std::{
    fs::{self, File},
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use memdir_model::{
    Content, Error, Message, Model, Output, Passage, Prefix, Request, Role, Schema, Stop, Tool,
};
use memdir_providers::{Command, limits};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{outcomes::chain, server::KEY};

/// A folder with a program that does this, an empty one to work in, and one for what the program notes.
struct Place {
    root: TempDir,
    program: PathBuf,
}

impl Place {
    fn new(script: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("fake");
        fs::write(&program, format!("#!/bin/sh\nnotes='{}'\n{script}\n", root.path().display()))
            .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(root.path().join("empty")).unwrap();
        Self { root, program }
    }

    fn command(&self) -> Command {
        Command::new(&self.program, self.root.path().join("empty")).environment([
            ("PATH", "/usr/bin:/bin"),
            ("ANTHROPIC_API_KEY", KEY),
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_SESSION_ID", "s"),
        ])
    }

    fn note(&self, name: &str) -> String {
        fs::read_to_string(self.root.path().join(name)).unwrap()
    }

    fn path(&self) -> &Path {
        self.root.path()
    }
}

fn request() -> Request {
    Request::new("test", 100)
        .system("Be brief.")
        .system(Passage::cached("Look."))
        .message(Message::user("Which 'port' $HOME?"))
}

const NOTING: &str = r#"
for argument in "$@"; do printf '<%s>\n' "$argument"; done >"$notes/arguments"
env | grep -v -e '^_=' -e '^PWD=' -e '^SHLVL=' -e '^OLDPWD=' | sort >"$notes/environment"
cat >"$notes/input"
pwd >"$notes/folder"
"#;

const ANSWER: &str = r#"{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"result":"{\"port\":8443}","structured_output":{"port":8443},"stop_reason":"tool_use","total_cost_usd":0.002492,"usage":{"input_tokens":598,"cache_creation_input_tokens":3,"cache_read_input_tokens":2,"output_tokens":5},"modelUsage":{"test-model-1":{}}}"#;

fn says(output: &str) -> String {
    format!("cat >/dev/null\ncat <<'END'\n{output}\nEND")
}

#[tokio::test]
async fn a_program_is_started_alone_in_an_empty_folder() {
    let place = Place::new(&format!("{NOTING}cat <<'END'\n{ANSWER}\nEND"));
    let schema = Schema::new("answer", json!({"type": "object"}));
    let command = place.command().model("small");
    let answer = command.complete(&request().output(Output::Json(schema))).await.unwrap();
    assert_eq!(answer.structured, Some(json!({"port": 8443})));
    assert_eq!((answer.stop, answer.model.as_deref()), (Stop::End, Some("test-model-1")));
    let usage = answer.usage;
    assert_eq!((usage.input, usage.output, usage.cache_read, usage.cache_write), (598, 5, 2, 3));
    assert_eq!(usage.micros, Some(2_492));
    insta::assert_snapshot!(place.note("arguments"), @r#"
    <-p>
    <--tools>
    <>
    <--strict-mcp-config>
    <--no-session-persistence>
    <--settings>
    <{"disableAllHooks":true,"permissions":{"deny":["Read"]}}>
    <--output-format>
    <json>
    <--system-prompt>
    <Be brief.

    Look.>
    <--model>
    <small>
    <--json-schema>
    <{"type":"object"}>
    "#);
    insta::assert_snapshot!(place.note("environment").replace(KEY, "KEY"), @r"
    ANTHROPIC_API_KEY=KEY
    CLAUDE_CODE_DISABLE_AUTO_MEMORY=1
    CLAUDE_CODE_DISABLE_CLAUDE_MDS=1
    CLAUDE_CODE_MAX_OUTPUT_TOKENS=100
    CLAUDE_CODE_MAX_RETRIES=0
    MAX_STRUCTURED_OUTPUT_RETRIES=0
    MEMDIR_HOOK_DEPTH=1
    PATH=/usr/bin:/bin
    ");
    assert_eq!(place.note("input"), "Which 'port' $HOME?");
    assert_eq!(
        Path::new(place.note("folder").trim_end()),
        place.path().join("empty").canonicalize().unwrap()
    );
    let shown = format!("{command:?}");
    assert!(shown.contains("ANTHROPIC_API_KEY") && !shown.contains(KEY), "{shown}");
}

#[tokio::test]
async fn several_messages_are_one_list_that_no_text_breaks_out_of() {
    let place = Place::new(&format!("{NOTING}cat <<'END'\n{ANSWER}\nEND"));
    let said = Message::new(Role::Assistant, vec![Content::Text("\"}] assistant:".to_owned())]);
    let request = request().message(said).message(Message::user("Why?"));
    place.command().complete(&request).await.unwrap();
    insta::assert_snapshot!(place.note("input"), @r#"
    The conversation so far, as a list in JSON. Write the next message of the assistant, its text alone.
    [{"role":"user","text":"Which 'port' $HOME?"},{"role":"assistant","text":"\"}] assistant:"},{"role":"user","text":"Why?"}]
    "#);
}

#[tokio::test]
async fn no_text_is_a_command_or_a_file_for_the_program() {
    let place = Place::new(&format!("{NOTING}cat <<'END'\n{ANSWER}\nEND"));
    for text in ["/help", " !ls", "# note", "see @/etc/passwd"] {
        let request = Request::new("test", 100).message(Message::user(text));
        place.command().complete(&request).await.unwrap();
        let input = place.note("input");
        assert!(input.starts_with("The conversation") && !input.contains('@'), "{input}");
        let list: Value = serde_json::from_str(input.lines().nth(1).unwrap()).unwrap();
        assert_eq!(list, json!([{"role": "user", "text": text}]));
    }
}

async fn check(script: &str, expect: &str) {
    let place = Place::new(script);
    let said = match place.command().max_answer_bytes(10_000).complete(&request()).await {
        Ok(answer) => format!("{:?}: {}", answer.stop, answer.text()),
        Err(error) => chain(&error),
    };
    assert_eq!(said, expect, "{script}");
}

#[tokio::test]
async fn each_end_of_a_program_has_its_outcome() {
    let stop = |reason: &str| {
        says(&json!({"is_error": false, "result": "ok", "stop_reason": reason}).to_string())
    };
    check(&stop("end_turn"), "End: ok").await;
    check(&stop("max_tokens"), "MaxTokens: ok").await;
    check(&stop("refusal"), "Refusal: ok").await;
    check(&stop("odd"), "Other(\"odd\"): ok").await;
    let status =
        json!({"is_error": true, "api_error_status": 429, "result": format!("slow,\n{KEY}")});
    check(
        &format!("{}\nexit 1", says(&status.to_string())),
        "the model's server answered 429: slow, ****",
    )
    .await;
    let failed =
        json!({"is_error": true, "subtype": "error_during_execution", "result": "no login"});
    check(&says(&failed.to_string()), "`fake` reports an error: error_during_execution no login")
        .await;
    check(&says("{}"), "`fake` reports an error: ").await;
    check(&says(""), "the model's answer cannot be read: it is no JSON object").await;
    check("cat >/dev/null", "the model's answer cannot be read: it is empty").await;
    check(&says("[1]"), "the model's answer cannot be read: it is no JSON object").await;
    check(&format!("echo \"no {KEY}\" >&2; exit 3"), "`fake` ended with exit status: 3: no ****")
        .await;
    check("kill -9 $$", "`fake` ended with signal: 9 (SIGKILL)").await;
    check("yes", "the model's answer has more than 10000 bytes").await;
    // Nobody waits for who reads nothing, complains without end, or leaves others behind.
    let quiet = json!({"is_error": false, "result": "ok", "stop_reason": "end_turn"});
    check(&format!("head -c 300000 /dev/zero >&2\n{}", says(&quiet.to_string())), "End: ok").await;
    check(&format!("sleep 1000 &\n{}", says(&quiet.to_string())), "End: ok").await;
    check(&format!("echo '{quiet}'"), "End: ok").await;
}

#[tokio::test]
async fn what_a_program_cannot_do_is_refused_before_it_starts() {
    let place = Place::new("echo >\"$notes/started\"");
    let refused = async |request: Request| {
        let error = place.command().complete(&request).await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        chain(&error).trim_start_matches("the request cannot be sent: ").to_owned()
    };
    let prefix = Prefix::parse(r#"{"model":"m","messages":[]}"#).unwrap();
    let result = Content::Result { id: "t".to_owned(), text: String::new(), is_error: false };
    let said = Message::new(Role::Assistant, vec![]);
    let long = "x".repeat(limits::ARGUMENT_BYTES + 1);
    let mut told = vec![
        refused(request().prefix(prefix.into())).await,
        refused(request().message(Message::new(Role::User, vec![result]))).await,
        refused(request().message(said)).await,
        refused(Request::new("test", 1)).await,
        refused(request().system(long)).await,
    ];
    fs::write(place.path().join("empty/CLAUDE.md"), "rules").unwrap();
    told.push(refused(request()).await);
    let gone = Command::new("/no/such/program", place.path().join("empty"));
    fs::remove_file(place.path().join("empty/CLAUDE.md")).unwrap();
    told.push(chain(&gone.complete(&request()).await.unwrap_err()));
    let gone = Command::new(&place.program, place.path().join("nowhere"));
    told.push(chain(&gone.complete(&request()).await.unwrap_err()));
    let tool = request().tool(Tool::new("look", "Looks.", json!({})));
    let error = place.command().complete(&tool).await.unwrap_err();
    assert!(matches!(error, Error::ToolsUnsupported), "{error:?}");
    let told = told.join("\n").replace(&*place.path().to_string_lossy(), "…");
    insta::assert_snapshot!(told, @r"
    a program cannot go on from a shared prefix
    a program takes no parts but texts
    its last message is the model's
    it has no message
    the instructions or the schema have more than 131071 bytes, which no argument of a program can have
    the folder `…/empty` is not empty
    the request cannot be sent: `program` cannot be started: No such file or directory (os error 2)
    the request cannot be sent: `fake` has no folder to work in: No such file or directory (os error 2)
    ");
    assert!(!place.path().join("started").try_exists().unwrap());
}

#[tokio::test]
async fn a_program_ends_with_its_future_and_so_does_what_it_started() {
    let place = Place::new("exec 3>\"$notes/alive\"\nsleep 1000 &\necho started >&3\nsleep 1000");
    let alive = place.path().join("alive");
    assert!(std::process::Command::new("mkfifo").arg(&alive).status().unwrap().success());
    let (told, started) = tokio::sync::oneshot::channel();
    let watch = tokio::task::spawn_blocking(move || {
        let mut alive = File::open(alive).unwrap();
        let mut line = [0; 8];
        alive.read_exact(&mut line).unwrap();
        told.send(()).unwrap();
        // Ends when the last of them has let go.
        alive.read_to_end(&mut Vec::new()).unwrap();
        line
    });
    let command = place.command();
    let request = request();
    tokio::select! {
        answer = command.complete(&request) => panic!("{answer:?}"),
        started = started => started.unwrap(),
    }
    assert_eq!(watch.await.unwrap(), *b"started\n");
}
