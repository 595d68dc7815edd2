//! An answer of the Messages API.

use memdir_model::{Content, Error, Response, Schema, Stop, Usage};
use serde_json::Value;

/// Reads an answer. With a schema it was to be the call of a tool of that name, whose input is what was asked for.
///
/// `told` makes what a server says fit for an error.
pub(super) fn read(
    mut answer: Value,
    tool: Option<&Schema>,
    told: impl Fn(&str) -> String,
) -> Result<Response, Error> {
    let malformed = |what: &str| Error::Malformed { what: what.to_owned() };
    let text = |answer: &Value, pointer: &str| {
        answer.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
    };
    if let Some(said) = text(&answer, "/error/message") {
        return Err(malformed(&format!("it is an error all the same: {}", told(&said))));
    }
    let Some(Value::Array(blocks)) = answer.get_mut("content").map(Value::take) else {
        return Err(malformed("it has no content"));
    };
    let reason = text(&answer, "/stop_reason").unwrap_or_else(|| "none".to_owned());
    let stop = stop(&reason).unwrap_or_else(|| Stop::Other(told(&reason)));
    let mut content = Vec::new();
    let mut structured = None;
    for block in blocks {
        match part(block)? {
            Content::Call { tool: name, input, .. }
                if tool.is_some_and(|tool| tool.name == name) =>
            {
                // It is an answer and no call, so nobody has to give a result for it.
                content.push(Content::Text(input.to_string()));
                structured = Some(input);
            }
            part => content.push(part),
        }
    }
    let stop = match (stop, &structured) {
        (Stop::Calls, Some(_)) => Stop::End,
        (stop, _) => stop,
    };
    let mut response = Response::new(content).usage(usage(&answer));
    // What was cut is no value, although the server closes its brackets.
    response.structured = structured.filter(|_| stop == Stop::End);
    response.model = text(&answer, "/model");
    Ok(response.stop(stop))
}

fn part(mut block: Value) -> Result<Content, Error> {
    let text = |name: &str| block.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text("type").as_deref(), text("text"), text("id"), text("name")) {
        (Some("text"), Some(text), ..) => Ok(Content::Text(text)),
        (Some("tool_use"), _, Some(id), Some(tool)) => {
            let input = block.get_mut("input").map_or(Value::Null, Value::take);
            Ok(Content::Call { id, tool, input })
        }
        (Some("text" | "tool_use") | None, ..) => {
            Err(Error::Malformed { what: "a block of it lacks a field".to_owned() })
        }
        (Some(_), ..) => Ok(Content::Opaque(block)),
    }
}

fn stop(reason: &str) -> Option<Stop> {
    match reason {
        "end_turn" | "stop_sequence" => Some(Stop::End),
        "tool_use" => Some(Stop::Calls),
        "max_tokens" => Some(Stop::MaxTokens),
        "model_context_window_exceeded" => Some(Stop::ContextFull),
        "refusal" => Some(Stop::Refusal),
        _ => None,
    }
}

fn usage(answer: &Value) -> Usage {
    let count = |name: &str| {
        answer.get("usage").and_then(|usage| usage.get(name)).and_then(Value::as_u64).unwrap_or(0)
    };
    let mut usage = Usage::new(count("input_tokens"), count("output_tokens"));
    usage.cache_read = count("cache_read_input_tokens");
    usage.cache_write = count("cache_creation_input_tokens");
    usage
}
