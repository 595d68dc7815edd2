//! One request to a server, and the body of its answer within bounds.

mod retry_after;

use std::{
    error::Error as _,
    sync::{Arc, OnceLock},
    time::Duration,
};

use memdir_model::{Error, Source};
use reqwest::{
    Client, Method, Proxy, Response,
    header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    redirect,
};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt as _;
use serde_json::Value;

use crate::{Key, Options, limits, told::told};

/// A server. The connection is prepared with the first request, since reading the certificates of a system takes a while.
#[derive(Debug)]
pub(crate) struct Server {
    options: Options,
    client: OnceLock<Client>,
}

/// Why a request brought no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The server answered with an error.
    Refused {
        status: u16,
        /// As it came, for looking at and not for showing.
        body: String,
        /// As it may be shown.
        message: String,
        retry_after: Option<Duration>,
    },
    /// Anything else.
    Other(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl Failure {
    /// Whether a server says that the model calls no tools, or that it passes none on.
    ///
    /// Ollama, routers, llama.cpp, gateways in Python and older servers all say it in their own way.
    pub(crate) fn knows_no_tools(&self) -> bool {
        let ways = ["support", "requires --", "not permitted", "unrecognized", "unknown"];
        self.speaks_of(&["tool"]) && self.speaks_of(&ways)
    }

    /// Whether a server refuses a request for what it is, and names any of these, in lower case.
    pub(crate) fn speaks_of(&self, names: &[&str]) -> bool {
        let Self::Refused { status: 400 | 404 | 422, body, .. } = self else { return false };
        let body = body.to_lowercase();
        names.iter().any(|name| body.contains(name))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused { status, message, retry_after, .. } => {
                Self::Status { status, message, retry_after }
            }
            Failure::Other(error) => error,
        }
    }
}

impl Server {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, client: OnceLock::new() }
    }

    /// The name that the server has for the model.
    pub(crate) fn model(&self) -> &str {
        &self.options.model
    }

    fn proxy(&self) -> Option<&Key> {
        self.options.proxy.as_ref().map(|(_, proxy)| proxy)
    }

    /// Makes one line of what a server says.
    pub(crate) fn told(&self, text: &str) -> String {
        told(text, self.options.key.iter().chain(self.proxy()))
    }

    /// The key as the value of a header, with what stands before it.
    pub(crate) fn access(&self, before: &str) -> Result<Option<HeaderValue>, Error> {
        let Some(key) = &self.options.key else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("{before}{}", key.reveal()))
            .map_err(|_| Error::Invalid { what: "the key holds what no header can".to_owned() })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// Sends a body of JSON to an endpoint and returns the JSON that comes back.
    pub(crate) async fn post(
        &self,
        path: &str,
        headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
        body: String,
    ) -> Result<Value, Failure> {
        let json = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let headers: HeaderMap = headers.into_iter().chain([json]).collect();
        let url = self.options.endpoint("v1", path);
        let sent = self.client()?.request(Method::POST, url).headers(headers).body(body).send();
        let response = sent.await.map_err(|error| self.not_sent(error))?;
        if response.status().is_success() {
            let is_json = is_json(response.headers());
            let body = self.read(response).await?;
            return self.parse(&body, is_json).map_err(Failure::from);
        }
        Err(self.refused(response).await)
    }

    fn client(&self) -> Result<Client, Error> {
        if let Some(client) = self.client.get() {
            return Ok(client.clone());
        }
        let made = self.make().map_err(|what| Error::Invalid { what })?;
        Ok(self.client.get_or_init(|| made).clone())
    }

    fn make(&self) -> Result<Client, String> {
        let mut builder = Client::builder()
            .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.options.connect_timeout)
            // A redirect could carry the key and the request to anybody.
            .redirect(redirect::Policy::none())
            .no_proxy()
            .tls_backend_preconfigured(tls(self.options.is_encrypted())?);
        if let Some(proxy) = self.proxy() {
            let proxy = Proxy::all(proxy.reveal());
            builder =
                builder.proxy(proxy.map_err(|error| self.told(&chain(&error.without_url())))?);
        }
        builder.build().map_err(|error| self.told(&chain(&error.without_url())))
    }

    fn not_sent(&self, error: reqwest::Error) -> Failure {
        let error = error.without_url();
        let source = Source::from(self.told(&chain(&error)));
        let error = match () {
            () if error.is_builder() => Error::Invalid { what: source.to_string() },
            () if error.is_connect() => Error::Unreachable { source },
            () => Error::Connection { source },
        };
        error.into()
    }

    async fn refused(&self, response: Response) -> Failure {
        let status = response.status().as_u16();
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_after =
            header(RETRY_AFTER).and_then(|after| retry_after::parse(after, header(DATE)));
        let body = self.read_error(response).await;
        let message = match status {
            300..=399 => "it points to another address, which is not followed".to_owned(),
            _ => self.told(&message(&body)),
        };
        Failure::Refused { status, body, message, retry_after }
    }

    /// Reads an answer, up to the limit.
    async fn read(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let limit = self.options.max_answer_bytes;
        let too_large = || Failure::Other(Error::TooLarge { limit });
        if response.content_length().is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if (body.len() + chunk.len()) as u64 > limit => {
                    return Err(too_large());
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => return Ok(body),
                Err(error) => {
                    let source = self.told(&chain(&error.without_url())).into();
                    return Err(Error::Connection { source }.into());
                }
            }
        }
    }

    /// Reads the beginning of an error. Where it breaks off, the status says enough.
    async fn read_error(&self, mut response: Response) -> String {
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() as u64 >= limits::ERROR_BYTES {
                break;
            }
        }
        String::from_utf8_lossy(&body).into_owned()
    }

    fn parse(&self, body: &[u8], is_json: Result<(), String>) -> Result<Value, Error> {
        let malformed = |what: String| Error::Malformed { what };
        if body.iter().all(u8::is_ascii_whitespace) {
            return Err(malformed("it is empty".to_owned()));
        }
        is_json.map_err(|kind| malformed(format!("it comes as `{}`", self.told(&kind))))?;
        serde_json::from_slice(body).map_err(|_| malformed("it is no JSON".to_owned()))
    }
}

/// TLS for this client alone. Where nothing is encrypted no certificate is read: a container beside a local server may have none.
fn tls(is_encrypted: bool) -> Result<ClientConfig, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = if is_encrypted {
        builder.with_platform_verifier().map_err(|error| error.to_string())?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

/// Whether a body says that it is JSON, or does not say; what it says otherwise.
fn is_json(headers: &HeaderMap) -> Result<(), String> {
    let Some(kind) = headers.get(CONTENT_TYPE) else { return Ok(()) };
    let kind = String::from_utf8_lossy(kind.as_bytes());
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.to_ascii_lowercase().ends_with("json") { Ok(()) } else { Err(kind.to_owned()) }
}

/// The words of an error: where servers of many makers put them, else the whole text where it is no JSON.
///
/// JSON of another form is not shown: some servers repeat the request in it.
fn message(body: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    let said = |pointer: &str| body.pointer(pointer).and_then(Value::as_str);
    let words = ["/error/message", "/error", "/message", "/detail"];
    if let Some(words) = words.into_iter().find_map(said) {
        return words.to_owned();
    }
    let details = body.pointer("/detail").and_then(Value::as_array);
    let details = details.into_iter().flatten();
    let words = details.filter_map(|detail| detail.pointer("/msg").and_then(Value::as_str));
    words.collect::<Vec<_>>().join("; ")
}

/// An error and all its causes, on one line.
fn chain(error: &reqwest::Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_error_are_found_and_a_repeated_request_is_not_shown() {
        for (body, expect) in [
            (r#"{"type":"error","error":{"type":"t","message":"slow down"}}"#, "slow down"),
            (r#"{"error":"model not found"}"#, "model not found"),
            (r#"{"object":"error","message":"no"}"#, "no"),
            (r#"{"detail":"not here"}"#, "not here"),
            (
                r#"{"detail":[{"loc":["body"],"msg":"field required","input":{"messages":"mine"}},{"msg":"no"}]}"#,
                "field required; no",
            ),
            (r#"{"request":"mine"}"#, ""),
            ("<h1>Bad gateway</h1>", "<h1>Bad gateway</h1>"),
            ("", ""),
        ] {
            assert_eq!(message(body), expect, "{body}");
        }
    }
}
