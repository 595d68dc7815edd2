//! Chat completions, as OpenAI made them and many others serve them.

mod answer;
mod ask;

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use memdir_model::{Error, Model, Request, Response};
use reqwest::header::AUTHORIZATION;

use crate::{
    Form, Options, conversation,
    form::Ladder,
    http::{Failure, Server},
};

const FORMS: &[Form] = &[Form::Schema, Form::Tool, Form::Object, Form::Words];

/// A model behind chat completions: hosted, or local as llama.cpp and Ollama serve it.
///
/// The address in its [`Options`] may stand with or without `/v1`. It needs a runtime of tokio with IO and time.
#[derive(Debug)]
pub struct OpenAi {
    server: Server,
    ladder: Ladder,
    /// Newer models of OpenAI refuse the cap under its first name; other servers would not heed it under the second.
    has_new_cap: AtomicBool,
}

impl OpenAi {
    /// Makes one that sends its requests to this server.
    pub fn new(options: Options) -> Self {
        let ladder = Ladder::new(FORMS, options.form);
        Self { server: Server::new(options), ladder, has_new_cap: AtomicBool::new(false) }
    }

    /// Returns how an answer in JSON is asked for now.
    pub fn form(&self) -> Form {
        self.ladder.form()
    }
}

#[async_trait]
impl Model for OpenAi {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        conversation::check(request)?;
        let json = self.ladder.of(request);
        let has_new_cap = self.has_new_cap.load(Ordering::Relaxed);
        let cap = if has_new_cap { ask::Cap::New } else { ask::Cap::First }(request.max_tokens);
        let body = ask::body(request, self.server.model(), cap, json)?;
        let key = self.server.access("Bearer ")?.map(|key| (AUTHORIZATION, key));
        let answer = match self.server.post("chat/completions", key, body).await {
            Ok(answer) => answer,
            Err(failure) => {
                return Err(self.step_down(failure, request, json.map(|(form, _)| form)));
            }
        };
        let tool = json.filter(|(form, _)| *form == Form::Tool).map(|(_, schema)| schema);
        let response = answer::read(answer, tool, |said| self.server.told(said))?;
        if let Some((form, _)) = json {
            self.ladder.answered(form, &response);
        }
        Ok(response)
    }
}

impl OpenAi {
    fn step_down(&self, failure: Failure, request: &Request, form: Option<Form>) -> Error {
        let Failure::Refused { status, body, message, .. } = &failure else {
            return failure.into();
        };
        let wants_new_cap = *status == 400
            && request.prefix.is_none()
            && body.contains("max_completion_tokens")
            && !self.has_new_cap.swap(true, Ordering::Relaxed);
        if wants_new_cap {
            return Error::Unsupported {
                form: "`max_tokens`".to_owned(),
                message: message.clone(),
            };
        }
        self.ladder.step_down(failure, request, form)
    }
}
