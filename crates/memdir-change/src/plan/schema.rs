//! The form of a plan, for models that answer in a given form.

use memdir_core::MemoryType;
use serde_json::{Value, json};

use crate::OpWord;

/// The JSON Schema of a plan, as [`read_plan`](crate::read_plan) reads it.
///
/// It keeps what providers of structured output demand: no recursion, no unions, `additionalProperties` false everywhere,
/// neither lengths nor ranges, and twelve keys that may be left out.
pub fn plan_schema() -> Value {
    let text = |what: &str| json!({ "type": "string", "description": what });
    let memory = |required: &[&str]| {
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": required,
            "properties": {
                "path": text("File of the memory; leave it out for a new one"),
                "name": text("Short name, a few words"),
                "description": text("One line that tells when the memory matters"),
                "type": { "type": "string", "enum": MemoryType::ALL.map(MemoryType::as_str) },
                "body": text("The whole text"),
            },
        })
    };
    let quote = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["message", "quote"],
        "properties": {
            "session": text("Id of the conversation, where it is another one"),
            "message": text("Id of the message, or path of the memory, that says so"),
            "quote": text("What it says, word for word"),
        },
    });
    let mut operation = memory(&["op", "reason", "origin", "evidence"]);
    let own = json!({
        "op": { "type": "string", "enum": OpWord::ALL.map(OpWord::as_str) },
        "reason": text("Why, in one sentence"),
        "origin": { "type": "string", "enum": ["user", "agent", "external"] },
        "evidence": { "type": "array", "items": quote },
        "group": text("Operations with the same group are done together or not at all"),
        "sources": { "type": "array", "items": text("merge: path of a memory that goes into the new one") },
        "into": {
            "type": "array",
            "description": "merge and supersede: the one new memory; split: the new memories",
            "items": memory(&["name", "description", "type", "body"]),
        },
        "title": text("index: text of the link"),
        "hook": text("index: what stands after the link"),
    });
    if let (Some(properties), Value::Object(own)) =
        (operation.get_mut("properties").and_then(Value::as_object_mut), own)
    {
        properties.extend(own);
    }
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["operations"],
        "properties": { "operations": { "type": "array", "items": operation } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks all objects of a schema: every one is closed, what is required exists; counts keys that may be left out.
    fn optional(schema: &Value) -> usize {
        let mut count = 0;
        for key in schema.as_object().into_iter().flat_map(|object| object.keys()) {
            let known = ["type", "description", "enum", "items", "properties", "required"];
            assert!(known.contains(&&**key) || key == "additionalProperties", "{key}");
        }
        if schema["type"] == "object" {
            assert_eq!(schema["additionalProperties"], false);
            let properties = schema["properties"].as_object().expect("an object has properties");
            let required = schema["required"].as_array().expect("an object says what it needs");
            assert!(required.iter().all(|key| properties.contains_key(key.as_str().unwrap_or(""))));
            count += properties.len() - required.len();
            count += properties.values().map(optional).sum::<usize>();
        }
        if schema["type"] == "array" {
            count += optional(&schema["items"]);
        }
        count
    }

    #[test]
    fn stays_within_what_providers_take() {
        assert_eq!(optional(&plan_schema()), 12);
    }
}
