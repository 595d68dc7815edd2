//! A real model behind llama.cpp's server, at the address in `MEMDIR_MODEL_URL`.

use memdir_model::{Content, Error, Message, Model, Output, Request, Response, Schema, Stop};
use memdir_providers::{Anthropic, Form, OpenAi, Options};
use serde_json::{Value, json};

fn options() -> Option<Options> {
    let Ok(url) = std::env::var("MEMDIR_MODEL_URL") else {
        eprintln!("skipped: needs MEMDIR_MODEL_URL: the address of a server with a small model");
        return None;
    };
    Some(Options::new(&url, "local").unwrap())
}

const NAMES: [&str; 3] = ["feedback_real-database.md", "project_release.md", "user_role.md"];

fn choice(words: u32, names: &Value) -> Request {
    let schema = json!({
        "type": "object",
        "properties": {"selected_memories": {"type": "array", "items": names}},
        "required": ["selected_memories"],
        "additionalProperties": false,
    });
    Request::new("test", words)
        .system(format!("Choose the files that help with the question: {}.", NAMES.join(", ")))
        .message(Message::user("Which database do the tests run against?"))
        .output(Output::Json(Schema::new("selection", schema)))
}

/// Whether an answer holds known names and no others.
fn is_a_choice(answer: &Response) -> bool {
    let json = answer.json().unwrap_or_default();
    let Some(names) = json["selected_memories"].as_array() else { return false };
    names.iter().all(|name| name.as_str().is_some_and(|name| NAMES.contains(&name)))
}

#[tokio::test]
async fn a_real_model_chooses_among_known_names() {
    let Some(options) = options() else { return };
    let model = OpenAi::new(options);
    let answer =
        model.complete(&choice(200, &json!({"type": "string", "enum": NAMES}))).await.unwrap();
    assert!(is_a_choice(&answer) || answer.stop == Stop::MaxTokens, "{answer:?}");
    assert!(answer.usage.input > 0 && answer.usage.output > 0, "{answer:?}");
    assert_eq!(model.form(), Form::Schema);
    eprintln!("{:?} {:?}: {}", answer.stop, answer.usage, answer.text());
}

#[tokio::test]
async fn an_answer_of_a_real_model_that_is_cut_says_so() {
    let Some(options) = options() else { return };
    let names = json!({"type": "string", "enum": NAMES});
    for form in [Form::Schema, Form::Object, Form::Words] {
        let model = OpenAi::new(options.clone().form(form));
        let answer = model.complete(&choice(3, &names)).await.unwrap();
        assert_eq!((answer.stop.clone(), answer.json()), (Stop::MaxTokens, None), "{answer:?}");
    }
}

#[tokio::test]
async fn a_tool_that_a_real_model_must_call_brings_a_value_or_is_left() {
    let Some(options) = options() else { return };
    let model = OpenAi::new(options.form(Form::Tool));
    let asked = choice(200, &json!({"type": "string", "enum": NAMES}));
    let answer = model.complete(&asked).await.unwrap();
    // The server may cut the answer, and it does not make the model call.
    let heeded = is_a_choice(&answer) || answer.json().is_some() || answer.stop == Stop::MaxTokens;
    assert!(heeded || model.form() > Form::Tool, "{answer:?}");
    assert!(answer.content.iter().all(|part| !matches!(part, Content::Call { .. })), "{answer:?}");
    eprintln!("{:?} {:?}: {}", answer.stop, model.form(), answer.text());
}

#[tokio::test]
async fn odd_refusals_of_a_real_server_are_typed() {
    let Some(options) = options() else { return };
    let model = OpenAi::new(options.clone());
    let odd = choice(20, &json!({"type": "no such type"}));
    let error = model.complete(&odd).await.unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
    assert_ne!(model.form(), Form::Schema);
    eprintln!("{error}");
    let long = Request::new("test", 20).message(Message::user("long ".repeat(60_000)));
    let error = model.complete(&long).await.unwrap_err();
    assert!(matches!(error, Error::Status { status: 400, .. }), "{error:?}");
    eprintln!("{error}");
}

#[tokio::test]
async fn a_real_server_speaks_the_messages_api_without_its_schemas() {
    let Some(options) = options() else { return };
    let model = Anthropic::new(options);
    let answer = model
        .complete(&Request::new("test", 12).message(Message::user("Say hello.")))
        .await
        .unwrap();
    assert!(!answer.text().is_empty() && answer.usage.output > 0, "{answer:?}");
    assert!(matches!(answer.stop, Stop::End | Stop::MaxTokens), "{answer:?}");
    eprintln!("{:?} {:?}: {}", answer.stop, answer.usage, answer.text());
}
