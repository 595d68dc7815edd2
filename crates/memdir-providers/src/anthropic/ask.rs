//! A request as the Messages API reads it.

use memdir_model::{Cache, Content, Error, Message, Prefix, Request, Role, Schema};
use serde::Serialize;
use serde_json::Value;

use crate::{Form, conversation::unsent, form, limits};

#[derive(Serialize)]
struct Ask<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Part<'a>>,
    messages: Vec<Said<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
struct Choice<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'a Value,
}

#[derive(Serialize)]
struct Said<'a> {
    role: &'static str,
    content: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    #[serde(flatten)]
    block: Block<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Kept>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: &'a Value,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    #[serde(untagged)]
    Opaque(&'a Value),
}

#[derive(Serialize)]
struct Kept {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// Makes the body of a request. With a shared prefix it is the prefix, byte for byte, with the messages at its end.
pub(super) fn body(
    request: &Request,
    model: &str,
    json: Option<(Form, &Schema)>,
) -> Result<String, Error> {
    let instructions = form::instructions(json);
    let mut marks = Marks::of(request);
    let mut system: Vec<_> =
        request.system.iter().map(|it| text(&it.text, marks.next(it.cache))).collect();
    let mut messages: Vec<_> =
        request.messages.iter().filter_map(|it| said(it, &mut marks)).collect();
    if let Some(instructions) = &instructions {
        match &request.prefix {
            None => system.push(text(instructions, None)),
            Some(_) => {
                if let Some(last) = messages.last_mut() {
                    last.content.push(text(instructions, None));
                }
            }
        }
    }
    if let Some(prefix) = &request.prefix {
        let more = messages.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        return more.map(|more| prefix.body(more.iter().map(String::as_str))).map_err(unsent);
    }
    let own = request.tools.iter();
    let mut tools: Vec<_> = own
        .map(|tool| Tool {
            name: &tool.name,
            description: &tool.description,
            input_schema: &tool.input,
        })
        .collect();
    let (mut tool_choice, mut output_config) = (None, None);
    match json {
        Some((Form::Schema, schema)) => {
            let format = Format { kind: "json_schema", schema: &schema.schema };
            output_config = Some(OutputConfig { format });
        }
        Some((Form::Tool, schema)) => {
            let (name, description) = (schema.name.as_str(), form::TOOL_DESCRIPTION);
            tools.push(Tool { name, description, input_schema: &schema.schema });
            tool_choice = Some(Choice { kind: "tool", name });
        }
        Some((Form::Object | Form::Words, _)) | None => {}
    }
    let max_tokens = request.max_tokens;
    let ask = Ask { model, max_tokens, tools, tool_choice, system, messages, output_config };
    serde_json::to_string(&ask).map_err(unsent)
}

fn text(text: &str, cache_control: Option<Kept>) -> Part<'_> {
    Part { block: Block::Text { text }, cache_control }
}

/// `None` if nothing is left of a message: the API takes neither empty texts nor messages without any part.
fn said<'a>(message: &'a Message, marks: &mut Marks) -> Option<Said<'a>> {
    let mut content: Vec<_> = message.content.iter().filter_map(part).collect();
    // Results stand before words, or the API takes them for missing.
    content.sort_by_key(|part| !matches!(part.block, Block::ToolResult { .. }));
    // Thinking can bear no mark.
    let last = content.iter_mut().rfind(|part| !matches!(part.block, Block::Opaque(_)));
    let mark = marks.next(message.cache);
    if let Some(last) = last {
        last.cache_control = mark;
    }
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    (!content.is_empty()).then_some(Said { role, content })
}

fn part(content: &Content) -> Option<Part<'_>> {
    let block = match content {
        Content::Text(text) if text.trim().is_empty() => return None,
        Content::Text(text) => Block::Text { text },
        Content::Call { id, tool, input } => Block::ToolUse { id, name: tool, input },
        Content::Result { id, text, is_error } => {
            Block::ToolResult { tool_use_id: id, content: text, is_error: *is_error }
        }
        Content::Opaque(value) => Block::Opaque(value),
        // A part of a kind that came after this was written has no block.
        _ => return None,
    };
    Some(Part { block, cache_control: None })
}

/// Which breakpoints are sent: the last ones, since each covers all that stands before it.
struct Marks {
    surplus: usize,
}

impl Marks {
    fn of(request: &Request) -> Self {
        let system = request.system.iter().map(|passage| passage.cache);
        let messages = request.messages.iter().map(|message| message.cache);
        let wanted = system.chain(messages).filter(|cache| *cache == Cache::Here).count();
        let taken = request.prefix.as_deref().map_or(0, breakpoints);
        Self { surplus: wanted.saturating_sub(limits::BREAKPOINTS.saturating_sub(taken)) }
    }

    fn next(&mut self, cache: Cache) -> Option<Kept> {
        match cache {
            Cache::No => None,
            Cache::Here if self.surplus > 0 => {
                self.surplus -= 1;
                None
            }
            Cache::Here => Some(Kept { kind: "ephemeral" }),
        }
    }
}

/// Breakpoints of a host's request. In a text within it the quotes would be escaped, so each one found is a field or as good as one.
fn breakpoints(prefix: &Prefix) -> usize {
    prefix.body([]).matches("\"cache_control\"").count()
}
