//! Whatever a server answers, there is an outcome.

use memdir_model::{Content, Error, Message, Output, Request, Role, Schema};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::server::{Reply, Server, json_reply, reply};

/// JSON made of the fields and values that answers have, in any order and of any type.
fn answers() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "content",
        "type",
        "text",
        "tool_use",
        "id",
        "name",
        "input",
        "stop_reason",
        "usage",
        "choices",
        "message",
        "finish_reason",
        "tool_calls",
        "function",
        "arguments",
        "refusal",
        "error",
        "code",
        "reasoning",
        "answer",
        "end_turn",
        "max_tokens",
        "stop",
        "length",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        name.clone().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..6).prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// The same, where both APIs look for it.
fn placed() -> impl Strategy<Value = Value> {
    (answers(), answers(), answers(), answers()).prop_map(|(blocks, message, reason, usage)| {
        json!({
            "content": blocks,
            "choices": [{"message": message, "finish_reason": reason}],
            "stop_reason": reason,
            "usage": usage,
        })
    })
}

/// An error of a server is a status, or a form that it does not take.
fn is_refused(status: u16, body: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let answer = reply(status, &[("content-type", "application/json")], body);
        let server = Server::start([answer.clone(), answer]).await;
        let output = Output::Json(Schema::new("answer", json!({"type": "object"})));
        let request = Request::new("test", 10).message(Message::user("x")).output(output);
        for (name, model) in server.both() {
            match model.complete(&request).await.unwrap_err() {
                Error::Status { status: told, .. } => assert_eq!(told, status, "{name}"),
                Error::Unsupported { .. } => assert!(status < 500, "{name}"),
                error => panic!("{name}: {error:?}"),
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_json_is_an_error_of_the_server(body in prop_oneof![answers(), placed()], status in prop::sample::select(vec![400_u16, 422, 500])) {
        is_refused(status, &body.to_string());
    }

    #[test]
    fn any_answer_is_read_or_refused(body in placed()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let request = Request::new("test", 10).message(Message::user("x"));
            for at in 0..2 {
                let server = Server::start([json_reply(200, &body)]).await;
                let Some((_, model)) = server.both().into_iter().nth(at) else { continue };
                let Ok(answer) = model.complete(&request).await else { continue };
                // What came can be sent again.
                let again = Request::new("test", 10)
                    .message(Message::new(Role::Assistant, answer.content.clone()))
                    .message(Message::new(Role::User, results(&answer.content)));
                let error = model.complete(&again).await.unwrap_err().to_string();
                assert!(error.contains("418") || error.contains("cannot be sent"), "{error}");
            }
        });
    }

    #[test]
    fn any_bytes_on_the_wire_have_an_outcome(bytes in prop::collection::vec(any::<u8>(), 0..200), head in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let start: &[u8] = if head { b"HTTP/1.1 200 X\r\nconnection: close\r\n\r\n" } else { b"" };
            let reply = Reply::Last([start, &bytes].concat());
            let server = Server::start([reply.clone(), reply]).await;
            let request = Request::new("test", 10).message(Message::user("x"));
            for (name, model) in server.both() {
                let error = model.complete(&request).await.unwrap_err();
                let is_typed = matches!(error, Error::Malformed { .. } | Error::Connection { .. } | Error::Status { .. });
                assert!(is_typed, "{name}: {error:?}");
            }
        });
    }

    #[test]
    fn any_text_is_an_error_of_the_server(body in "\\PC{0,200}", status in prop::sample::select(vec![400_u16, 500])) {
        is_refused(status, &body);
    }
}

fn results(content: &[Content]) -> Vec<Content> {
    let results = content.iter().filter_map(|part| match part {
        Content::Call { id, .. } => {
            Some(Content::Result { id: id.clone(), text: "seen".to_owned(), is_error: false })
        }
        _ => None,
    });
    results.chain([Content::Text("go on".to_owned())]).collect()
}
