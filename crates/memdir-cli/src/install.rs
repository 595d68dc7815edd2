//! Our entries in the settings of a client: added and taken out as text, so that all else in the file stays as it is.

mod handler;
mod json_text;

use std::ops::Range;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::PrettyFormatter;

use crate::config::HOOKS_OFF;
use crate::env::quoted;
use crate::hook::Moment;
use handler::{Form, Ours, ours};
use json_text::{Kind, Node, parse};

/// Seconds after which the client goes on without an answer. Ours: a thousand times what one takes on a quiet machine, and
/// short enough for somebody who waits.
const TIMEOUT_SECONDS: u32 = 5;

/// A file of settings before there is anything in it.
pub(crate) const EMPTY: &str = "{}\n";

/// Indentation where a text does not tell.
const UNIT: &str = "  ";

/// Why a text is left as it is.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is not JSON.
    NotJson(serde_json::Error),
    /// Something stands where an object or a list should.
    Shape {
        /// Keys that lead there, with dots between.
        place: String,
        /// `an object` or `a list`.
        wanted: &'static str,
    },
}

/// How hooks call the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// Its path, or its name where that is enough.
    pub(crate) program: String,
    /// Arguments behind the two words that name the hook.
    pub(crate) options: Vec<String>,
}

/// A text with our handlers in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) text: String,
    /// Moments that had no handler of ours.
    pub(crate) added: Vec<Moment>,
    /// Moments whose handler called the program otherwise.
    pub(crate) changed: Vec<Moment>,
    /// Whether the text tells the client to run no hooks.
    pub(crate) are_off: bool,
}

#[derive(Serialize)]
struct Group<'a> {
    hooks: [Handler<'a>; 1],
}

#[derive(Serialize)]
struct Handler<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    command: &'a str,
    args: Vec<&'a str>,
    timeout: u32,
}

impl Call {
    fn args(&self, moment: Moment) -> Vec<&str> {
        ["hook", moment.word()].into_iter().chain(self.options.iter().map(String::as_str)).collect()
    }
}

/// The text with a handler for each moment that makes this call. Of one that is there only the program is changed, and the
/// options where the call has any.
///
/// # Errors
///
/// The text is no JSON, or hooks do not stand in it where the client looks for them.
pub(crate) fn with_hooks(text: &str, call: &Call) -> Result<Entered, Fault> {
    let (mut added, mut changed) = (Vec::new(), Vec::new());
    let text = edit(text, |text| {
        let mut text = text.to_owned();
        for moment in Moment::ALL {
            let root = parse(&text).map_err(Fault::NotJson)?;
            let after = if let Some(found) = find(&text, &root, moment, &call.program) {
                let after = updated(&text, &root, &found.ours, moment, call);
                changed.extend((after != text).then_some(moment));
                after
            } else {
                added.push(moment);
                with_hook(&text, &root, moment, call)?
            };
            text = after;
        }
        Ok(text)
    })?;
    let json = text.trim_start_matches('\u{feff}');
    let root = parse(json).map_err(Fault::NotJson)?;
    let off = root.member(HOOKS_OFF).and_then(|off| json.get(off.span.clone()));
    let are_off = off == Some("true");
    Ok(Entered { text, added, changed, are_off })
}

/// The text without our handlers and what was made for them. `original` is the text before they were added, if it is still
/// known: where nothing else was changed since it is the answer, and it tells which empty containers were there. Handlers that
/// call `own` are ours whatever its name.
///
/// # Errors
///
/// As [`with_hooks`].
pub(crate) fn without_hooks(
    text: &str,
    original: Option<&str>,
    own: &str,
) -> Result<String, Fault> {
    if let Some(original) = original
        && let Some(call) = call_in(text, own)?
        && with_hooks(original, &call).is_ok_and(|with| with.text == text)
    {
        return Ok(original.to_owned());
    }
    let original = original.map(|original| original.trim_start_matches('\u{feff}'));
    let before = original.and_then(|text| Some((text, parse(text).ok()?)));
    edit(text, |text| {
        let mut text = text.to_owned();
        for moment in Moment::ALL {
            while let Some(shorter) = without_hook(&text, moment, before.as_ref(), own)? {
                text = shorter;
            }
        }
        Ok(text)
    })
}

/// Works on what follows the byte order mark, if there is one.
fn edit(text: &str, work: impl FnOnce(&str) -> Result<String, Fault>) -> Result<String, Fault> {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(format!("\u{feff}{}", work(rest)?)),
        None => work(text),
    }
}

/// The handler of ours for a moment, and what it stands in.
struct Found<'n> {
    /// The list of the event.
    groups: &'n Node,
    group: usize,
    /// The list of handlers in that group.
    handlers: &'n Node,
    handler: usize,
    ours: Ours<'n>,
}

fn find<'n>(text: &str, root: &'n Node, moment: Moment, own: &str) -> Option<Found<'n>> {
    let groups = root.member("hooks")?.member(moment.event_name())?;
    groups.items().iter().enumerate().find_map(|(group, node)| {
        let handlers = node.member("hooks")?;
        let (handler, ours) = handlers
            .items()
            .iter()
            .enumerate()
            .find_map(|(handler, node)| Some((handler, ours(text, node, moment, own)?)))?;
        Some(Found { groups, group, handlers, handler, ours })
    })
}

/// The call that a handler of ours makes; `None` if there is none, or only lines for a shell.
fn call_in(text: &str, own: &str) -> Result<Option<Call>, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let root = parse(text).map_err(Fault::NotJson)?;
    let ours =
        Moment::ALL.into_iter().find_map(|moment| Some(find(text, &root, moment, own)?.ours));
    Ok(ours.and_then(|ours| match ours.form {
        Form::Program { options, .. } => {
            Some(Call { program: ours.command.string(text)?, options })
        }
        Form::Shell { .. } => None,
    }))
}

/// The text with another call in a handler of ours.
fn updated(text: &str, root: &Node, ours: &Ours<'_>, moment: Moment, call: &Call) -> String {
    let mut changes = Vec::new();
    let command = match &ours.form {
        Form::Program { args, options } => {
            if !call.options.is_empty() && *options != call.options {
                changes.push((args.span.clone(), args_as(text, root, args, &call.args(moment))));
            }
            call.program.clone()
        }
        Form::Shell { line, program, name } => {
            let (before, rest) = line.split_at_checked(program.start).unwrap_or_default();
            let (word, rest) = rest.split_at_checked(program.len()).unwrap_or_default();
            let word = if *name == call.program { word } else { &quoted(&call.program) };
            let args = call.args(moment);
            let args = args.into_iter().fold(String::new(), |args, arg| args + " " + &quoted(arg));
            let rest = if call.options.is_empty() { rest } else { &args };
            [before, word, rest].concat()
        }
    };
    if ours.command.string(text).as_ref() != Some(&command) {
        changes.push((ours.command.span.clone(), in_one_line(&command)));
    }
    // The last first, so that places before it stay.
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    changes.into_iter().fold(text.to_owned(), |text, (span, with)| replaced(&text, span, &with))
}

/// Arguments written as those in their place are.
fn args_as(text: &str, root: &Node, place: &Node, args: &[&str]) -> String {
    if text.get(place.span.clone()).is_some_and(|args| args.contains('\n')) {
        let indent = indentation(text, place.span.start);
        in_lines(&args, indent, unit(text, root), newline(text))
    } else {
        in_one_line(&args)
    }
}

/// The text with a handler for a moment that has none.
fn with_hook(text: &str, root: &Node, moment: Moment, call: &Call) -> Result<String, Fault> {
    let group = Group {
        hooks: [Handler {
            kind: "command",
            command: &call.program,
            args: call.args(moment),
            timeout: TIMEOUT_SECONDS,
        }],
    };
    let event = moment.event_name();
    let object = |node: &Node, place: &str| match node.kind {
        Kind::Object(_) => Ok(()),
        Kind::Array(_) | Kind::Scalar => {
            Err(Fault::Shape { place: place.to_owned(), wanted: "an object" })
        }
    };
    object(root, "")?;
    let Some(hooks) = root.member("hooks") else {
        let groups = std::collections::BTreeMap::from([(event, [group])]);
        return Ok(inserted(text, root, root, Some("hooks"), &groups));
    };
    object(hooks, "hooks")?;
    match hooks.member(event) {
        None => Ok(inserted(text, root, hooks, Some(event), &[group])),
        Some(groups) if matches!(groups.kind, Kind::Array(_)) => {
            Ok(inserted(text, root, groups, None, &group))
        }
        Some(_) => Err(Fault::Shape { place: format!("hooks.{event}"), wanted: "a list" }),
    }
}

/// The text without one handler of ours; `None` if there is none.
fn without_hook(
    text: &str,
    moment: Moment,
    before: Option<&(&str, Node)>,
    own: &str,
) -> Result<Option<String>, Fault> {
    let root = parse(text).map_err(Fault::NotJson)?;
    let Some(found) = find(text, &root, moment, own) else { return Ok(None) };
    // What stood between the brackets of a container that was there before us, blanks if anything.
    let inside_before = |keys: &[&str]| {
        let (text, root) = before?;
        let container = keys.iter().try_fold(root, |node, key| node.member(key))?;
        let is_empty = container.children().is_empty();
        text.get(container.inside()).map(|inside| if is_empty { inside } else { "" })
    };
    if found.handlers.items().len() > 1 {
        return Ok(Some(taken_out(text, found.handlers, found.handler, "")));
    }
    if found.groups.items().len() > 1 {
        return Ok(Some(taken_out(text, found.groups, found.group, "")));
    }
    let hooks = root.member("hooks").unwrap_or(&root);
    if let Some(inside) = inside_before(&["hooks", moment.event_name()]) {
        return Ok(Some(taken_out(text, found.groups, found.group, inside)));
    }
    if hooks.children().len() > 1 {
        return Ok(Some(taken_out(text, hooks, place_of(hooks, found.groups), "")));
    }
    if let Some(inside) = inside_before(&["hooks"]) {
        return Ok(Some(taken_out(text, hooks, 0, inside)));
    }
    Ok(Some(taken_out(text, &root, place_of(&root, hooks), "")))
}

/// The number of the child that ends with this value.
fn place_of(container: &Node, value: &Node) -> usize {
    let children = container.children();
    children.iter().position(|child| child.end == value.span.end).unwrap_or_default()
}

/// The text without a child of a container; where none is left, with `inside` between the brackets.
fn taken_out(text: &str, container: &Node, child: usize, inside: &str) -> String {
    let children = container.children();
    let at = |place: usize| children.get(place).cloned();
    let (Some(this), before, after) = (at(child), child.checked_sub(1).and_then(at), at(child + 1))
    else {
        return text.to_owned();
    };
    match (before, after) {
        (Some(before), _) => replaced(text, before.end..this.end, ""),
        (None, Some(after)) => replaced(text, this.start..after.start, ""),
        (None, None) => replaced(text, container.inside(), inside),
    }
}

/// The text with a further member or item at the end of a container, written as its neighbours are.
fn inserted(
    text: &str,
    root: &Node,
    container: &Node,
    key: Option<&str>,
    value: &impl Serialize,
) -> String {
    let newline = newline(text);
    let children = container.children();
    let Some(last) = children.last() else {
        let inside = text.get(root.inside()).unwrap_or_default();
        if inside.contains('\n') || root.children().is_empty() {
            let base = indentation(text, container.span.start);
            let indent = format!("{base}{}", unit(text, root));
            let added = entry(key, ": ", &in_lines(value, &indent, unit(text, root), newline));
            let added = format!("{newline}{indent}{added}{newline}{base}");
            return replaced(text, container.inside(), &added);
        }
        return replaced(text, container.inside(), &entry(key, ":", &in_one_line(value)));
    };
    let before = match children.iter().rev().nth(1) {
        Some(previous) => previous.end,
        None => container.inside().start,
    };
    // Between the comma, which may stand apart from the value before it, and the last child.
    let gap = text.get(before..last.start).unwrap_or_default();
    let gap = gap.rsplit_once(',').map_or(gap, |(_, gap)| gap);
    let added = match gap.rsplit_once('\n') {
        Some((_, indent)) => entry(key, ": ", &in_lines(value, indent, unit(text, root), newline)),
        None => entry(key, if gap.is_empty() { ":" } else { ": " }, &in_one_line(value)),
    };
    replaced(text, last.end..last.end, &format!(",{gap}{added}"))
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn entry(key: Option<&str>, colon: &str, value: &str) -> String {
    key.map_or_else(|| value.to_owned(), |key| format!("{}{colon}{value}", in_one_line(&key)))
}

/// A level of indentation, as the first member of the text has it.
fn unit<'t>(text: &'t str, root: &Node) -> &'t str {
    let first = root.children().first().map(|child| child.start);
    let gap = first.and_then(|first| text.get(root.inside().start..first));
    let unit = gap.and_then(|gap| Some(gap.rsplit_once('\n')?.1));
    unit.filter(|unit| !unit.is_empty()).unwrap_or(UNIT)
}

/// What the line of a byte begins with.
fn indentation(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let end = line.find(|c| !matches!(c, ' ' | '\t')).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

fn replaced(text: &str, span: Range<usize>, with: &str) -> String {
    let (before, rest) = text.split_at_checked(span.start).unwrap_or((text, ""));
    let after = rest.get(span.len()..).unwrap_or_default();
    [before, with, after].concat()
}

/// JSON on lines of its own; all but the first begin with `indent`.
fn in_lines(value: &impl Serialize, indent: &str, unit: &str, newline: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(unit.as_bytes());
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    written.expect("because it has string keys and goes into memory");
    // No line end stands within a string of JSON.
    String::from_utf8_lossy(&bytes).replace('\n', &format!("{newline}{indent}"))
}

fn in_one_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("because it has string keys and goes into memory")
}

#[cfg(test)]
mod tests;
