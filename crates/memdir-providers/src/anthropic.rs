//! The Messages API of Anthropic, and servers that speak it.

mod answer;
mod ask;

use async_trait::async_trait;
use memdir_model::{Error, Model, Request, Response};
use reqwest::header::{HeaderName, HeaderValue};

use crate::{Form, Options, conversation, form::Ladder, http::Server};

/// The release of the API that requests and answers here are written for.
const VERSION: &str = "2023-06-01";
const FORMS: &[Form] = &[Form::Schema, Form::Tool, Form::Words];

/// A model behind the Messages API of Anthropic.
///
/// The address in its [`Options`] may stand with or without `/v1`. It needs a runtime of tokio with IO and time.
#[derive(Debug)]
pub struct Anthropic {
    server: Server,
    ladder: Ladder,
}

impl Anthropic {
    /// Makes one that sends its requests to this server.
    pub fn new(options: Options) -> Self {
        let ladder = Ladder::new(FORMS, options.form);
        Self { server: Server::new(options), ladder }
    }

    /// Returns how an answer in JSON is asked for now.
    pub fn form(&self) -> Form {
        self.ladder.form()
    }
}

#[async_trait]
impl Model for Anthropic {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        conversation::check(request)?;
        let json = self.ladder.of(request);
        let body = ask::body(request, self.server.model(), json)?;
        let version = HeaderName::from_static("anthropic-version");
        let key = self.server.access("")?;
        let headers = [(version, HeaderValue::from_static(VERSION))]
            .into_iter()
            .chain(key.map(|key| (HeaderName::from_static("x-api-key"), key)));
        let answer = match self.server.post("messages", headers, body).await {
            Ok(answer) => answer,
            Err(failure) => {
                return Err(self.ladder.step_down(failure, request, json.map(|(form, _)| form)));
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
