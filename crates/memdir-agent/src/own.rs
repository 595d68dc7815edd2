//! The tools of this crate: what a model is told of them, and how its calls are read.

use memdir_model::{Schema, Tool};
use serde_json::{Value, json};

use crate::{Action, Denial, Dialect, Matches, Policy, Verb, input::Input, limits, policy::span};

/// What a path within the project begins with. No path of a memory can: it holds a colon.
pub(crate) const PROJECT: &str = "project:";

pub(crate) fn action(policy: &Policy, tool: &str, input: &Value) -> Result<Action, Denial> {
    let input = Input::new(input)?;
    let memory = |field| policy.memory(Dialect::Own, input.text(field)?);
    Ok(match tool {
        "read" => Action::Read {
            file: policy.file(Dialect::Own, input.text("path")?)?,
            span: span(input.number("from_line")?, input.number("lines")?),
        },
        "list" => Action::List { scope: policy.scope(Dialect::Own, input.optional("path")?)? },
        "grep" => Action::Grep {
            words: words("text", input.text("text")?)?,
            scope: policy.scope(Dialect::Own, input.optional("path")?)?,
        },
        "write" => Action::Write { path: memory("path")?, text: input.text("text")?.to_owned() },
        "edit" => Action::Edit {
            path: memory("path")?,
            old: not_empty("old", input.text("old")?)?,
            new: input.optional("new")?.unwrap_or_default().to_owned(),
            matches: Matches::One,
        },
        "index" => Action::Index {
            path: memory("path")?,
            title: not_empty("title", input.text("title")?)?,
            hook: input.optional("hook")?.unwrap_or_default().to_owned(),
        },
        "remove" => {
            let kept_in = input.optional("kept_in")?;
            Action::Remove {
                path: memory("path")?,
                kept_in: kept_in.map(|path| policy.memory(Dialect::Own, path)).transpose()?,
            }
        }
        other => return Err(Denial::tool(other)),
    })
}

pub(crate) fn not_empty(field: &'static str, text: &str) -> Result<String, Denial> {
    if text.is_empty() {
        return Err(Denial::Input { field, expected: "a text that is not empty" });
    }
    Ok(text.to_owned())
}

/// The alternatives that `|` separates.
pub(crate) fn words(field: &'static str, text: &str) -> Result<Vec<String>, Denial> {
    let words: Vec<_> =
        text.split('|').filter(|word| !word.trim().is_empty()).map(str::to_owned).collect();
    if words.is_empty() || words.len() > limits::WORDS {
        return Err(Denial::Input { field, expected: "1 to 8 texts with `|` between them" });
    }
    Ok(words)
}

/// What a run may call.
fn verbs(policy: &Policy) -> impl Iterator<Item = Verb> {
    let all = [Verb::Read, Verb::List, Verb::Grep, Verb::Write, Verb::Edit, Verb::Index];
    all.into_iter().chain(policy.removes().then_some(Verb::Remove))
}

pub(crate) fn tools(policy: &Policy) -> Vec<Tool> {
    verbs(policy).map(tool).collect()
}

fn tool(verb: Verb) -> Tool {
    let path = "Path of a memory, relative to the memory directory.";
    let any = "Path relative to the memory directory, or of a file of the project as `project:src/main.rs`.";
    let folder = "A folder of the memory directory, or `project:` with a folder of the project. The whole memory directory if absent.";
    let (fields, required): (Value, &[&str]) = match verb {
        Verb::Read => (
            json!({
                "path": text(any),
                "from_line": {"type": "integer", "description": "First line, from 1."},
                "lines": {"type": "integer", "description": "How many lines at most."},
            }),
            &["path"],
        ),
        Verb::List => (json!({"path": text(folder)}), &[]),
        Verb::Grep => (
            json!({
                "text": text("What to find, as written. Several texts have `|` between them."),
                "path": text(folder),
            }),
            &["text"],
        ),
        Verb::Write => (
            json!({"path": text(path), "text": text("The whole file, frontmatter included.")}),
            &["path", "text"],
        ),
        Verb::Edit => (
            json!({
                "path": text(path),
                "old": text("Text that is in the file exactly once, without the `> ` of quoted lines."),
                "new": text("What takes its place."),
            }),
            &["path", "old", "new"],
        ),
        Verb::Index => (
            json!({
                "path": text(path),
                "title": text("A few words that name the memory."),
                "hook": text("What it says, in one short line."),
            }),
            &["path", "title", "hook"],
        ),
        Verb::Remove => (
            json!({
                "path": text(path),
                "kept_in": text("The memory that says from now on what this one said."),
            }),
            &["path"],
        ),
    };
    let schema = json!({
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": false,
    });
    Tool::new(verb.as_str(), description(verb), schema)
}

pub(crate) fn description(verb: Verb) -> &'static str {
    match verb {
        Verb::Read => "Shows a memory, `MEMORY.md`, or a file of the project.",
        Verb::List => "Names the files in a folder.",
        Verb::Grep => "Finds lines that hold a text.",
        Verb::Write => {
            "Writes a memory as a whole. One that exists must have been read in this run. On `MEMORY.md` it sets and takes away lines that lead to memories."
        }
        Verb::Edit => "Replaces one part of a memory that was read in this run.",
        Verb::Index => "Sets the line in `MEMORY.md` that leads to a memory.",
        Verb::Remove => {
            "Takes away a memory that was read in this run, with its line in `MEMORY.md`."
        }
    }
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// The form of an answer of a model that calls no tools. Every field is required, as providers demand; unused ones are empty.
pub(crate) fn schema(policy: &Policy) -> Schema {
    let tools: Vec<_> = verbs(policy).map(Verb::as_str).collect();
    let tool = ("tool".to_owned(), json!({"type": "string", "enum": tools}));
    let rest = FIELDS.map(|field| (field.to_owned(), json!({"type": "string"})));
    let fields: serde_json::Map<_, _> = [tool].into_iter().chain(rest).collect();
    let required: Vec<_> = ["tool"].into_iter().chain(FIELDS).collect();
    let action = json!({
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": false,
    });
    Schema::new(
        "actions",
        json!({
            "type": "object",
            "properties": {
                "actions": {"type": "array", "items": action},
                "done": {"type": "boolean"},
            },
            "required": ["actions", "done"],
            "additionalProperties": false,
        }),
    )
}

const FIELDS: [&str; 7] = ["path", "text", "old", "new", "title", "hook", "kept_in"];
