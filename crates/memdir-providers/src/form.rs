//! How an answer in JSON is asked for, and what a server turned out not to know.

use std::sync::atomic::{AtomicU8, Ordering};

use memdir_model::{Error, Output, Request, Response, Schema, Stop};

use crate::http::Failure;

/// How a provider asks for an answer in JSON, from the strictest way to the plainest.
///
/// It begins with the strictest one and goes down each time a server refuses one, or answers without any JSON. Where it stands can
/// be looked up and set again, since a program that lives for one request learns nothing for the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Form {
    /// The server makes an answer fit the schema.
    #[default]
    Schema,
    /// The model must call a tool whose input has the schema.
    Tool,
    /// The server makes an answer JSON; the schema stands in the instructions. No way of the API of Anthropic, which goes on to words.
    Object,
    /// The instructions ask for JSON.
    Words,
}

impl Form {
    /// What a server names when it does not know the form, in lower case.
    ///
    /// llama.cpp speaks of grammars, routers of parameters, gateways in Python of the path of the field.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Schema => &[
                "response_format",
                "output_config",
                "output_format",
                "schema",
                "grammar",
                "structured",
                "requested parameters",
            ],
            Self::Tool => &["tool", "function", "requested parameters"],
            Self::Object => &["response_format", "json", "grammar", "requested parameters"],
            Self::Words => &[],
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Schema => "a schema",
            Self::Tool => "a tool that must be called",
            Self::Object => "a wish for JSON",
            Self::Words => "instructions",
        }
    }
}

/// The forms that an API has, and the one that is next.
#[derive(Debug)]
pub(crate) struct Ladder {
    forms: &'static [Form],
    at: AtomicU8,
}

impl Ladder {
    pub(crate) fn new(forms: &'static [Form], start: Form) -> Self {
        Self { forms, at: AtomicU8::new(start as u8) }
    }

    pub(crate) fn form(&self) -> Form {
        let at = self.at.load(Ordering::Relaxed);
        self.forms.iter().copied().find(|form| *form as u8 >= at).unwrap_or(Form::Words)
    }

    /// The form for a request, and the schema; `None` if it asks for words.
    ///
    /// What a host sent cannot be given a field, so only words are left beside a shared prefix. A tool that must be called would
    /// keep the model from calling the others.
    pub(crate) fn of<'a>(&self, request: &'a Request) -> Option<(Form, &'a Schema)> {
        let Output::Json(schema) = &request.output else { return None };
        let form = match self.form() {
            _ if request.prefix.is_some() => Form::Words,
            Form::Tool if !request.tools.is_empty() => self.below(Form::Tool),
            form => form,
        };
        Some((form, schema))
    }

    /// What a failure comes to: where a server does not know this form, the next one is noted for the next request.
    pub(crate) fn step_down(
        &self,
        failure: Failure,
        request: &Request,
        form: Option<Form>,
    ) -> Error {
        match (&failure, form) {
            (Failure::Refused { message, .. }, Some(form)) if failure.speaks_of(form.names()) => {
                self.down(form);
                Error::Unsupported { form: form.title().to_owned(), message: message.clone() }
            }
            _ if !request.tools.is_empty() && failure.knows_no_tools() => Error::ToolsUnsupported,
            _ => failure.into(),
        }
    }

    /// Goes down where a server took the form, and the model was free to answer without JSON all the same.
    pub(crate) fn answered(&self, form: Form, response: &Response) {
        if response.stop == Stop::End && response.json().is_none() {
            self.down(form);
        }
    }

    fn down(&self, from: Form) {
        self.at.fetch_max(self.below(from) as u8, Ordering::Relaxed);
    }

    fn below(&self, from: Form) -> Form {
        self.forms.iter().copied().find(|form| *form > from).unwrap_or(Form::Words)
    }
}

/// Asks for JSON in words, where the form of the request needs them.
pub(crate) fn instructions(json: Option<(Form, &Schema)>) -> Option<String> {
    let (_, schema) = json.filter(|(form, _)| matches!(form, Form::Words | Form::Object))?;
    Some(format!(
        "Answer with one JSON value and nothing else: no sentence before or after it, no code fence. It has to fit this JSON Schema:\n{}",
        schema.schema
    ))
}

/// What the tool is for that must be called.
pub(crate) const TOOL_DESCRIPTION: &str = "Takes the answer. Call it once, with the whole answer.";
