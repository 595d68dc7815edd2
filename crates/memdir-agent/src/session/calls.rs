//! The calls in an answer, whatever form they have.

use std::collections::BTreeSet;

use memdir_model::{Content, Response, Stop};
use serde_json::Value;

use crate::{Denial, prompt};

/// What an answer calls for.
pub(super) struct Answer {
    /// The answer as it goes back to the model.
    pub(super) content: Vec<Content>,
    pub(super) calls: Vec<Called>,
    pub(super) is_cut: bool,
    pub(super) says_done: bool,
}

/// A call as the model made it.
pub(super) struct Called {
    pub(super) id: String,
    pub(super) tool: String,
    /// What it is called with, or why it is not even looked at.
    pub(super) input: Result<Value, Denial>,
}

impl Answer {
    /// Reads the calls of tools. Ids become distinct, so that each call can be answered.
    pub(super) fn of_calls(response: Response, turn: u32) -> Self {
        let is_cut = response.stop == Stop::MaxTokens;
        let mut ids = BTreeSet::new();
        let mut calls = Vec::new();
        let mut content = response.content;
        for (place, part) in (1..).zip(&mut content) {
            let Content::Call { id, tool, input } = part else { continue };
            let is_known = !id.is_empty() && !ids.insert(id.clone());
            if is_known || id.is_empty() {
                *id = format!("memdir-{turn}-{place}");
                ids.insert(id.clone());
            }
            let input = match (is_cut, is_known) {
                // The last call may lack its end, and which one is last is not told.
                (true, _) => Err(Denial::Cut),
                (_, true) => Err(Denial::SameId),
                _ => Ok(input.clone()),
            };
            calls.push(Called { id: id.clone(), tool: tool.clone(), input });
        }
        Self { content, calls, is_cut, says_done: false }
    }

    /// Reads the actions of an answer in JSON. One in another form is a call that is refused, so that the model hears of it.
    pub(super) fn of_json(response: &Response) -> Self {
        let is_cut = response.stop == Stop::MaxTokens;
        let json = response.json();
        let said = match &json {
            Some(value) => value.to_string(),
            None => response.text(),
        };
        let actions = json.as_ref().and_then(|json| json.get("actions")).and_then(Value::as_array);
        let calls = if let Some(actions) = actions {
            actions.iter().zip(1..).map(|(action, at)| called(action, at)).collect()
        } else {
            let denial = if is_cut { Denial::Cut } else { Denial::NotJson };
            vec![Called { id: "1".to_owned(), tool: "actions".to_owned(), input: Err(denial) }]
        };
        let says_done = json.as_ref().and_then(|json| json.get("done")) == Some(&Value::Bool(true));
        // An answer without a word cannot be sent back.
        let said = if said.trim().is_empty() { "{}".to_owned() } else { said };
        Self { content: vec![Content::Text(said)], calls, is_cut, says_done }
    }
}

fn called(action: &Value, number: usize) -> Called {
    let id = number.to_string();
    let fields = action.as_object();
    let tool = fields.and_then(|fields| fields.get("tool")).and_then(Value::as_str);
    let (Some(fields), Some(tool)) = (fields, tool) else {
        let denial = Denial::Input { field: "tool", expected: "the name of an action" };
        return Called { id, tool: "actions".to_owned(), input: Err(denial) };
    };
    // The form demands every field; those that an action does not use are empty.
    let is_used = |(name, value): &(&String, &Value)| {
        *name != "tool" && value.as_str().is_none_or(|text| !text.is_empty())
    };
    let input = fields.iter().filter(is_used).map(|(name, value)| (name.clone(), value.clone()));
    Called { id, tool: tool.to_owned(), input: Ok(Value::Object(input.collect())) }
}

/// Results for a model that knows no calls.
pub(super) fn in_words(results: &[(String, Content)]) -> String {
    let mut text = String::new();
    for (number, (tool, result)) in (1..).zip(results) {
        if let Content::Result { text: said, .. } = result {
            text.push_str(&prompt::result(number, tool, said));
        }
    }
    text
}
