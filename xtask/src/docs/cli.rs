//! The reference of the command, from its own help.

use std::path::Path;

use crate::Result;
use crate::marked;
use crate::report::{Outcome, Skip};
use crate::session::Session;
use crate::shell::Program;

const DOCUMENT: &str = "docs/cli.md";
const TITLE: &str = "# The `memdir` command\n\nGenerated from `memdir <verb> --help`.\n";

pub(super) fn sync(session: &Session, outcome: &mut Outcome) -> Result<()> {
    // The same flags as for the tests: nothing is built twice.
    let built = Program::cargo(session.root())
        .words("build --locked --workspace --exclude xtask --all-features --bins")
        .run()?;
    if !built {
        outcome.record(false, &format!("{DOCUMENT}: the command does not build"));
        return Ok(());
    }
    let name = format!("memdir{}", std::env::consts::EXE_SUFFIX);
    let binary = session.metadata()?.target_directory.join("debug").join(name);
    let pages = pages(&binary, session.root(), &[])?;
    if pages.len() < 2 {
        outcome.skips.push(Skip {
            what: DOCUMENT.to_owned(),
            reason: "the command has no verbs yet".to_owned(),
            expected: false,
        });
        return Ok(());
    }
    marked::sync(session, outcome, DOCUMENT, TITLE, "cli", &render(&pages))
}

/// One command line and its help.
struct Page {
    line: Vec<String>,
    help: String,
}

/// The help of the command and, depth first, of every verb below it.
fn pages(binary: &Path, root: &Path, verbs: &[String]) -> Result<Vec<Page>> {
    // Without an environment the help cannot depend on the terminal or on somebody's settings.
    let help = Program::new(binary, root).env_clear().args(verbs).arg("--help").read()?;
    let mut found = Vec::new();
    let below = verbs_in(&help);
    found.push(Page { line: verbs.to_vec(), help });
    for verb in below {
        let line: Vec<String> = verbs.iter().cloned().chain([verb]).collect();
        found.extend(pages(binary, root, &line)?);
    }
    Ok(found)
}

/// The verbs that a help page lists under `Commands:`.
fn verbs_in(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| line.trim_end() != "Commands:")
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        // A longer indent continues the description of the verb above.
        .filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .map(str::to_owned)
        .collect()
}

fn render(pages: &[Page]) -> String {
    let page = |Page { line, help }: &Page| {
        let title: Vec<&str> =
            ["memdir"].into_iter().chain(line.iter().map(String::as_str)).collect();
        let body: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        format!("\n## `{}`\n\n```text\n{}\n```\n", title.join(" "), body.join("\n"))
    };
    pages.iter().map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_the_verbs_of_a_help_page_without_their_wrapped_descriptions() {
        let help = "Memory\n\nUsage: memdir <COMMAND>\n\nCommands:\n  save   Saves\n         more\n  check  Checks\n  help   Print this\n\nOptions:\n  -h, --help\n";
        assert_eq!(verbs_in(help), ["save", "check"]);
        assert_eq!(verbs_in("Usage: memdir save\n\nOptions:\n  -h\n"), [""; 0]);
    }

    #[test]
    fn a_page_is_a_heading_and_its_help_without_trailing_blanks() {
        let page = Page { line: vec!["save".into()], help: "Saves  \n\nUsage\n".into() };
        assert_eq!(render(&[page]), "\n## `memdir save`\n\n```text\nSaves\n\nUsage\n```\n");
    }
}
