//! Handlers of ours in a client's settings, in both forms that the client knows: a program with its arguments, and a line for
//! a shell.

use std::ops::Range;

use super::json_text::Node;
use crate::hook::Moment;

/// What the program is called, whatever the system.
const NAMES: [&str; 2] = ["memdir", "memdir.exe"];

/// How a handler of ours calls the program.
pub(super) struct Ours<'n> {
    pub(super) command: &'n Node,
    pub(super) form: Form<'n>,
}

pub(super) enum Form<'n> {
    /// `command` is the program, and its arguments are a list.
    Program { args: &'n Node, options: Vec<String> },
    /// `command` is a line for a shell.
    Shell {
        line: String,
        /// Where the program stands in it.
        program: Range<usize>,
        /// Without quotation marks.
        name: String,
    },
}

/// The handler, if it is one of ours for this moment: a program of our name, or `own`, that is told to answer this hook.
pub(super) fn ours<'n>(text: &str, node: &'n Node, moment: Moment, own: &str) -> Option<Ours<'n>> {
    let command = node.member("command")?;
    let line = command.string(text)?;
    if let Some(args) = node.member("args").filter(|args| !args.items().is_empty()) {
        let words = args.items().iter().map(|arg| arg.string(text)).collect::<Option<Vec<_>>>()?;
        let options = options(&words, moment)?;
        return is_ours(&line, own)
            .then_some(Ours { command, form: Form::Program { args, options } });
    }
    let words = words(&line);
    // A shell takes `NAME=value` before the program for variables.
    let at = words.iter().position(|(_, word)| !word.contains('=') || is_ours(word, own))?;
    let (program, name) = words.get(at)?.clone();
    let rest: Vec<_> = words.into_iter().skip(at + 1).map(|(_, word)| word).collect();
    options(&rest, moment)?;
    if !is_ours(&name, own) {
        return None;
    }
    Some(Ours { command, form: Form::Shell { line, program, name } })
}

fn is_ours(program: &str, own: &str) -> bool {
    // Paths of any system: settings travel.
    let name = program.rsplit(['/', '\\']).next();
    program == own || name.is_some_and(|name| NAMES.contains(&name))
}

/// The arguments besides the two words that ask for the hook; `None` where they ask for something else.
fn options(args: &[String], moment: Moment) -> Option<Vec<String>> {
    let at = args.windows(2).position(|pair| pair == ["hook", moment.word()])?;
    let (before, rest) = args.split_at_checked(at)?;
    Some(before.iter().chain(rest.iter().skip(2)).cloned().collect())
}

/// The words of a line for a shell without their quotation marks, and where they stand with them.
fn words(line: &str) -> Vec<(Range<usize>, String)> {
    let mut words = Vec::new();
    let (mut word, mut quote): (Option<(usize, String)>, Option<char>) = (None, None);
    for (at, c) in line.char_indices() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert((at, String::new()));
            }
            None if c.is_whitespace() => {
                words.extend(word.take().map(|(start, word)| (start..at, word)));
            }
            Some(_) | None => word.get_or_insert((at, String::new())).1.push(c),
        }
    }
    words.extend(word.map(|(start, word)| (start..line.len(), word)));
    words
}

#[cfg(test)]
mod tests {
    use super::super::json_text::parse;
    use super::{Form, ours};
    use crate::hook::Moment;

    /// What is taken for ours: the options, or the program's place in a line.
    fn check(handler: &str, expect: Option<&str>) {
        let node = parse(handler).unwrap();
        let found = ours(handler, &node, Moment::SessionStart, "/bin/mdr");
        let found = found.map(|found| match found.form {
            Form::Program { options, .. } => format!("program {}", options.join(",")),
            Form::Shell { line, program, .. } => {
                format!("shell {}", line.get(program).unwrap())
            }
        });
        assert_eq!(found.as_deref(), expect, "{handler}");
    }

    #[test]
    fn both_forms_are_known_whatever_options_they_have() {
        let args = r#""args": ["hook", "session-start"]"#;
        check(&format!(r#"{{"command": "memdir", {args}}}"#), Some("program "));
        check(&format!(r#"{{"command": "C:\\a b\\memdir.exe", {args}}}"#), Some("program "));
        check(&format!(r#"{{"command": "/bin/mdr", {args}}}"#), Some("program "));
        check(
            r#"{"command": "/x/memdir", "args": ["--layout", "memdir", "hook", "session-start", "--project", "."]}"#,
            Some("program --layout,memdir,--project,."),
        );
        check(r#"{"command": "memdir hook session-start"}"#, Some("shell memdir"));
        check(r#"{"command": "memdir hook session-start", "args": []}"#, Some("shell memdir"));
        check(
            r#"{"command": "A=1 B='2 3'  \"/a b/memdir\" hook session-start --layout memdir 2>/dev/null"}"#,
            Some("shell \"/a b/memdir\""),
        );
        check(r#"{"command": "/bin/mdr hook session-start"}"#, Some("shell /bin/mdr"));
    }

    #[test]
    fn what_is_another_program_or_another_call_is_not_ours() {
        for handler in [
            r#"{"command": "memdir", "args": ["hook", "user-prompt-submit"]}"#,
            r#"{"command": "memdir", "args": ["hook", 1]}"#,
            r#"{"command": "memdir", "args": ["why"]}"#,
            r#"{"command": "memdir-of-mine", "args": ["hook", "session-start"]}"#,
            r#"{"command": "/bin/other/mdr", "args": ["hook", "session-start"]}"#,
            r#"{"command": "echo memdir hook session-start"}"#,
            r#"{"command": "memdir"}"#,
            r#"{"command": ""}"#,
            r#"{"command": "A=1"}"#,
            r#"{"command": 1}"#,
            r#"{"args": ["hook", "session-start"]}"#,
            "1",
        ] {
            check(handler, None);
        }
    }
}
