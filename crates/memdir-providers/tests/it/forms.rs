//! How a server is found out about.

use std::{sync::Mutex, time::SystemTime};

use memdir_core::FixedClock;
use memdir_model::{
    Error, Message, Metered, Model, Output, Patience, Request, Retry, Schema, Stop, Tool,
    budget::{Budget, Spent},
};
use memdir_providers::{Anthropic, Form, OpenAi, Options};
use serde_json::{Value, json};

use crate::{
    outcomes::Waits,
    server::{Reply, Seen, Server, error, json_reply, reply, words},
};

fn request() -> Request {
    let schema = json!({
        "type": "object",
        "properties": {"port": {"type": "integer"}},
        "required": ["port"],
        "additionalProperties": false,
    });
    Request::new("test", 100)
        .message(Message::user("Which port?"))
        .output(Output::Json(Schema::new("answer", schema)))
}

/// What of a body says how JSON is asked for.
fn form_of(body: &Value) -> String {
    let asked = ["response_format", "output_config", "tool_choice"]
        .into_iter()
        .filter(|field| body.get(field).is_some())
        .map(|field| format!("{field} {}", body[field].pointer("/type").unwrap_or(&Value::Null)));
    let asked: Vec<_> = asked.collect();
    let says = body.to_string().contains("It has to fit this JSON Schema:");
    asked.into_iter().chain(says.then(|| "words".to_owned())).collect::<Vec<_>>().join(", ")
}

async fn steps(model: impl Model, server: &Server) -> (String, u64) {
    let ledger = Mutex::new(Spent::default());
    let clock = FixedClock(SystemTime::UNIX_EPOCH);
    let metered = Metered::new(model, Budget::none(), &ledger, clock);
    let model = Retry::new(metered, Patience::default(), Waits::default());
    for _ in 0..2 {
        let answer = model.complete(&request()).await.unwrap();
        assert_eq!(answer.json(), Some(json!({"port": 8443})));
    }
    let forms: Vec<_> = server.seen().iter().map(|seen| form_of(&seen.json())).collect();
    let calls = ledger.lock().unwrap().calls_of_hour(SystemTime::UNIX_EPOCH);
    (forms.join("\n"), calls)
}

fn sure() -> Reply {
    json_reply(200, &words("Sure: {\"port\": 8443}"))
}

#[tokio::test]
async fn chat_completions_go_down_four_steps_and_each_is_a_call_of_the_budget() {
    let script = [
        error(400, "'response_format' of type 'json_schema' is not supported"),
        error(400, "tools param requires --jinja flag"),
        error(422, "response_format: unexpected value"),
        sure(),
        sure(),
    ];
    let server = Server::start(script).await;
    let model = OpenAi::new(server.options());
    let (forms, calls) = steps(&model, &server).await;
    insta::assert_snapshot!(forms, @r#"
    response_format "json_schema"
    tool_choice "function"
    response_format "json_object", words
    words
    words
    "#);
    assert_eq!((calls, model.form()), (5, Form::Words));
}

#[tokio::test]
async fn the_messages_api_goes_down_three_steps() {
    let script = [
        error(400, "output_config: Extra inputs are not permitted"),
        error(400, "Thinking may not be enabled when tool_choice forces tool use."),
        sure(),
        sure(),
    ];
    let server = Server::start(script).await;
    let model = Anthropic::new(server.options());
    let (forms, calls) = steps(&model, &server).await;
    insta::assert_snapshot!(forms, @r#"
    output_config null
    tool_choice "tool"
    words
    words
    "#);
    assert_eq!((calls, model.form()), (4, Form::Words));
}

#[tokio::test]
async fn only_a_refusal_that_speaks_of_the_form_is_a_step() {
    let plain = |status: u16, body: &str| reply(status, &[("content-type", "text/plain")], body);
    let of_fields = json!({"detail": [{"loc": ["body", "response_format", "type"], "msg": "Input should be 'text'"}]});
    for (refusal, is_step) in [
        (
            json_reply(
                400,
                &json!({"error": {"code": 400, "message": "failed to parse grammar", "type": "invalid_request_error"}}),
            ),
            true,
        ),
        (json_reply(400, &json!({"error": "invalid JSON schema in format"})), true),
        (json_reply(422, &of_fields), true),
        (error(404, "No endpoints found that can handle the requested parameters."), true),
        (plain(400, "Unknown field response_format"), true),
        (
            json_reply(
                400,
                &json!({"error": {"code": 400, "message": "the request exceeds the available context size", "type": "exceed_context_size_error"}}),
            ),
            false,
        ),
        (plain(404, "404 page not found"), false),
        (error(401, "no schema for you"), false),
        (error(429, "too many schema requests"), false),
        (error(500, "schema"), false),
    ] {
        let server = Server::start([refusal.clone(), refusal]).await;
        for (name, model) in server.both() {
            let error = model.complete(&request()).await.unwrap_err();
            assert_eq!(matches!(error, Error::Unsupported { .. }), is_step, "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn what_is_refused_for_words_is_no_step() {
    let server = Server::start(vec![error(400, "response_format, tool, schema"); 2]).await;
    let request = Request::new("test", 100).message(Message::user("x"));
    for (name, model) in server.both() {
        let error = model.complete(&request).await.unwrap_err();
        assert!(matches!(error, Error::Status { status: 400, .. }), "{name}: {error}");
    }
}

#[tokio::test]
async fn the_call_of_the_forced_tool_is_the_answer() {
    let anthropic = json!({
        "content": [{"type": "tool_use", "id": "t", "name": "answer", "input": {"port": 8443}}],
        "stop_reason": "tool_use",
    });
    let call = json!({"id": "t", "type": "function", "function": {"name": "answer", "arguments": "{\"port\": 8443}"}});
    let openai =
        json!({"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]});
    let server = Server::start([json_reply(200, &anthropic), json_reply(200, &openai)]).await;
    let options = || server.options().form(Form::Tool);
    for model in
        [Box::new(Anthropic::new(options())) as Box<dyn Model>, Box::new(OpenAi::new(options()))]
    {
        let answer = model.complete(&request()).await.unwrap();
        assert_eq!(answer.structured, Some(json!({"port": 8443})));
        assert_eq!(
            (answer.stop.clone(), answer.text()),
            (Stop::End, r#"{"port":8443}"#.to_owned())
        );
    }
    let forms: Vec<_> = server.seen().iter().map(|seen| form_of(&seen.json())).collect();
    assert_eq!(forms, [r#"tool_choice "tool""#, r#"tool_choice "function""#]);
    assert_eq!(server.seen()[0].json()["tools"][0]["name"], "answer");
    assert_eq!(server.seen()[1].json()["tool_choice"]["function"], json!({"name": "answer"}));
}

#[tokio::test]
async fn a_value_that_was_cut_is_none() {
    let cut = json!({
        "content": [{"type": "tool_use", "id": "t", "name": "answer", "input": {"port": 84}}],
        "stop_reason": "max_tokens",
    });
    let server = Server::start([json_reply(200, &cut)]).await;
    let model = Anthropic::new(server.options().form(Form::Tool));
    let answer = model.complete(&request()).await.unwrap();
    assert_eq!((answer.stop, answer.structured), (Stop::MaxTokens, None));
    assert_eq!(model.form(), Form::Tool);
}

#[tokio::test]
async fn a_form_that_a_server_does_not_heed_is_left_with_the_next_request() {
    let chatter = json_reply(200, &words("It is 8443."));
    let server = Server::start([chatter.clone(), chatter, sure()]).await;
    let model = OpenAi::new(server.options());
    let mut forms = vec![];
    for _ in 0..3 {
        forms.push(model.form());
        model.complete(&request()).await.unwrap();
    }
    assert_eq!(forms, [Form::Schema, Form::Tool, Form::Object]);
    assert_eq!(model.form(), Form::Object);
}

#[tokio::test]
async fn beside_tools_none_is_forced() {
    let server = Server::start([sure(), sure()]).await;
    let options = || server.options().form(Form::Tool);
    let request = request().tool(Tool::new("look", "Looks.", json!({"type": "object"})));
    Anthropic::new(options()).complete(&request).await.unwrap();
    OpenAi::new(options()).complete(&request).await.unwrap();
    let forms: Vec<_> = server.seen().iter().map(|seen| form_of(&seen.json())).collect();
    assert_eq!(forms, ["words", "response_format \"json_object\", words"]);
}

#[tokio::test]
async fn a_server_without_tools_is_told_from_one_that_refuses_a_request() {
    let request = Request::new("test", 100).message(Message::user("x"));
    let look = || Tool::new("look", "Looks.", json!({"type": "object"}));
    for (refusal, without_tools) in [
        (json_reply(400, &json!({"error": {"message": "model:2b does not support tools"}})), true),
        (error(404, "No endpoints found that support tool use."), true),
        (error(400, "tools param requires --jinja flag"), true),
        (error(400, "\"auto\" tool choice requires --enable-auto-tool-choice"), true),
        (error(422, "tools: Extra inputs are not permitted"), true),
        (error(400, "tools.0.name: String should have at most 64 characters"), false),
        (error(400, "prompt is too long"), false),
        (error(401, "tools are not supported"), false),
        (error(500, "tools are not supported"), false),
    ] {
        let server = Server::start(vec![refusal; 4]).await;
        for (name, model) in server.both() {
            let error = model.complete(&request.clone().tool(look())).await.unwrap_err();
            assert_eq!(matches!(error, Error::ToolsUnsupported), without_tools, "{name}: {error}");
            let error = model.complete(&request).await.unwrap_err();
            assert!(matches!(error, Error::Status { .. }), "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn the_cap_goes_by_its_second_name_where_the_first_is_refused() {
    let refusal = "Unsupported parameter: use 'max_completion_tokens' instead of 'max_tokens'.";
    let server = Server::start([error(400, refusal), sure(), error(400, refusal)]).await;
    let model = Retry::new(OpenAi::new(server.options()), Patience::default(), Waits::default());
    assert!(model.complete(&request()).await.is_ok());
    let caps: Vec<_> = server
        .seen()
        .iter()
        .map(Seen::json)
        .map(|body| (body["max_tokens"].clone(), body["max_completion_tokens"].clone()))
        .collect();
    assert_eq!(caps, [(json!(100), json!(null)), (json!(null), json!(100))]);
    // A server that wants both is not asked for ever.
    let error = model.complete(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), format!("the model's server answered 400: {refusal}"));
}

#[test]
fn a_provider_begins_where_an_earlier_one_came_to() {
    let options = || Options::new("http://localhost:1", "m").unwrap().form(Form::Object);
    assert_eq!(OpenAi::new(options()).form(), Form::Object);
    assert_eq!(Anthropic::new(options()).form(), Form::Words);
}
