//! A request as chat completions read it.

use std::borrow::Cow;

use memdir_model::{Content, Error, Message, Request, Role, Schema};
use serde::Serialize;
use serde_json::{Map, Value};

use super::answer::THOUGHTS;
use crate::{Form, conversation::unsent, form};

#[derive(Serialize)]
struct Ask<'a> {
    model: &'a str,
    #[serde(flatten)]
    cap: Cap,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Tool<'a>>,
    messages: Vec<Said<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
}

/// The cap on the answer, by its two names.
#[derive(Serialize)]
pub(super) enum Cap {
    #[serde(rename = "max_tokens")]
    First(u32),
    #[serde(rename = "max_completion_tokens")]
    New(u32),
}

/// A tool, or the choice of one.
#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Value>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonObject,
    JsonSchema { json_schema: Named<'a> },
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

#[derive(Serialize)]
struct Said<'a> {
    role: &'static str,
    content: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    #[serde(flatten)]
    thoughts: Map<String, Value>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: &'a str,
    /// JSON as a text.
    arguments: String,
}

/// Makes the body of a request. With a shared prefix it is the prefix, byte for byte, with the messages at its end.
pub(super) fn body(
    request: &Request,
    model: &str,
    cap: Cap,
    json: Option<(Form, &Schema)>,
) -> Result<String, Error> {
    let instructions = form::instructions(json);
    let mut messages: Vec<_> = request.messages.iter().flat_map(said).collect();
    if let Some(prefix) = &request.prefix {
        match messages.last_mut().zip(instructions) {
            // Templates of local models know no two messages of one side.
            Some((Said { role: "user", content: Some(last), .. }, words)) => {
                last.to_mut().extend(["\n\n", &words]);
            }
            Some((_, words)) => messages.push(Said::of("user", words)),
            None => {}
        }
        let more = messages.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        return more.map(|more| prefix.body(more.iter().map(String::as_str))).map_err(unsent);
    }
    let passages = request.system.iter().map(|passage| passage.text.as_str());
    // One message: templates of local models know no second one.
    let system = passages.chain(instructions.as_deref()).collect::<Vec<_>>().join("\n\n");
    if !system.is_empty() {
        messages.insert(0, Said::of("system", system));
    }
    let own = request.tools.iter();
    let mut tools: Vec<_> =
        own.map(|tool| function(&tool.name, Some((&tool.description, &tool.input)))).collect();
    let (mut tool_choice, mut response_format) = (None, None);
    match json {
        Some((Form::Schema, Schema { name, schema, .. })) => {
            let json_schema = Named { name, strict: true, schema };
            response_format = Some(Format::JsonSchema { json_schema });
        }
        Some((Form::Tool, schema)) => {
            let takes = (form::TOOL_DESCRIPTION, &schema.schema);
            tools.push(function(&schema.name, Some(takes)));
            tool_choice = Some(function(&schema.name, None));
        }
        Some((Form::Object, _)) => response_format = Some(Format::JsonObject),
        Some((Form::Words, _)) | None => {}
    }
    let ask = Ask { model, cap, tools, tool_choice, messages, response_format };
    serde_json::to_string(&ask).map_err(unsent)
}

fn function<'a>(name: &'a str, takes: Option<(&'a str, &'a Value)>) -> Tool<'a> {
    let (description, parameters) = takes.unzip();
    Tool { kind: "function", function: Function { name, description, parameters } }
}

impl<'a> Said<'a> {
    fn of(role: &'static str, content: impl Into<Cow<'a, str>>) -> Self {
        Self {
            role,
            content: Some(content.into()),
            tool_calls: Vec::new(),
            tool_call_id: None,
            thoughts: Map::new(),
        }
    }
}

/// One message for each result of a tool, which stand first, and one for the rest of its parts, if there is any.
fn said(message: &Message) -> Vec<Said<'_>> {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let mut results = Vec::new();
    let mut rest = Said { content: None, ..Said::of(role, "") };
    for part in &message.content {
        match part {
            Content::Text(text) if text.trim().is_empty() => {}
            Content::Text(text) => match &mut rest.content {
                Some(words) => words.to_mut().extend(["\n\n", text]),
                None => rest.content = Some(text.into()),
            },
            Content::Call { id, tool, input } => {
                let function = Called { name: tool, arguments: input.to_string() };
                rest.tool_calls.push(Call { id, kind: "function", function });
            }
            Content::Result { id, text, is_error } => {
                // There is no field for it.
                let text =
                    if *is_error { format!("Error: {text}").into() } else { Cow::from(text) };
                results.push(Said { tool_call_id: Some(id), ..Said::of("tool", text) });
            }
            // What another API made has no place here.
            Content::Opaque(Value::Object(fields)) => {
                let known = fields.iter().filter(|(name, _)| THOUGHTS.contains(&name.as_str()));
                rest.thoughts.extend(known.map(|(name, value)| (name.clone(), value.clone())));
            }
            _ => {}
        }
    }
    let says = rest.content.is_some() || !rest.tool_calls.is_empty();
    results.into_iter().chain(says.then_some(rest)).collect()
}
