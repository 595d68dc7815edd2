//! What is sent.

use std::sync::Arc;

use memdir_model::{
    Content, Error, Message, Model, Output, Passage, Prefix, Request, Role, Schema, Tool,
};
use memdir_providers::{Anthropic, Form, OpenAi};
use serde_json::{Value, json};

use crate::server::{Server, json_reply, words};

/// A conversation with all kinds of parts.
fn conversation() -> Request {
    let call = |id: &str, at: u32| Content::Call {
        id: id.to_owned(),
        tool: "look".to_owned(),
        input: json!({"at": at}),
    };
    let result = |id: &str, text: &str, is_error| Content::Result {
        id: id.to_owned(),
        text: text.to_owned(),
        is_error,
    };
    let model = vec![
        Content::Text("I look.".to_owned()),
        Content::Text(" ".to_owned()),
        call("t1", 1),
        call("t2", 2),
    ];
    let user = vec![
        Content::Text("Here.".to_owned()),
        result("t1", "seen", false),
        result("t2", "not there", true),
    ];
    Request::new("test", 100)
        .system("Be brief.")
        .system(Passage::cached("Look before you answer."))
        .tool(Tool::new("look", "Looks at a place.", json!({"type": "object"})))
        .message(Message::user("Which port?"))
        .message(Message::new(Role::Assistant, model))
        .message(Message::new(Role::User, user).cached())
}

/// The bodies that both APIs get for a request, each on one line.
async fn sent(request: &Request) -> String {
    let server =
        Server::start([json_reply(200, &words("8443")), json_reply(200, &words("8443"))]).await;
    for (_, model) in server.both() {
        model.complete(request).await.unwrap();
    }
    let heads: Vec<_> = server.seen().iter().map(|seen| path(&seen.head)).collect();
    assert_eq!(heads, ["/v1/messages", "/v1/chat/completions"]);
    server.seen().into_iter().map(|seen| seen.body + "\n").collect()
}

fn path(head: &str) -> String {
    head.split(' ').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn a_conversation_is_sent_in_the_form_of_each_api() {
    insta::assert_snapshot!(sent(&conversation()).await, @r#"
    {"model":"test-model","max_tokens":100,"tools":[{"name":"look","description":"Looks at a place.","input_schema":{"type":"object"}}],"system":[{"type":"text","text":"Be brief."},{"type":"text","text":"Look before you answer.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Which port?"}]},{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"look","input":{"at":1}},{"type":"tool_use","id":"t2","name":"look","input":{"at":2}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"seen"},{"type":"tool_result","tool_use_id":"t2","content":"not there","is_error":true},{"type":"text","text":"Here.","cache_control":{"type":"ephemeral"}}]}]}
    {"model":"test-model","max_tokens":100,"tools":[{"type":"function","function":{"name":"look","description":"Looks at a place.","parameters":{"type":"object"}}}],"messages":[{"role":"system","content":"Be brief.\n\nLook before you answer."},{"role":"user","content":"Which port?"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"t1","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}},{"id":"t2","type":"function","function":{"name":"look","arguments":"{\"at\":2}"}}]},{"role":"tool","content":"seen","tool_call_id":"t1"},{"role":"tool","content":"Error: not there","tool_call_id":"t2"},{"role":"user","content":"Here."}]}
    "#);
}

#[tokio::test]
async fn a_schema_is_asked_for_in_the_form_of_each_api() {
    let schema = Schema::new("choice", json!({"type": "object"}));
    let request =
        Request::new("test", 100).message(Message::user("Which?")).output(Output::Json(schema));
    insta::assert_snapshot!(sent(&request).await, @r#"
    {"model":"test-model","max_tokens":100,"messages":[{"role":"user","content":[{"type":"text","text":"Which?"}]}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}
    {"model":"test-model","max_tokens":100,"messages":[{"role":"user","content":"Which?"}],"response_format":{"type":"json_schema","json_schema":{"name":"choice","strict":true,"schema":{"type":"object"}}}}
    "#);
}

#[tokio::test]
async fn thoughts_go_back_to_the_api_that_had_them() {
    let thinking = json!({"type": "thinking", "signature": "s1", "thinking": "hm"});
    let reasoning = json!({"reasoning_content": "hm"});
    for (at, thought) in [thinking, reasoning].into_iter().enumerate() {
        let said = vec![Content::Opaque(thought.clone()), Content::Text("8443".to_owned())];
        let request = Request::new("test", 100)
            .message(Message::user("Which port?"))
            .message(Message::new(Role::Assistant, said))
            .message(Message::user("Why?"));
        let sent: Vec<Value> =
            sent(&request).await.lines().map(|body| serde_json::from_str(body).unwrap()).collect();
        match at {
            0 => assert_eq!(sent[0]["messages"][1]["content"][0], thought),
            _ => assert_eq!(sent[1]["messages"][1]["reasoning_content"], "hm"),
        }
    }
}

#[tokio::test]
async fn of_many_breakpoints_the_last_four_are_sent() {
    let mut request =
        Request::new("test", 100).system(Passage::cached("s1")).system(Passage::cached("s2"));
    for at in 0..4 {
        request = request.message(Message::user(format!("u{at}")).cached());
    }
    let sent = sent(&request).await;
    let body: Value = serde_json::from_str(sent.lines().next().unwrap()).unwrap();
    let kept = json!({"type": "ephemeral"});
    let marked = |part: &Value| part["cache_control"] == kept;
    let system: Vec<_> = body["system"].as_array().unwrap().iter().map(marked).collect();
    let messages: Vec<_> =
        body["messages"].as_array().unwrap().iter().map(|it| marked(&it["content"][0])).collect();
    assert_eq!((system, messages), (vec![false, false], vec![true; 4]));
    assert!(!sent.lines().nth(1).unwrap().contains("cache_control"));
}

#[tokio::test]
async fn what_every_server_refuses_is_not_sent() {
    let server = Server::start([]).await;
    let last_word = Message::new(Role::Assistant, vec![Content::Text("8443".to_owned())]);
    let request = Request::new("test", 100).message(Message::user("x")).message(last_word);
    for (name, model) in server.both() {
        let error = model.complete(&request).await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{name}: {error}");
    }
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_shared_prefix_is_the_same_bytes_on_the_wire() {
    let parent = r#"{"model":"host-model","stream":true,"system":[{"type":"text","text":"h\u00e9","cache_control":{"type":"ephemeral"}}],"tools":[{"name":"Read","input_schema":{"b":1.50,"a":2}}],"messages":[ {"role" : "user","content":"hi"} ],"max_tokens":9}"#;
    let prefix = Arc::new(Prefix::parse(parent).unwrap());
    let fork = |at: usize| {
        let mut request = Request::new("test", 100).prefix(Arc::clone(&prefix));
        for at in 0..=at {
            request = request.message(Message::user(format!("fork {at}")).cached());
        }
        request
    };
    let shared = parent.replace(r#""stream":true,"#, "").replace(r#" ],"max_tokens":9}"#, " ");
    let sent = sent(&fork(0)).await;
    for (body, more) in sent.lines().zip([
        r#","messages":[ {"role" : "user","content":"hi"} ,{"role":"user","content":[{"type":"text","text":"fork 0","cache_control":{"type":"ephemeral"}}]}],"max_tokens":9}"#,
        r#","messages":[ {"role" : "user","content":"hi"} ,{"role":"user","content":"fork 0"}],"max_tokens":9}"#,
    ]) {
        assert!(body.starts_with(&shared), "{body}");
        assert!(body.ends_with(more), "{body}");
    }
    // The host has taken one breakpoint of four.
    let sent = crate::requests::sent(&fork(5)).await;
    assert_eq!(sent.lines().next().unwrap().matches("cache_control").count(), 4, "{sent}");
}

#[tokio::test]
async fn a_shared_prefix_asks_for_json_in_words_and_keeps_its_fields() {
    let parent =
        r#"{"model":"host-model","messages":[{"role":"user","content":"hi"}],"max_tokens":9}"#;
    let prefix = Arc::new(Prefix::parse(parent).unwrap());
    let request = Request::new("test", 100)
        .prefix(prefix)
        .message(Message::user("Which?"))
        .output(Output::Json(Schema::new("choice", json!({"type": "object"}))));
    insta::assert_snapshot!(sent(&request).await, @r#"
    {"model":"host-model","messages":[{"role":"user","content":"hi"},{"role":"user","content":[{"type":"text","text":"Which?"},{"type":"text","text":"Answer with one JSON value and nothing else: no sentence before or after it, no code fence. It has to fit this JSON Schema:\n{\"type\":\"object\"}"}]}],"max_tokens":9}
    {"model":"host-model","messages":[{"role":"user","content":"hi"},{"role":"user","content":"Which?\n\nAnswer with one JSON value and nothing else: no sentence before or after it, no code fence. It has to fit this JSON Schema:\n{\"type\":\"object\"}"}],"max_tokens":9}
    "#);
    let server =
        Server::start([json_reply(200, &words("{}")), json_reply(200, &words("{}"))]).await;
    let (anthropic, openai) = (Anthropic::new(server.options()), OpenAi::new(server.options()));
    anthropic.complete(&request).await.unwrap();
    openai.complete(&request).await.unwrap();
    assert_eq!((anthropic.form(), openai.form()), (Form::Schema, Form::Schema));
}
