//! Commands that a project defines in a file: looked up there, never run.

use memdir_store::project::{ProjectFiles, ProjectPath};

use super::{Claim, Runner};
use crate::limits;

/// The claim that a command makes, if it is one that a file of the project defines.
pub(super) fn claim(command: &str) -> Option<Claim> {
    let command = command.trim_start_matches("$ ").trim();
    let mut words = command.split_whitespace();
    let (program, second) = (words.next()?, words.next()?);
    let (runner, task) = match program {
        "npm" | "pnpm" | "yarn" | "bun" if second == "run" => (Runner::Scripts, words.next()?),
        "make" => (Runner::Make, second),
        "just" => (Runner::Just, second),
        "cargo" if second == "xtask" => (Runner::CargoAlias, second),
        _ => return None,
    };
    let is_task = task.starts_with(|c: char| c.is_ascii_alphanumeric())
        && task.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    // Another folder's file defines it, or a person is to fill something in.
    let is_elsewhere = command.split_whitespace().any(|word| {
        matches!(word, "-w" | "-C" | "-f" | "--prefix" | "--justfile")
            || word.starts_with("--workspace")
            || word.contains(['<', '$', '='])
    });
    let text = command.split_whitespace().take_while(|word| *word != task).chain([task]);
    let text = text.collect::<Vec<_>>().join(" ");
    (is_task && !is_elsewhere).then(|| Claim::Command { text, runner, task: task.to_owned() })
}

/// Whether the file that would define a task is there, can be read whole, and does not.
pub(super) fn is_gone(project: &dyn ProjectFiles, runner: Runner, task: &str) -> bool {
    let names: &[&str] = match runner {
        Runner::Scripts => &["package.json"],
        Runner::Make => &["GNUmakefile", "makefile", "Makefile"],
        Runner::Just => &["justfile", "Justfile", ".justfile"],
        Runner::CargoAlias => &[".cargo/config.toml", ".cargo/config"],
    };
    let mut texts = names.iter().filter_map(|name| read(project, name));
    let Some(text) = texts.next() else { return false };
    match runner {
        // A key of that name anywhere will do, and with workspaces the script may be in another file.
        Runner::Scripts => {
            !text.contains(&format!("\"{task}\"")) && !text.contains("\"workspaces\"")
        }
        Runner::Make => {
            let includes = ["include ", "-include ", "sinclude "];
            let is_open = text.lines().any(|line| {
                includes.iter().any(|include| line.starts_with(include)) || is_pattern(line)
            });
            !is_open && !text.lines().any(|line| heads(line, task))
        }
        Runner::Just => {
            let is_open = |line: &str| line.starts_with("import") || line.starts_with("mod ");
            let is_alias = |line: &str| {
                line.strip_prefix("alias ").is_some_and(|alias| first_word(alias) == task)
            };
            !text.lines().any(|line| {
                is_open(line) || is_alias(line) || first_word(line.trim_start_matches('@')) == task
            })
        }
        Runner::CargoAlias => !text.contains(task),
    }
}

/// Whether a line of a makefile makes targets by a pattern or from a variable.
fn is_pattern(line: &str) -> bool {
    let targets = line.split_once(':').map_or("", |(targets, _)| targets);
    !line.starts_with('\t') && (targets.contains('%') || targets.contains("$("))
}

/// Whether a line of a makefile says how to make a target, or that it is one.
fn heads(line: &str, target: &str) -> bool {
    let Some((targets, needs)) = line.split_once(':').filter(|_| !line.starts_with('\t')) else {
        return false;
    };
    let listed = if targets.trim() == ".PHONY" { needs } else { targets };
    listed.split_whitespace().any(|listed| listed == target)
}

fn first_word(line: &str) -> &str {
    line.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or_default()
}

/// A file of the project as text; `None` if there is none, or more of it than [`limits::DEFINITION_BYTES`].
fn read(project: &dyn ProjectFiles, name: &str) -> Option<String> {
    let path = ProjectPath::parse(name).ok()?;
    let bytes = project.read_head(&path, limits::DEFINITION_BYTES).ok().flatten()?;
    let is_whole = (bytes.len() as u64) < limits::DEFINITION_BYTES;
    String::from_utf8(bytes).ok().filter(|_| is_whole)
}
