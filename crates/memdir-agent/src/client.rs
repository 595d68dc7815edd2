//! The tools of Claude Code, as far as a run may use them.

use memdir_core::MemPath;
use serde_json::Value;

use crate::{
    Action, Denial, Dialect, Matches, Policy,
    input::Input,
    own::{not_empty, words},
    policy::span,
};

/// Tools that a shared prefix must bring along for a run to be of use.
pub(crate) const NEEDED: [&str; 2] = ["Read", "Write"];

pub(crate) fn action(policy: &Policy, tool: &str, input: &Value) -> Result<Action, Denial> {
    if !matches!(tool, "Read" | "LS" | "Glob" | "Grep" | "Write" | "Edit") {
        return Err(Denial::tool(tool));
    }
    let input = Input::new(input)?;
    let path =
        || -> Result<MemPath, Denial> { policy.memory(Dialect::Client, input.text("file_path")?) };
    let scope = || policy.scope(Dialect::Client, input.optional("path")?);
    Ok(match tool {
        "Read" => Action::Read {
            file: policy.file(Dialect::Client, input.text("file_path")?)?,
            span: span(input.number("offset")?, input.number("limit")?),
        },
        "Write" => Action::Write { path: path()?, text: input.text("content")?.to_owned() },
        "Edit" => Action::Edit {
            path: path()?,
            old: not_empty("old_string", input.text("old_string")?)?,
            new: input.text("new_string")?.to_owned(),
            matches: if input.flag("replace_all")? { Matches::Every } else { Matches::One },
        },
        "Grep" => Action::Grep { words: plain(input.text("pattern")?)?, scope: scope()? },
        // The names are few; the pattern is left to the reader of the list.
        "Glob" if input.optional("path")?.is_none() => {
            let folder = fixed(input.text("pattern")?);
            Action::List { scope: policy.scope(Dialect::Client, folder)? }
        }
        _ => Action::List { scope: scope()? },
    })
}

/// A pattern that means itself, apart from `|`.
fn plain(pattern: &str) -> Result<Vec<String>, Denial> {
    if pattern.contains(['\\', '[', '(', '{', '*', '+', '?', '^', '$']) {
        return Err(Denial::Input {
            field: "pattern",
            expected: "plain text; this run knows no expressions but `|`",
        });
    }
    words("pattern", pattern)
}

/// The folder that an absolute pattern begins with.
fn fixed(pattern: &str) -> Option<&str> {
    let is_plain = |name: &&str| !name.contains(['*', '?', '[', '{']);
    let plain: usize = pattern.split('/').take_while(is_plain).map(|name| name.len() + 1).sum();
    pattern.starts_with('/').then(|| pattern.get(..plain - 1).unwrap_or(pattern))
}
