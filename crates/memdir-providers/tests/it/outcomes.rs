//! What comes of each kind of answer.

use std::{
    future::ready,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use memdir_model::{
    Content, Deadline, Error, Message, Model, Patience, Request, Response, Retry, Stop, Timer,
    Usage, limits::ATTEMPTS,
};
use memdir_providers::{Anthropic, Key, OpenAi, Options, limits};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::server::{KEY, Reply, Server, error, json_reply, reply, words};

pub(crate) fn request() -> Request {
    Request::new("test", 100).message(Message::user("Which port?"))
}

/// An error with all its causes, on one line.
pub(crate) fn chain(error: &Error) -> String {
    let mut line = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        line = format!("{line}: {error}");
        cause = error.source();
    }
    line
}

/// Notes how long it is asked to wait, and does not.
#[derive(Clone, Default)]
pub(crate) struct Waits(Arc<Mutex<Vec<Duration>>>);

impl Timer for Waits {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.0.lock().unwrap().push(duration);
        Box::pin(ready(()))
    }
}

/// Sends one request to a server with one answer, by both APIs.
async fn check(reply: Reply, expect: &str) {
    let server = Server::start([reply.clone(), reply]).await;
    for (name, model) in server.both() {
        let said = match model.complete(&request()).await {
            Ok(answer) => format!("{:?}: {}", answer.stop, answer.text()),
            Err(error) => chain(&error),
        };
        assert_eq!(said, expect, "{name}");
    }
}

#[tokio::test]
async fn an_answer_is_handed_over() {
    check(json_reply(200, &words("8443")), "End: 8443").await;
    let unnamed = reply(200, &[], &words("8443").to_string());
    check(unnamed, "End: 8443").await;
    let problem = [("Content-Type", "Application/Vnd.x+JSON; charset=utf-8")];
    check(reply(200, &problem, &words("8443").to_string()), "End: 8443").await;
}

#[tokio::test]
async fn a_refusal_of_the_server_is_its_status_and_its_words() {
    for status in [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 503, 504, 529] {
        let expect = format!("the model's server answered {status}: no, not so");
        check(error(status, "no,\r\n\tnot so"), &expect).await;
    }
    let page = reply(502, &[("content-type", "text/html")], "<h1>Bad gateway</h1>");
    check(page, "the model's server answered 502: <h1>Bad gateway</h1>").await;
    let half = b"HTTP/1.1 500 X\r\ncontent-length: 100\r\n\r\ntorn".to_vec();
    check(Reply::Last(half), "the model's server answered 500: torn").await;
    let long = error(400, &"x".repeat(100_000));
    let expect = format!("the model's server answered 400: {}…", "x".repeat(499));
    check(long, &expect).await;
}

#[tokio::test]
async fn what_is_no_answer_is_told() {
    let json = [("content-type", "application/json")];
    let malformed = |what: &str| format!("the model's answer cannot be read: {what}");
    check(reply(200, &json, ""), &malformed("it is empty")).await;
    check(reply(200, &json, " \n"), &malformed("it is empty")).await;
    check(reply(200, &json, "{\"content\": ["), &malformed("it is no JSON")).await;
    let page = reply(200, &[("content-type", "text/html; charset=utf-8")], "<h1>Log in</h1>");
    check(page, &malformed("it comes as `text/html`")).await;
    let stream = reply(200, &[("content-type", "text/event-stream")], "data: {}\n\n");
    check(stream, &malformed("it comes as `text/event-stream`")).await;
    let late = json!({"error": {"message": "overloaded"}});
    check(json_reply(200, &late), &malformed("it is an error all the same: overloaded")).await;
    for wrong in [json!([]), json!({"content": 1, "choices": []}), json!({"choices": [{}]})] {
        let server = Server::start([json_reply(200, &wrong), json_reply(200, &wrong)]).await;
        for (name, model) in server.both() {
            let error = model.complete(&request()).await.unwrap_err();
            assert!(matches!(error, Error::Malformed { .. }), "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn a_router_puts_the_status_into_the_body() {
    let late = json!({"error": {"code": 429, "message": "slow down"}});
    let server = Server::start([json_reply(200, &late)]).await;
    let error = OpenAi::new(server.options()).complete(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), "the model's server answered 429: slow down");
    assert!(error.is_transient());
}

#[tokio::test]
async fn an_answer_has_an_end() {
    let head = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\n";
    let expect = "the model's answer has more than 4194304 bytes";
    let announced = format!("{head}content-length: 52428800\r\n\r\n{{");
    check(Reply::Bytes(announced.into_bytes()), expect).await;
    // One chunk of 64 KiB after the other, after the head.
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x1_0000));
    let server = Server::start([Reply::Endless(
        format!("{head}transfer-encoding: chunked\r\n\r\n{chunk}").into_bytes(),
    )])
    .await;
    let options = server.options().max_answer_bytes(1_000);
    let error = Anthropic::new(options).complete(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), "the model's answer has more than 1000 bytes");
    let body = format!("{head}content-length: 52428800\r\n\r\n{}", " ".repeat(52_428_800));
    let server = Server::start([Reply::Bytes(body.into_bytes())]).await;
    let options = server.options().max_answer_bytes(100 * limits::ANSWER_BYTES);
    let error = OpenAi::new(options).complete(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), "the model's answer cannot be read: it is empty");
}

#[tokio::test]
async fn a_connection_that_breaks_may_be_tried_again() {
    let half =
        b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{\"con";
    for broken in [Reply::Last(half.to_vec()), Reply::Last(Vec::new())] {
        let server = Server::start([broken.clone(), broken]).await;
        for (name, model) in server.both() {
            let error = model.complete(&request()).await.unwrap_err();
            assert!(matches!(error, Error::Connection { .. }), "{name}: {error:?}");
            assert!(error.is_transient());
            assert!(!chain(&error).contains("127.0.0.1"), "{}", chain(&error));
        }
    }
    // Nobody listens where somebody did.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let gone = Anthropic::new(Options::new(&url, "m").unwrap());
    let error = gone.complete(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }) && error.is_transient(), "{error:?}");
}

#[tokio::test]
async fn a_server_without_tls_gets_nothing_where_tls_is_asked_for() {
    let server = Server::start([json_reply(200, &words("8443"))]).await;
    let url = server.url.replace("http://", "https://");
    let options = Options::new(&url, "m").unwrap().key(Key::new(KEY));
    let error = OpenAi::new(options).complete(&request()).await.unwrap_err();
    // A system without any certificate cannot even begin.
    assert!(matches!(error, Error::Unreachable { .. } | Error::Invalid { .. }), "{error:?}");
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn only_what_may_pass_is_asked_again() {
    for status in [400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 503, 529] {
        let times = match status {
            408 | 409 | 429 | 500.. => ATTEMPTS as usize,
            _ => 1,
        };
        for api in 0..2 {
            let server = Server::start(vec![error(status, "no"); times]).await;
            let [(name, model), ..] = rotated(server.both(), api);
            let patient = Retry::new(model, Patience::default(), Waits::default());
            assert!(patient.complete(&request()).await.is_err());
            assert_eq!(server.seen().len(), times, "{name} {status}");
        }
    }
}

fn rotated<T, const N: usize>(mut list: [T; N], by: usize) -> [T; N] {
    list.rotate_left(by);
    list
}

#[tokio::test]
async fn a_server_is_waited_for_as_it_asks() {
    let dates = [
        ("retry-after", "Mon, 30 Nov 2026 09:00:09 GMT"),
        ("date", "Mon, 30 Nov 2026 09:00:02 GMT"),
    ];
    let script = [
        reply(429, &[("Retry-After", "3")], "{}"),
        reply(529, &dates, "{}"),
        json_reply(200, &words("8443")),
    ];
    let server = Server::start(script).await;
    let waits = Waits::default();
    let model = Retry::new(Anthropic::new(server.options()), Patience::default(), waits.clone());
    assert_eq!(model.complete(&request()).await.unwrap().text(), "8443");
    assert_eq!(*waits.0.lock().unwrap(), [3, 7].map(Duration::from_secs));
}

/// A time that is over once the server was asked.
struct OnceAsked(Arc<Notify>);

impl Timer for OnceAsked {
    fn sleep(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let asked = Arc::clone(&self.0);
        Box::pin(async move { asked.notified().await })
    }
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let server = Server::start([Reply::Never, Reply::Never]).await;
    for (name, model) in server.both() {
        let timer = OnceAsked(Arc::clone(&server.asked));
        let timely = Deadline::new(model, Duration::from_secs(4), timer);
        let error = timely.complete(&request()).await.unwrap_err();
        assert_eq!(error.to_string(), "no answer from the model within 4s", "{name}");
    }
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_redirect_takes_neither_request_nor_key_elsewhere() {
    let other = Server::start([]).await;
    for status in [301, 302, 307, 308] {
        let place = format!("{}/v1/messages", other.url);
        let there = reply(status, &[("location", &place)], "");
        let expect = format!(
            "the model's server answered {status}: it points to another address, which is not followed"
        );
        check(there, &expect).await;
    }
    assert_eq!(other.seen().len(), 0);
}

async fn anthropic(body: Value) -> Response {
    let server = Server::start([json_reply(200, &body)]).await;
    Anthropic::new(server.options()).complete(&request()).await.unwrap()
}

async fn openai(body: Value) -> Response {
    let server = Server::start([json_reply(200, &body)]).await;
    OpenAi::new(server.options()).complete(&request()).await.unwrap()
}

#[tokio::test]
async fn an_answer_of_the_messages_api_is_read_in_full() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "s1"});
    let answer = anthropic(json!({
        "model": "test-model-1",
        "content": [
            thinking,
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {
            "input_tokens": 5, "output_tokens": 7,
            "cache_read_input_tokens": 11, "cache_creation_input_tokens": 13,
        },
    }))
    .await;
    let mut usage = Usage::new(5, 7);
    (usage.cache_read, usage.cache_write) = (11, 13);
    let call =
        Content::Call { id: "t1".to_owned(), tool: "look".to_owned(), input: json!({"at": 1}) };
    let content = vec![Content::Opaque(thinking), Content::Text("I look.".to_owned()), call];
    let mut expect = Response::new(content).stop(Stop::Calls).usage(usage);
    expect.model = Some("test-model-1".to_owned());
    assert_eq!(answer, expect);
}

#[tokio::test]
async fn an_answer_of_chat_completions_is_read_in_full() {
    let call = |id: &str, arguments: Value| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": arguments}});
    let answer = openai(json!({
        "model": "test-model-1",
        "choices": [{
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": null,
                "reasoning_content": "hm",
                "tool_calls": [call("t1", json!("{\"at\": 1}")), call("", json!({"at": 2})), call("t3", json!(""))],
            },
        }],
        "usage": {"prompt_tokens": 16, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 11}},
    }))
    .await;
    let mut usage = Usage::new(5, 7);
    usage.cache_read = 11;
    let call =
        |id: &str, input| Content::Call { id: id.to_owned(), tool: "look".to_owned(), input };
    let content = vec![
        Content::Opaque(json!({"reasoning_content": "hm"})),
        call("t1", json!({"at": 1})),
        call("call_1", json!({"at": 2})),
        call("t3", json!({})),
    ];
    let mut expect = Response::new(content).stop(Stop::Calls).usage(usage);
    expect.model = Some("test-model-1".to_owned());
    assert_eq!(answer, expect);
}

#[tokio::test]
async fn an_answer_says_why_it_ended() {
    let other = |name: &str| Stop::Other(name.to_owned());
    let reasons = [
        ("end_turn", "stop", Stop::End),
        ("stop_sequence", "stop", Stop::End),
        ("max_tokens", "length", Stop::MaxTokens),
        ("refusal", "content_filter", Stop::Refusal),
        ("pause_turn", "pause_turn", other("pause_turn")),
        ("odd\u{1b}[0m", "odd\u{1b}[0m", other("odd\\u{1b}[0m")),
    ];
    for (ours, theirs, expect) in reasons {
        let mut body = words("cut {\"a\":");
        body["stop_reason"] = json!(ours);
        body["choices"][0]["finish_reason"] = json!(theirs);
        assert_eq!(anthropic(body.clone()).await.stop, expect);
        assert_eq!(openai(body).await.stop, expect);
    }
    let mut full = words("");
    full["stop_reason"] = json!("model_context_window_exceeded");
    assert_eq!(anthropic(full).await.stop, Stop::ContextFull);
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "I will not."}, "finish_reason": "stop"}]});
    let refusal = openai(refusal).await;
    assert_eq!((refusal.stop.clone(), refusal.text()), (Stop::Refusal, "I will not.".to_owned()));
    // A call whose arguments are cut is no call.
    let cut = json!({"choices": [{"message": {"tool_calls": [{"id": "t", "function": {"name": "look", "arguments": "{\"at\": "}}]}, "finish_reason": "length"}]});
    let cut = openai(cut).await;
    assert_eq!((cut.stop, cut.content), (Stop::MaxTokens, vec![]));
}
