//! A server on the loopback that answers with the bytes of its script and keeps what it was sent.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// One answer; the connection ends with it.
#[derive(Clone)]
pub(crate) enum Reply {
    Bytes(Vec<u8>),
    /// A head that promises so many bytes, and all of them.
    Long(usize),
    /// Nothing, until the other side goes away.
    Never,
}

/// A server; it ends with the test.
pub(crate) struct Server {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers in this order, and with the last one from then on.
    pub(crate) fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (replies, kept) = (replies.into_iter().collect::<Vec<_>>(), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, replies, kept) =
                    (stream.unwrap(), replies.clone(), Arc::clone(&kept));
                thread::spawn(move || {
                    let request = read(&stream);
                    let number = {
                        let mut seen = kept.lock().unwrap();
                        seen.push(request);
                        seen.len() - 1
                    };
                    let reply = replies.get(number).or(replies.last()).unwrap();
                    // Who is asked may be gone.
                    drop(answer(&mut stream, reply));
                });
            }
        });
        Self { address, seen }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The requests, heads and bodies.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> String {
    let mut stream = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let start = head.len();
        if stream.read_line(&mut head).unwrap() <= 2 {
            break;
        }
        let line = head.get(start..).unwrap().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

fn answer(stream: &mut TcpStream, reply: &Reply) -> std::io::Result<()> {
    match reply {
        Reply::Bytes(bytes) => stream.write_all(bytes),
        Reply::Long(length) => {
            stream.write_all(&head(200, *length, ""))?;
            let chunk = vec![b'x'; 64 * 1024];
            (0..length / chunk.len()).try_for_each(|_| stream.write_all(&chunk))
        }
        Reply::Never => stream.read_to_end(&mut Vec::new()).map(drop),
    }
}

fn head(status: u16, length: usize, more: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n{more}\r\n").into_bytes()
}

pub(crate) fn reply(status: u16, headers: &str, body: &str) -> Reply {
    Reply::Bytes([&head(status, body.len(), headers), body.as_bytes()].concat())
}

/// An error in the form that most servers use.
pub(crate) fn error(status: u16, message: &str) -> Reply {
    reply(status, "", &json!({"error": {"message": message}}).to_string())
}

/// An answer of the Messages API.
pub(crate) fn words(text: &str, stop: &str) -> Reply {
    let body = json!({
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "usage": {"input_tokens": 40, "output_tokens": 5},
    });
    reply(200, "", &body.to_string())
}

/// A choice of memories.
pub(crate) fn chosen(names: &[&str]) -> Reply {
    words(&json!({"selected_memories": names}).to_string(), "end_turn")
}

/// An answer of chat completions.
pub(crate) fn completion(content: &Value) -> Reply {
    let body = json!({
        "choices": [{"message": {"content": content.to_string()}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 5},
    });
    reply(200, "", &body.to_string())
}
