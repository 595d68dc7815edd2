//! What leaves and what does not.

use std::sync::Arc;

use memdir_model::{
    Content, Message, Model, Output, Prefix, Redacted, Request, Response, Role, Schema, Scripted,
    Tool,
};
use serde_json::json;

/// Put together here, so that no scan of this file finds one.
fn key() -> String {
    ["AKIA", "QYLPMN5HFIQR7XYA"].concat()
}

#[tokio::test]
async fn a_secret_is_blotted_out_wherever_it_stands() {
    let key = key();
    let model = Scripted::new([Response::words("ok").into()]);
    let request = Request::new("test", 1)
        .system(format!("system {key}"))
        .tool(Tool::new("read", format!("tool {key}"), json!({"const": key})))
        .message(Message::user(format!("user {key}")))
        .message(Message::new(
            Role::Assistant,
            vec![Content::Call {
                id: "1".to_owned(),
                tool: "read".to_owned(),
                input: json!({"deep": [{"aws": key}], "kept": "kept"}),
            }],
        ))
        .message(Message::new(
            Role::User,
            vec![Content::Result { id: "1".to_owned(), text: format!("{key}\n"), is_error: false }],
        ))
        .output(Output::Json(Schema::new("s", json!({"enum": [key, "other"]}))));
    Redacted::new(&model).complete(&request).await.unwrap();
    let sent = format!("{:?}", model.finish());
    assert!(!sent.contains(&key), "{sent}");
    assert_eq!(sent.matches("********************").count(), 7, "{sent}");
    assert!(sent.contains("kept") && sent.contains("other"), "{sent}");
}

#[tokio::test]
async fn what_a_field_makes_a_secret_is_blotted_out() {
    let model = Scripted::new([Response::words("ok").into()]);
    let password = ["x9Kq2", "vLm84TzPw0"].concat();
    let input = json!({"api_key": password, "n": 1});
    let call = Content::Call { id: "1".to_owned(), tool: "t".to_owned(), input };
    let request = Request::new("test", 1).message(Message::new(Role::Assistant, vec![call]));
    Redacted::new(&model).complete(&request).await.unwrap();
    let sent = format!("{:?}", model.finish());
    assert!(!sent.contains(&password) && sent.contains("\"n\": Number(1)"), "{sent}");
}

#[tokio::test]
async fn a_prefix_with_a_secret_is_not_sent() {
    let body = json!({"model": "m", "messages": [{"role": "user", "content": key()}]}).to_string();
    let prefix = Arc::new(Prefix::parse(&body).unwrap());
    let model = Scripted::new([]);
    let request = Request::new("test", 1).prefix(prefix);
    let told = Redacted::new(&model).complete(&request).await.unwrap_err().to_string();
    assert!(model.finish().is_empty() && !told.contains(&key()));
    insta::assert_snapshot!(told, @"the request cannot be sent: in the shared prefix, line 1: looks like a secret (rule aws-access-token)");
}
