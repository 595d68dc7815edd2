//! JSON in what a model wrote.

use std::borrow::Cow;

use serde_json::{Deserializer, Value};

use crate::limits;

/// Finds the JSON value that an answer consists of or contains, however it is wrapped: in a fence, between sentences, after thinking aloud.
///
/// The first object or array counts. `None` if there is none, if only its beginning is there, or if none is found in the first
/// [`limits::ANSWER_BYTES`] at the first [`limits::ANSWER_STARTS`] brackets.
///
/// ```
/// use memdir_model::find_json;
///
/// let answer = "<think>{\"a\": 0}</think> Here:\n```json\n{\"a\": 1}\n``` Done.";
/// assert_eq!(find_json(answer), Some(serde_json::json!({"a": 1})));
/// assert_eq!(find_json("{\"a\": [1"), None);
/// ```
pub fn find_json(answer: &str) -> Option<Value> {
    if answer.len() > limits::ANSWER_BYTES {
        return None;
    }
    let said = without_thinking(answer);
    if let Ok(value) = serde_json::from_str(&said) {
        return Some(value);
    }
    let starts = said.match_indices(['{', '[']).take(limits::ANSWER_STARTS);
    for (start, _) in starts {
        let rest = said.get(start..)?;
        match Deserializer::from_str(rest).into_iter().next() {
            Some(Ok(value)) => return Some(value),
            // A cut value has no meaning of its own, and neither have its parts.
            Some(Err(error)) if error.is_eof() => return None,
            // A bracket of prose.
            Some(Err(_)) | None => {}
        }
    }
    None
}

/// Leaves out what stands between `<think>` and `</think>`; to the end where it is not closed.
fn without_thinking(answer: &str) -> Cow<'_, str> {
    if !answer.contains("<think>") {
        return Cow::Borrowed(answer);
    }
    let mut pieces = answer.split("<think>");
    let mut said = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if let Some((_, after)) = piece.split_once("</think>") {
            said.push_str(after);
        }
    }
    Cow::Owned(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expect: Option<&str>) {
        let found = find_json(answer).map(|value| value.to_string());
        assert_eq!(found.as_deref(), expect, "{answer}");
    }

    #[test]
    fn a_value_is_found_however_it_is_wrapped() {
        check(r#"{"a":1}"#, Some(r#"{"a":1}"#));
        check("  [1]\n", Some("[1]"));
        check("```json\n{\"a\":1}\n```", Some(r#"{"a":1}"#));
        check("Sure {as asked}: {\"a\":\"}\"} and {\"b\":2}", Some(r#"{"a":"}"}"#));
        check("<think>{\"a\":1}</think>{\"a\":2}", Some(r#"{"a":2}"#));
        check("{\"a\":1}<think>never closed {\"b\":1}", Some(r#"{"a":1}"#));
    }

    #[test]
    fn what_is_cut_or_prose_is_none() {
        check("", None);
        check("I am not sure.", None);
        check(r#"{"a":["b"]"#, None);
        check("<think>{\"a\":1}", None);
        check(&"{".repeat(limits::ANSWER_BYTES + 1), None);
        check(&"[".repeat(100_000), None);
        check(&"{x".repeat(100_000), None);
    }
}
