//! A server on the loopback that answers with the bytes of its script and keeps what it was sent.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use memdir_model::Model;
use memdir_providers::{Anthropic, Key, OpenAi, Options};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

/// A key that must show nowhere.
pub(crate) const KEY: &str = "planted-key-4f9a1c7d2e8b";

/// One answer.
#[derive(Clone)]
pub(crate) enum Reply {
    /// These bytes; the connection goes on.
    Bytes(Vec<u8>),
    /// These bytes, and the connection ends.
    Last(Vec<u8>),
    /// These bytes, over and over.
    Endless(Vec<u8>),
    Never,
}

pub(crate) fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    let mut answer = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        write!(answer, "{name}: {value}\r\n").unwrap();
    }
    Reply::Bytes((answer + "\r\n" + body).into_bytes())
}

pub(crate) fn json_reply(status: u16, body: &Value) -> Reply {
    reply(status, &[("content-type", "application/json")], &body.to_string())
}

/// An error in the form that most servers use.
pub(crate) fn error(status: u16, message: &str) -> Reply {
    json_reply(status, &json!({"type": "error", "error": {"type": "e", "message": message}}))
}

/// What the server was sent.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// First line and headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    /// Told of each request.
    pub(crate) asked: Arc<Notify>,
}

impl Server {
    /// Listens until the runtime ends. When the script is over it answers with 418.
    pub(crate) async fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let script: Vec<_> = script.into_iter().collect();
        let script = Arc::new(Mutex::new(script.into_iter()));
        let (seen, asked) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Notify::new()));
        let (kept, told) = (Arc::clone(&seen), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (script, kept, told) =
                    (Arc::clone(&script), Arc::clone(&kept), Arc::clone(&told));
                tokio::spawn(async move {
                    while let Some(request) = read_request(&mut stream).await {
                        kept.lock().unwrap().push(request);
                        told.notify_one();
                        let next = script.lock().unwrap().next();
                        if !answer(&mut stream, next.unwrap_or_else(|| error(418, "script"))).await
                        {
                            break;
                        }
                    }
                });
            }
        });
        Self { url, seen, asked }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn options(&self) -> Options {
        Options::new(&self.url, "test-model").unwrap().key(Key::new(KEY))
    }

    /// Both providers over HTTP, by their names.
    pub(crate) fn both(&self) -> [(&'static str, Box<dyn Model>); 2] {
        [
            ("anthropic", Box::new(Anthropic::new(self.options()))),
            ("openai", Box::new(OpenAi::new(self.options()))),
        ]
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen { head, body: String::from_utf8(body).unwrap() })
}

/// Tells whether the connection goes on.
async fn answer(stream: &mut TcpStream, reply: Reply) -> bool {
    match reply {
        Reply::Bytes(bytes) => stream.write_all(&bytes).await.is_ok(),
        Reply::Last(bytes) => {
            stream.write_all(&bytes).await.unwrap();
            stream.shutdown().await.unwrap();
            false
        }
        Reply::Endless(bytes) => {
            while stream.write_all(&bytes).await.is_ok() {}
            false
        }
        Reply::Never => std::future::pending().await,
    }
}

/// An answer in words, as both APIs send it: each reads its own fields.
pub(crate) fn words(text: &str) -> Value {
    json!({
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"input_tokens": 7, "output_tokens": 2, "prompt_tokens": 7, "completion_tokens": 2},
        "model": "test-model-1",
    })
}
