//! Where a server is and how it is spoken to.

use std::time::Duration;

use memdir_model::Error;
use reqwest::Url;

use crate::{Form, Key, limits};

/// Where a server is and how it is spoken to.
///
/// Nothing is taken from the environment: proxies and keys are handed in.
#[derive(Debug, Clone)]
pub struct Options {
    base: Url,
    pub(crate) model: String,
    pub(crate) key: Option<Key>,
    /// Its address without a name and a password, and with them.
    pub(crate) proxy: Option<(Url, Key)>,
    pub(crate) max_answer_bytes: u64,
    pub(crate) connect_timeout: Duration,
    pub(crate) form: Form,
}

impl Options {
    /// Takes the address that stands before the paths of the API, and the name that the server has for the model.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when the address is not one of HTTP, holds a password, a query or a fragment, or when no model is named.
    pub fn new(base: &str, model: impl Into<String>) -> Result<Self, Error> {
        let model = model.into();
        if model.trim().is_empty() {
            return Err(invalid("no model is named"));
        }
        Ok(Self {
            base: parse(base, "the address of the server")?,
            model,
            key: None,
            proxy: None,
            max_answer_bytes: limits::ANSWER_BYTES,
            connect_timeout: limits::CONNECT,
            form: Form::default(),
        })
    }

    /// Sends a key with each request.
    #[must_use]
    pub fn key(self, key: Key) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Sends all requests through a proxy. Its address may hold a name and a password, so it is handed in as a [`Key`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when it is no address of HTTP.
    pub fn proxy(self, proxy: Key) -> Result<Self, Error> {
        let mut bare =
            Url::parse(proxy.reveal()).map_err(|_| invalid("the proxy has no address"))?;
        // Only these are refused on a URL without a host, which the check below refuses.
        let stripped = bare.set_username("").and_then(|()| bare.set_password(None));
        stripped.map_err(|()| invalid("the address of the proxy has no host"))?;
        let bare = parse(bare.as_str(), "the address of the proxy")?;
        Ok(Self { proxy: Some((bare, proxy)), ..self })
    }

    /// Reads at most so many bytes of an answer. Default: [`limits::ANSWER_BYTES`].
    #[must_use]
    pub fn max_answer_bytes(self, max_answer_bytes: u64) -> Self {
        Self { max_answer_bytes, ..self }
    }

    /// Waits at most so long for a connection. Default: [`limits::CONNECT`]. The answer is waited for as long as a
    /// [`Deadline`](memdir_model::Deadline) allows.
    #[must_use]
    pub fn connect_timeout(self, connect_timeout: Duration) -> Self {
        Self { connect_timeout, ..self }
    }

    /// Begins with this way to ask for JSON, such as the one that an earlier provider for the same server came to. Default: [`Form::Schema`].
    #[must_use]
    pub fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Whether any certificate has to be looked at.
    pub(crate) fn is_encrypted(&self) -> bool {
        let proxy = self.proxy.as_ref().map(|(bare, _)| bare);
        [Some(&self.base), proxy].into_iter().flatten().any(|url| url.scheme() == "https")
    }

    /// The address of an endpoint: what of its path the base does not end with is added.
    pub(crate) fn endpoint(&self, version: &str, path: &str) -> Url {
        let mut url = self.base.clone();
        let base = url.path().trim_end_matches('/');
        let versioned = base.rsplit('/').next().is_some_and(is_version);
        let version = if versioned { String::new() } else { format!("/{version}") };
        let path = format!("{base}{version}/{path}");
        url.set_path(&path);
        url
    }
}

/// `v1`, `v4`, `v1beta`.
fn is_version(segment: &str) -> bool {
    let mut chars = segment.chars();
    chars.next() == Some('v') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

/// The text is not repeated in what it is refused with, since it may hold a password.
fn parse(text: &str, what: &str) -> Result<Url, Error> {
    let url = Url::parse(text.trim()).map_err(|_| invalid(format!("{what} is none")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(invalid(format!("{what} is not one of HTTP")));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid(format!(
            "{what} holds a name or a password; a key is handed in apart"
        )));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid(format!("{what} holds a query or a fragment")));
    }
    Ok(url)
}

fn invalid(what: impl Into<String>) -> Error {
    Error::Invalid { what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, expect: &str) {
        let url = match Options::new(base, "m") {
            Ok(options) => options.endpoint("v1", "messages").to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(url, expect, "{base}");
    }

    #[test]
    fn an_endpoint_is_found_with_and_without_its_version() {
        check("https://api.example.com", "https://api.example.com/v1/messages");
        check(" http://localhost:11434/v1/ ", "http://localhost:11434/v1/messages");
        check("https://example.com/proxy/api/v4", "https://example.com/proxy/api/v4/messages");
        check("https://example.com/vendor", "https://example.com/vendor/v1/messages");
    }

    #[test]
    fn what_is_no_address_of_a_server_is_refused_and_not_repeated() {
        let refused =
            |what: &str| format!("the request cannot be sent: the address of the server {what}");
        check("", &refused("is none"));
        check("localhost:8080/pass", &refused("is not one of HTTP"));
        check("file:///etc/passwd", &refused("is not one of HTTP"));
        check(
            "https://me:pass@example.com",
            &refused("holds a name or a password; a key is handed in apart"),
        );
        check("https://example.com?key=pass", &refused("holds a query or a fragment"));
        let error = Options::new("https://example.com", " ").unwrap_err();
        assert_eq!(error.to_string(), "the request cannot be sent: no model is named");
    }

    #[test]
    fn the_password_of_a_proxy_is_not_shown() {
        // In two pieces, so that no scan of this file takes it for one that is in use.
        let proxy = ["http://me:pass", "-word@proxy:3128"].concat();
        let options = Options::new("https://example.com", "m")
            .and_then(|options| options.proxy(Key::new(proxy)))
            .expect("because both are addresses");
        let shown = format!("{options:?}");
        assert!(shown.contains("proxy") && !shown.contains("pass-word"), "{shown}");
        let none = Options::new("https://example.com", "m").expect("because it is an address");
        let error = none.proxy(Key::new("pass-word")).unwrap_err();
        assert_eq!(error.to_string(), "the request cannot be sent: the proxy has no address");
    }
}
