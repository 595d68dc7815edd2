//! A request as arguments, environment and standard input.

use std::ffi::OsStr;

use memdir_model::{Content, Error, Output, Request, Role};
use serde_json::json;

use crate::limits;

/// What the program gets.
pub(super) struct Ask {
    pub(super) arguments: Vec<String>,
    pub(super) environment: Vec<(&'static str, String)>,
    /// For its standard input, where nobody else on the machine sees it.
    pub(super) prompt: String,
}

/// Without any the program would take its own, which are long and about tools.
const NO_INSTRUCTIONS: &str = "Answer what you are asked.";

/// No hook runs, and no file that a text mentions is read for it, tools or not.
const SETTINGS: &str = r#"{"disableAllHooks":true,"permissions":{"deny":["Read"]}}"#;

const CONVERSATION: &str = "The conversation so far, as a list in JSON. Write the next message of the assistant, its text alone.";

impl Ask {
    pub(super) fn of(request: &Request, model: Option<&str>) -> Result<Self, Error> {
        let invalid = |what: &str| Error::Invalid { what: what.to_owned() };
        if request.prefix.is_some() {
            return Err(invalid("a program cannot go on from a shared prefix"));
        }
        if !request.tools.is_empty() {
            return Err(Error::ToolsUnsupported);
        }
        let system: Vec<_> = request.system.iter().map(|passage| passage.text.as_str()).collect();
        let system = if system.is_empty() { NO_INSTRUCTIONS } else { &system.join("\n\n") };
        let mut arguments: Vec<String> = [
            "-p",
            "--tools",
            "",
            "--strict-mcp-config",
            "--no-session-persistence",
            "--settings",
            SETTINGS,
            "--output-format",
            "json",
            "--system-prompt",
            system,
        ]
        .map(str::to_owned)
        .into();
        if let Some(model) = model {
            arguments.extend(["--model".to_owned(), model.to_owned()]);
        }
        if let Output::Json(schema) = &request.output {
            arguments.extend(["--json-schema".to_owned(), schema.schema.to_string()]);
        }
        if arguments.iter().any(|argument| argument.len() > limits::ARGUMENT_BYTES) {
            return Err(Error::Invalid {
                what: format!(
                    "the instructions or the schema have more than {} bytes, which no argument of a program can have",
                    limits::ARGUMENT_BYTES
                ),
            });
        }
        let environment = vec![
            ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", request.max_tokens.to_string()),
            // Each try is for the budget to see, so the caller repeats and not the program.
            ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned()),
            ("MAX_STRUCTURED_OUTPUT_RETRIES", "0".to_owned()),
            // Rules and memories of the user are for the user's sessions.
            ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1".to_owned()),
            ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1".to_owned()),
            (super::HOOK_DEPTH, "1".to_owned()),
        ];
        Ok(Self { arguments, environment, prompt: prompt(request)? })
    }
}

/// The text of a single message as it is, where it can be; otherwise a list in JSON, which no text in it can break out of.
///
/// The program takes a text that begins with `/` for a command of its own, and puts the file behind an `@` into the request. Texts
/// come from anywhere, so none gets there as it is.
fn prompt(request: &Request) -> Result<String, Error> {
    let invalid = |what: &str| Error::Invalid { what: what.to_owned() };
    let mut messages = Vec::new();
    for message in &request.messages {
        let mut texts = Vec::new();
        for part in &message.content {
            let Content::Text(text) = part else {
                return Err(invalid("a program takes no parts but texts"));
            };
            texts.push(text.as_str());
        }
        messages.push((message.role, texts.join("\n\n")));
    }
    match &messages[..] {
        [] => Err(invalid("it has no message")),
        [.., (Role::Assistant, _)] => Err(invalid("its last message is the model's")),
        [(Role::User, text)]
            if !text.contains('@') && !text.trim_start().starts_with(['/', '!', '#']) =>
        {
            Ok(text.clone())
        }
        several => {
            let role = |role: &Role| match role {
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            let list: Vec<_> =
                several.iter().map(|(of, text)| json!({"role": role(of), "text": text})).collect();
            Ok(format!("{CONVERSATION}\n{}", json!(list).to_string().replace('@', "\\u0040")))
        }
    }
}

/// Whether a variable describes the session in which the caller runs.
pub(super) fn is_of_a_session(name: &OsStr) -> bool {
    [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_ENV_FILE",
        "CLAUDE_PROJECT_DIR",
    ]
    .iter()
    .any(|known| name == *known)
}
