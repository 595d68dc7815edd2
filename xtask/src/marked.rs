//! The generated parts of documents: between `<!-- NAME:begin -->` and `<!-- NAME:end -->`.

use std::path::Path;

use crate::Result;
use crate::report::Outcome;
use crate::session::{Generated, Session};

/// Writes `body` between the markers of a document, or compares; a document that is not there is
/// started with `title` where writing.
pub(crate) fn sync(
    session: &Session,
    outcome: &mut Outcome,
    document: &str,
    title: &str,
    name: &str,
    body: &str,
) -> Result<()> {
    let path = session.root().join(document);
    let old = read_or_empty(&path)?;
    let base = if old.is_empty() {
        format!("{title}\n<!-- {name}:begin -->\n<!-- {name}:end -->\n")
    } else {
        old.clone()
    };
    let Some(new) = replaced(&base, name, body) else {
        outcome.record(false, &format!("{document}: no markers `<!-- {name}:begin -->` and end"));
        return Ok(());
    };
    if new == old {
        outcome.record(true, "");
        return Ok(());
    }
    match session.generated {
        Generated::Compare => {
            let verb = if name == "layers" { "layers" } else { "docs" };
            let fault = first_difference(&old, &new);
            outcome.record(
                false,
                &format!("{document}: part `{name}` is out of date ({fault}): cargo xtask {verb}"),
            );
        }
        Generated::Write => {
            std::fs::write(&path, new)?;
            outcome.record(true, "");
            outcome.notes.push(format!("wrote {document}"));
        }
    }
    Ok(())
}

fn read_or_empty(path: &Path) -> Result<String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// `text` with another body between the markers; none where a marker is missing.
fn replaced(text: &str, name: &str, body: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name}:begin -->"), format!("<!-- {name}:end -->"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n{}\n{end}{after}", body.trim_end()))
}

fn first_difference(old: &str, new: &str) -> String {
    let (mut ours, mut theirs) = (old.lines(), new.lines());
    for number in 1_usize.. {
        match (ours.next(), theirs.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                let shown = |line: Option<&str>| line.unwrap_or("<end>").to_owned();
                return format!("line {number}: has `{}`, wants `{}`", shown(a), shown(b));
            }
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_only_what_is_between_its_own_markers() {
        let text =
            "a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb\n<!-- y:begin -->\n<!-- y:end -->\n";
        assert_eq!(
            replaced(text, "x", "new\n").as_deref(),
            Some("a\n<!-- x:begin -->\nnew\n<!-- x:end -->\nb\n<!-- y:begin -->\n<!-- y:end -->\n")
        );
        assert_eq!(replaced(text, "z", "new"), None);
    }

    #[test]
    fn names_the_first_line_that_differs() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), "line 2: has `b`, wants `c`");
        assert_eq!(first_difference("a\n", "a\nc\n"), "line 2: has `<end>`, wants `c`");
    }
}
