//! An answer of chat completions.

use memdir_model::{Content, Error, Response, Schema, Stop, Usage};
use serde_json::{Map, Value};

/// Fields in which servers hand over what a model thought, and take it back.
pub(super) const THOUGHTS: [&str; 3] = ["reasoning", "reasoning_content", "reasoning_details"];

/// Reads an answer. With a schema it was to be the call of a tool of that name, whose input is what was asked for.
///
/// `told` makes what a server says fit for an error.
pub(super) fn read(
    mut answer: Value,
    tool: Option<&Schema>,
    told: impl Fn(&str) -> String,
) -> Result<Response, Error> {
    if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
        return Err(error_within(error, told));
    }
    let Some(mut choice) = answer.pointer_mut("/choices/0").map(Value::take) else {
        return Err(malformed("it has no choice"));
    };
    let Some(Value::Object(mut message)) = choice.get_mut("message").map(Value::take) else {
        return Err(malformed("its choice has no message"));
    };
    let reason = choice.get("finish_reason").and_then(Value::as_str).unwrap_or("none");
    let mut stop = stop(reason).unwrap_or_else(|| Stop::Other(told(reason)));
    let mut content = Vec::new();
    let thoughts: Map<_, _> = THOUGHTS
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), message.remove(name)?)))
        .filter(|(_, thought)| !thought.is_null())
        .collect();
    if !thoughts.is_empty() {
        content.push(Content::Opaque(Value::Object(thoughts)));
    }
    content.extend(words(message.get("content")).map(Content::Text));
    if let Some(refusal) = words(message.get("refusal")) {
        content.push(Content::Text(refusal));
        stop = Stop::Refusal;
    }
    let mut structured = None;
    let calls = match message.remove("tool_calls") {
        Some(Value::Array(calls)) => calls,
        _ => Vec::new(),
    };
    for (at, call) in calls.iter().enumerate() {
        match called(at, call) {
            // The last call of an answer that was cut is cut itself.
            Err(_) if stop == Stop::MaxTokens => {}
            Err(what) => return Err(malformed(what)),
            Ok(Content::Call { tool: name, input, .. })
                if tool.is_some_and(|tool| tool.name == name) =>
            {
                // It is an answer and no call, so nobody has to give a result for it.
                content.push(Content::Text(input.to_string()));
                structured = Some(input);
            }
            Ok(call) => content.push(call),
        }
    }
    let stop = match stop {
        // Some servers say that an answer is complete although it calls, and the other way round.
        Stop::End | Stop::Calls => Response::new(content.clone()).stop,
        stop => stop,
    };
    let mut response = Response::new(content).usage(usage(&answer));
    response.structured = structured.filter(|_| stop == Stop::End);
    response.model = answer.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok(response.stop(stop))
}

fn malformed(what: &str) -> Error {
    Error::Malformed { what: what.to_owned() }
}

/// Routers answer 200 and put what their provider answered into the body.
fn error_within(error: &Value, told: impl Fn(&str) -> String) -> Error {
    let words = error.get("message").unwrap_or(error).as_str().map(told).unwrap_or_default();
    let code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    match code.filter(|code| (400..600).contains(code)) {
        Some(status) => Error::Status { status, message: words, retry_after: None },
        None => malformed(&format!("it is an error all the same: {words}")),
    }
}

/// Words of a field: a text, or parts with texts. `None` if there are none.
fn words(field: Option<&Value>) -> Option<String> {
    let words = match field? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        _ => return None,
    };
    (!words.is_empty()).then_some(words)
}

/// A call; what is wrong with it otherwise. Some servers give it no name, and its arguments as an object.
fn called(at: usize, call: &Value) -> Result<Content, &'static str> {
    let tool = call.pointer("/function/name").and_then(Value::as_str);
    let tool = tool.ok_or("a call of it names no tool")?.to_owned();
    let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
    let id = id.map_or_else(|| format!("call_{at}"), str::to_owned);
    let input = match call.pointer("/function/arguments") {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) if text.trim().is_empty() => Value::Object(Map::new()),
        Some(Value::String(text)) => {
            serde_json::from_str(text).map_err(|_| "the arguments of a call of it are no JSON")?
        }
        Some(value) => value.clone(),
    };
    Ok(Content::Call { id, tool, input })
}

fn stop(reason: &str) -> Option<Stop> {
    match reason {
        "stop" => Some(Stop::End),
        "tool_calls" | "function_call" => Some(Stop::Calls),
        "length" => Some(Stop::MaxTokens),
        "content_filter" => Some(Stop::Refusal),
        _ => None,
    }
}

fn usage(answer: &Value) -> Usage {
    let count =
        |name: &str| answer.pointer(&format!("/usage/{name}")).and_then(Value::as_u64).unwrap_or(0);
    let kept = count("prompt_tokens_details/cached_tokens");
    let mut usage =
        Usage::new(count("prompt_tokens").saturating_sub(kept), count("completion_tokens"));
    usage.cache_read = kept;
    usage
}
