//! What went wrong, for a person: what, where, why, what to try; and the exit code.

use std::error::Error;

use memdir::core::MemPath;
use memdir::core::text::escape_control;
use serde::Serialize;

/// Exit codes; documented in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    /// Found nothing (`recall`, `show` and their like), nothing to undo, or findings (`check`).
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
    /// Only a person may do it.
    pub(crate) by_person: bool,
    told: Box<Told>,
}

#[derive(Debug, Clone, Default)]
struct Told {
    what: String,
    /// Lines below the first, without a name.
    items: Vec<String>,
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
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    items: &'a [String],
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(rename = "try", skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
}

impl CliError {
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        let told = Told { what: what.into(), ..Told::default() };
        Self { exit, by_person: false, told: Box::new(told) }
    }

    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::new(Exit::Usage, what)
    }

    /// Reads what the parser of command lines says to people: what, what is missing or possible, tips, and the usage.
    pub(crate) fn of_command_line(text: &str) -> Self {
        let mut paragraphs = text.trim_end().split("\n\n");
        let mut first = paragraphs.next().unwrap_or_default().lines();
        let what = first.next().unwrap_or_default();
        let error = Self::usage(what.strip_prefix("error: ").unwrap_or(what));
        let error = first.fold(error, |error, line| error.item(line.trim()));
        let rest = paragraphs.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
        rest.fold(error, |error, line| error.hint(line.strip_prefix("tip: ").unwrap_or(line)))
    }

    pub(crate) fn refused(what: impl Into<String>) -> Self {
        Self::new(Exit::Refused, what)
    }

    pub(crate) fn io(what: impl Into<String>, source: &dyn Error) -> Self {
        Self::new(Exit::Io, what).because(chain(source))
    }

    /// Something to know although the command goes on.
    pub(crate) fn warning(what: impl Into<String>) -> Self {
        Self::new(Exit::Done, what)
    }

    /// Neither `HOME` nor the client's own variable says where its folder is.
    pub(crate) fn no_client_folder() -> Self {
        Self::usage("the client's folder is not known").hint("set HOME or CLAUDE_CONFIG_DIR")
    }

    /// `show` and its like found nothing of that name.
    pub(crate) fn not_found(reference: &str, near: &[MemPath]) -> Self {
        let error =
            Self::new(Exit::Nothing, format!("not found: there is no memory `{reference}`"));
        if near.is_empty() {
            return error.hint("`memdir list` names them all");
        }
        let names = near.iter().map(MemPath::as_str).collect::<Vec<_>>().join(", ");
        error.hint(format!("similar names: {names}"))
    }

    /// What went wrong, in one line.
    pub(crate) fn what(&self) -> &str {
        &self.told.what
    }

    /// Marks what only a person may do; where the command runs for an agent, the person's command is added.
    pub(crate) fn by_person(mut self) -> Self {
        self.by_person = true;
        self
    }

    /// Names the file, setting or folder that it is about.
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.told.place = Some(place.into());
        self
    }

    pub(crate) fn because(mut self, why: impl Into<String>) -> Self {
        self.told.why = Some(why.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.told.hints.push(hint.into());
        self
    }

    /// Adds one of several things that it is about.
    pub(crate) fn item(mut self, item: &str) -> Self {
        self.told.items.push(item.to_owned());
        self
    }

    /// `error: what`, then one indented line each for where, why and what to try.
    pub(crate) fn to_text(&self, label: &str) -> String {
        let mut text = format!("{label} {}\n", escape_control(&self.told.what));
        for item in &self.told.items {
            text.extend(["  - ", &escape_control(item), "\n"]);
        }
        let Told { place, why, hints, .. } = &*self.told;
        let place = place.iter().map(|place| ("where", place));
        let parts = place.chain(why.iter().map(|why| ("why", why)));
        for (name, value) in parts.chain(hints.iter().map(|hint| ("try", hint))) {
            text.extend(["  ", name, ": ", &escape_control(value), "\n"]);
        }
        text
    }

    /// `{"error": {"kind", "exit", "what", "items"?, "where"?, "why"?, "try"?}}`.
    pub(crate) fn to_wire_error(&self) -> impl Serialize + '_ {
        Wire::Error(self.body(Some(self.exit)))
    }

    /// `{"warning": {"what", "items"?, "where"?, "why"?, "try"?}}`.
    pub(crate) fn to_wire_warning(&self) -> impl Serialize + '_ {
        Wire::Warning(self.body(None))
    }

    /// `{"what", "items"?, "where"?, "why"?, "try"?}`.
    pub(crate) fn to_wire(&self) -> impl Serialize + '_ {
        self.body(None)
    }

    fn body(&self, exit: Option<Exit>) -> WireBody<'_> {
        WireBody {
            kind: exit.map(Exit::kind),
            exit: exit.map(|exit| exit as u8),
            what: &self.told.what,
            items: &self.told.items,
            place: self.told.place.as_deref(),
            why: self.told.why.as_deref(),
            hints: &self.told.hints,
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
