//! Asking without giving secrets away.

use async_trait::async_trait;
use serde_json::Value;

use crate::{Content, Error, Model, Output, Request, Response};

/// A model that never gets a secret that [`memdir_guard::secrets`] knows.
///
/// Secrets in texts are blotted out. A [`Prefix`](crate::Prefix) is sent as it is or not at all, so one that holds a secret is an error.
/// What is [`Content::Opaque`] came from the provider and goes back unread.
#[derive(Debug, Clone)]
pub struct Redacted<M> {
    model: M,
}

impl<M> Redacted<M> {
    /// Blots out what this model would be sent.
    pub fn new(model: M) -> Self {
        Self { model }
    }
}

#[async_trait]
impl<M: Model> Model for Redacted<M> {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        if let Some(found) = request.prefix.as_ref().and_then(|prefix| prefix.secret()) {
            return Err(Error::Invalid { what: format!("in the shared prefix, {found}") });
        }
        self.model.complete(&redacted(request)).await
    }
}

fn redacted(request: &Request) -> Request {
    let mut request = request.clone();
    for passage in &mut request.system {
        blot(&mut passage.text);
    }
    for content in request.messages.iter_mut().flat_map(|message| &mut message.content) {
        match content {
            Content::Text(text) | Content::Result { text, .. } => blot(text),
            Content::Call { input, .. } => blot_value(input),
            Content::Opaque(_) => {}
        }
    }
    for tool in &mut request.tools {
        blot(&mut tool.description);
        blot_value(&mut tool.input);
    }
    if let Output::Json(schema) = &mut request.output {
        blot_value(&mut schema.schema);
    }
    request
}

fn blot(text: &mut String) {
    let found = memdir_guard::secrets(text);
    if !found.is_empty() {
        *text = memdir_guard::redact(text, &found).into_owned();
    }
}

/// Blots out strings by themselves, then the whole as text, since a field's name tells what its value is.
fn blot_value(value: &mut Value) {
    blot_strings(value);
    let mut text = value.to_string();
    blot(&mut text);
    // Only what stands within strings is blotted out, so it is JSON still; where it is not, nothing is sent of it.
    *value = serde_json::from_str(&text).unwrap_or(Value::Null);
}

fn blot_strings(value: &mut Value) {
    match value {
        Value::String(text) => blot(text),
        Value::Array(items) => items.iter_mut().for_each(blot_strings),
        Value::Object(fields) => fields.values_mut().for_each(blot_strings),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
