//! The key is sent and shows nowhere.

use std::{
    fmt::Write as _,
    sync::{Mutex, PoisonError},
};

use memdir_model::Model;
use memdir_providers::{Anthropic, Key, OpenAi, Options};
use serde_json::json;

use crate::{
    outcomes::{chain, request},
    server::{KEY, Reply, Server, error, json_reply, reply, words},
};

/// All that libraries log, in this process.
struct Log(Mutex<Vec<String>>);

static LOG: Log = Log(Mutex::new(Vec::new()));

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let line = format!("{} {}", record.target(), record.args());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    fn flush(&self) {}
}

#[tokio::test]
async fn the_key_is_sent_and_shown_nowhere() {
    log::set_logger(&LOG).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    let part = KEY.get(3..14).unwrap();
    let hostile = [
        json_reply(200, &words("8443")),
        error(401, &format!("the key {KEY} is unknown")),
        error(401, &format!("the key {part}... is unknown")),
        reply(500, &[("content-type", "text/plain")], KEY),
        reply(200, &[("content-type", KEY)], "x"),
        json_reply(200, &json!({"error": KEY})),
        json_reply(200, &json!({"content": [], "choices": [{"message": {}}], "stop_reason": KEY})),
        Reply::Last(format!("{KEY}\r\n").into_bytes()),
        error(403, &["AKIA", "QYLPMN5HFIQR7XYA is unknown"].concat()),
    ];
    let server =
        Server::start(hostile.iter().flat_map(|reply| [reply.clone(), reply.clone()])).await;
    let (anthropic, openai) = (Anthropic::new(server.options()), OpenAi::new(server.options()));
    let mut shown = format!("{anthropic:?} {openai:#?} {:?}", server.options());
    for _ in &hostile {
        for model in [&anthropic as &dyn Model, &openai] {
            match model.complete(&request()).await {
                Ok(answer) => write!(shown, "{:?} {:?}", answer.stop, answer.usage).unwrap(),
                Err(error) => writeln!(shown, "{error:?} {error:#?} {}", chain(&error)).unwrap(),
            }
        }
    }
    let logged = LOG.0.lock().unwrap().join("\n");
    assert!(logged.contains("reqwest"), "nothing was logged, so this looks at nothing: {logged}");
    shown += &logged;
    for secret in [KEY, part, "QYLPMN5HFIQR7XYA"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert_eq!(shown.matches("the key **** is unknown").count(), 6, "{shown}");
    let heads: Vec<_> = server.seen().into_iter().map(|seen| seen.head).collect();
    assert_eq!(heads.len(), 2 * hostile.len());
    assert!(heads[0].contains(&format!("x-api-key: {KEY}\r\n")), "{}", heads[0]);
    assert!(heads[1].contains(&format!("authorization: bearer {KEY}\r\n")), "{}", heads[1]);
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_is_refused_before_anything_is_sent() {
    let server = Server::start([]).await;
    let options = Options::new(&server.url, "m").unwrap().key(Key::new("pass\nword-0123"));
    let error = Anthropic::new(options).complete(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), "the request cannot be sent: the key holds what no header can");
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_proxy_is_used_where_one_is_handed_in() {
    let proxy = Server::start([json_reply(200, &words("8443"))]).await;
    let address = proxy.url.replace("http://", "http://me:pass-word@");
    let options = Options::new("http://model.example", "m").unwrap();
    let model = OpenAi::new(options.proxy(Key::new(address)).unwrap());
    assert_eq!(model.complete(&request()).await.unwrap().text(), "8443");
    let seen = proxy.seen();
    let head = &seen[0].head;
    assert!(
        head.starts_with("post http://model.example/v1/chat/completions http/1.1\r\n"),
        "{head}"
    );
    // `me:pass-word`
    let sent = ["proxy-authorization: basic ", "bwu6cgfzcy13b3jk"].concat();
    assert!(head.contains(&sent), "{head}");
    assert!(!format!("{model:?}").contains("pass-word"));
}
