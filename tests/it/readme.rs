//! What the README shows is what the command prints.

use std::fs;
use std::path::Path;

use crate::sandbox::{Ran, Sandbox};

#[test]
fn the_first_answer_in_the_readme_is_the_one_that_the_command_gives() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(repository.join("README.md")).unwrap();
    let (_, shown) = readme.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("\n```\n").unwrap();

    let sandbox = Sandbox::new();
    let mut command = sandbox.bare_command("project");
    // The evening of the day that the README names.
    command.env("MEMDIR_NOW", "2026-11-30T18:00:00Z");
    command.args(["context", "how do we test against the database?", "--memory-dir"]);
    command.arg(repository.join("docs/example/memory"));
    let ran = Ran::of(command.output().unwrap());

    // What is left out stands for lines in between; the rest comes in this order.
    let mut printed = ran.stdout.lines().map(str::trim_end);
    for line in shown.lines().filter(|line| !line.is_empty() && *line != "…") {
        assert!(printed.any(|other| other == line), "not printed, or not in this place: {line}");
    }
}
