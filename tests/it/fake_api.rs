//! As much of the Messages API as a client needs to play a script: one answer a request, streamed, on the loopback.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// One answer of the scripted model.
#[derive(Debug, Clone)]
pub(crate) enum Turn {
    Say(&'static str),
    Use {
        tool: &'static str,
        input: Value,
    },
    /// Several tools at once.
    UseAll(Vec<(&'static str, Value)>),
}

/// A server that answers requests with the turns of its script, in order, and keeps the requests.
pub(crate) struct FakeApi {
    port: u16,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl FakeApi {
    /// Listens until the process ends. When the script is used up it says `done`.
    pub(crate) fn start(script: Vec<Turn>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let script = Arc::new(Mutex::new(script.into_iter()));
        let kept = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, script) = (Arc::clone(&kept), Arc::clone(&script));
                thread::spawn(move || {
                    while let Some((path, body)) = read_request(&stream) {
                        let answer = answer(&path, &body, || script.lock().unwrap().next());
                        if path.ends_with("/v1/messages") {
                            kept.lock().unwrap().push(body);
                        }
                        if (&stream).write_all(&answer).is_err() {
                            break;
                        }
                    }
                });
            }
        });
        Self { port, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The bodies of the message requests so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }
}

/// Path without query and JSON body of the next request; `None` when the connection ends.
fn read_request(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.split('?').next()?.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|read| *read > 0)?;
        match header.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

fn answer(path: &str, body: &Value, next: impl FnOnce() -> Option<Turn>) -> Vec<u8> {
    if path.ends_with("/count_tokens") {
        return response("200 OK", "application/json", &json!({"input_tokens": 100}).to_string());
    }
    if !path.ends_with("/v1/messages") {
        let error = json!({"type": "error", "error": {"type": "not_found_error", "message": "not scripted"}});
        return response("404 Not Found", "application/json", &error.to_string());
    }
    let at = body["messages"].as_array().map_or(0, Vec::len);
    let uses = |calls: Vec<(&str, Value)>| {
        let block = |(n, (tool, input)): (usize, (&str, Value))| json!({"type": "tool_use", "id": format!("toolu_scripted_{at}_{n}"), "name": tool, "input": input});
        (calls.into_iter().enumerate().map(block).collect::<Vec<_>>(), "tool_use")
    };
    let (blocks, stop) = match next().unwrap_or(Turn::Say("done")) {
        Turn::Say(text) => (vec![json!({"type": "text", "text": text})], "end_turn"),
        Turn::Use { tool, input } => uses(vec![(tool, input)]),
        Turn::UseAll(calls) => uses(calls),
    };
    let usage = json!({"input_tokens": 100, "output_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0});
    let message = json!({
        "id": format!("msg_scripted_{at}"), "type": "message", "role": "assistant", "model": body["model"],
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    if body["stream"] != json!(true) {
        let mut whole = message;
        whole["content"] = json!(blocks);
        whole["stop_reason"] = json!(stop);
        return response("200 OK", "application/json", &whole.to_string());
    }
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in blocks.iter().enumerate() {
        events.extend(streamed(index, block));
    }
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 5}}));
    events.push(json!({"type": "message_stop"}));
    let mut stream = String::new();
    for event in events {
        writeln!(stream, "event: {}\ndata: {event}\n", event["type"].as_str().unwrap()).unwrap();
    }
    response("200 OK", "text/event-stream", &stream)
}

/// A block as it is streamed: an empty one, what is in it, its end.
fn streamed(index: usize, block: &Value) -> [Value; 3] {
    let mut empty = block.clone();
    let delta = if block["type"] == json!("tool_use") {
        empty["input"] = json!({});
        json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
    } else {
        empty["text"] = json!("");
        json!({"type": "text_delta", "text": block["text"]})
    };
    [
        json!({"type": "content_block_start", "index": index, "content_block": empty}),
        json!({"type": "content_block_delta", "index": index, "delta": delta}),
        json!({"type": "content_block_stop", "index": index}),
    ]
}

fn response(status: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}
