//! What went wrong, for a person: what, where, why, what to try; and the exit code.

use std::error::Error;
use std::fmt::Write as _;

use memdir::core::text::escape_control;
use serde::Serialize;

/// Exit codes; documented in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    /// Found nothing (`recall`, `show`), or findings (`check`).
    Nothing = 1,
    Usage = 2,
    Refused = 3,
    Io = 4,
    Busy = 5,
}

impl Exit {
    fn kind(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Nothing => "not_found",
            Self::Usage => "usage",
            Self::Refused => "refused",
            Self::Io => "io",
            Self::Busy => "busy",
        }
    }
}

/// An error that ends the command, or with [`Out::warn`](crate::output::Out::warn) a warning that does not.
#[derive(Debug, Clone)]
pub(crate) struct CliError {
    pub(crate) exit: Exit,
    what: String,
    place: Option<String>,
    why: Option<String>,
    hints: Vec<String>,
}

/// A line of stderr under `--json`.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Wire<'a> {
    Error(WireBody<'a>),
    Warning(WireBody<'a>),
}

#[derive(Serialize)]
struct WireBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<u8>,
    what: &'a str,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(rename = "try", skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
}

impl CliError {
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        Self { exit, what: what.into(), place: None, why: None, hints: Vec::new() }
    }

    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::new(Exit::Usage, what)
    }

    pub(crate) fn refused(what: impl Into<String>) -> Self {
        Self::new(Exit::Refused, what)
    }

    pub(crate) fn io(what: impl Into<String>, source: &dyn Error) -> Self {
        Self::new(Exit::Io, what).because(chain(source))
    }

    /// Names the file, setting or folder that it is about.
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    pub(crate) fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// `error: what`, then one indented line each for where, why and what to try.
    pub(crate) fn to_text(&self, label: &str) -> String {
        let mut text = format!("{label} {}\n", escape_control(&self.what));
        let parts = self
            .place
            .iter()
            .map(|place| ("where", place))
            .chain(self.why.iter().map(|why| ("why", why)));
        for (name, value) in parts.chain(self.hints.iter().map(|hint| ("try", hint))) {
            // Writing to a String cannot fail; the Result is the trait's.
            if writeln!(text, "  {name}: {}", escape_control(value)).is_err() {
                break;
            }
        }
        text
    }

    /// `{"error": {"kind", "exit", "what", "where"?, "why"?, "try"?}}`.
    pub(crate) fn to_wire_error(&self) -> impl Serialize + '_ {
        Wire::Error(self.body(true))
    }

    /// `{"warning": {"what", "where"?, "why"?, "try"?}}`.
    pub(crate) fn to_wire_warning(&self) -> impl Serialize + '_ {
        Wire::Warning(self.body(false))
    }

    fn body(&self, ends: bool) -> WireBody<'_> {
        WireBody {
            kind: ends.then(|| self.exit.kind()),
            exit: ends.then_some(self.exit as u8),
            what: &self.what,
            place: self.place.as_deref(),
            why: self.why.as_deref(),
            hints: &self.hints,
        }
    }
}

/// An error and its sources in one line, outermost first.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.ends_with(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    text
}
