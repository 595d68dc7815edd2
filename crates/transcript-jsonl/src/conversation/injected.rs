//! What clients and memories mix into messages.

use std::borrow::Cow;

/// Elements that are put into messages of the user and results of tools: reminders, and frames of recalled memories.
const ELEMENTS: [(&str, &str); 2] =
    [("<system-reminder>", "</system-reminder>"), ("<memory ", "</memory>")];

/// How commands of the client, and what they print, are written down as messages of the user.
const COMMANDS: [&str; 8] = [
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
];

/// A text without reminders and memories. Of what is not closed nothing is taken away: a user may have typed it.
pub(crate) fn without_injected(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for (open, close) in ELEMENTS {
        if let Some(cut) = without(&text, open, close) {
            text = Cow::Owned(cut);
        }
    }
    text
}

/// `None` where there is nothing to take away.
fn without(text: &str, open: &str, close: &str) -> Option<String> {
    let mut kept = String::new();
    let mut rest = text;
    let mut taken = false;
    while let Some((before, inside)) = rest.split_once(open) {
        let Some((_, behind)) = inside.split_once(close) else { break };
        // Only at the start of a line: within one it is a quotation.
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        let starts_line = line.trim().is_empty() && (before.contains('\n') || fresh(&kept));
        if starts_line {
            kept.push_str(before);
            rest = behind.strip_prefix('\n').unwrap_or(behind);
            taken = true;
        } else {
            kept.push_str(before);
            kept.push_str(open);
            rest = inside;
        }
    }
    taken.then(|| kept + rest)
}

fn fresh(kept: &str) -> bool {
    kept.rsplit_once('\n').map_or(kept, |(_, line)| line).trim().is_empty()
}

/// Whether a message of the user is a command of the client or its output.
pub(crate) fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    COMMANDS.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(without_injected(text), expect);
    }

    #[test]
    fn takes_away_reminders_and_memories_that_are_closed() {
        check("a\n<system-reminder>\nx\n</system-reminder>\nb", "a\nb");
        check("<system-reminder>x</system-reminder><system-reminder>y</system-reminder>\nb", "b");
        check("<memory type=\"user\">\n> x\n</memory>\nq", "q");
    }

    #[test]
    fn leaves_what_is_open_or_quoted() {
        check("a <system-reminder> is a tag", "a <system-reminder> is a tag");
        check("<system-reminder> open", "<system-reminder> open");
        check("see `<memory x>` and </memory>", "see `<memory x>` and </memory>");
    }

    #[test]
    fn many_open_marks_are_not_searched_again_and_again() {
        let text = "<memory ".repeat(100_000);
        assert_eq!(without_injected(&text).len(), text.len());
    }
}
