//! What other clients read.

use memdir_rules::{Client, Session};

use crate::{files, setup, shown, steps};

fn check(client: Client, names: &[&str], all: &[(&str, &str)], touched: &[&str], expect: &[&str]) {
    let mut setup = setup();
    setup.client = client;
    setup.user = client.user_folder().map(|folder| format!("/h/{folder}").into());
    setup.names = names.iter().map(|&name| name.to_owned()).collect();
    setup.cwd = "/w/p/in".into();
    assert_eq!(steps(files(all), setup, touched), expect);
}

#[test]
fn codex_takes_the_first_name_of_each_folder_and_32_kib() {
    let long = "x".repeat(40_000);
    let all = [
        ("/h/.codex/AGENTS.override.md", "U"),
        ("/h/.codex/AGENTS.md", "not this"),
        ("/w/AGENTS.md", "above the project"),
        ("/w/p/AGENTS.md", "P @x.md"),
        ("/w/p/x.md", "no import"),
        ("/w/p/in/NOTES.md", "N"),
    ];
    let expect = [
        "/h/.codex/AGENTS.override.md user start U",
        "/w/p/AGENTS.md project start P @x.md",
        "/w/p/in/NOTES.md project start N",
    ];
    check(Client::Codex, &["NOTES.md"], &all, &[], &expect);
    let mut setup = setup();
    setup.client = Client::Codex;
    let loaded = Session::new(files(&[("/w/p/AGENTS.md", &long)]), setup).start();
    assert_eq!(loaded.fragments[0].text.len(), 32 * 1024);
    assert_eq!(
        shown(&loaded)[1..],
        ["/w/p/AGENTS.md: only its beginning is loaded: the client takes 32768 bytes in all"]
    );
}

#[test]
fn gemini_reads_its_file_or_the_names_that_replace_it() {
    let all = [
        ("/h/.gemini/GEMINI.md", "U"),
        ("/w/GEMINI.md", "ABOVE"),
        ("/w/p/in/GEMINI.md", "IN"),
        ("/w/p/in/deep/GEMINI.md", "DEEP"),
        ("/w/p/AGENTS.md", "A"),
    ];
    let expect = [
        "/h/.gemini/GEMINI.md user start U",
        "/w/GEMINI.md project start ABOVE",
        "/w/p/in/GEMINI.md project start IN",
        "+ deep/x",
        "/w/p/in/deep/GEMINI.md project folder DEEP",
    ];
    check(Client::Gemini, &[], &all, &["deep/x"], &expect);
    check(Client::Gemini, &["AGENTS.md"], &all, &[], &["/w/p/AGENTS.md project start A"]);
}

#[test]
fn cursor_reads_rules_that_always_apply_or_match() {
    let all = [
        ("/w/p/.cursor/rules/a.mdc", "---\ndescription: d\nglobs:\nalwaysApply: true\n---\nALWAYS"),
        ("/w/p/.cursor/rules/g.mdc", "---\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\nGLOBS"),
        ("/w/p/.cursor/rules/m.mdc", "---\ndescription: on request\n---\nMANUAL"),
        ("/w/p/.cursor/rules/x.md", "no rule"),
        ("/w/p/AGENTS.md", "A"),
    ];
    let expect = [
        "/w/p/.cursor/rules/a.mdc project start ALWAYS",
        "/w/p/AGENTS.md project start A",
        "/w/p/.cursor/rules/g.mdc:2: `globs` should be quoted; YAML readers refuse or change it",
        "+ x.tsx",
        "/w/p/.cursor/rules/g.mdc project path GLOBS",
    ];
    check(Client::Cursor, &[], &all, &["x.tsx"], &expect);
}

#[test]
fn copilot_reads_instructions_and_what_they_apply_to() {
    let all = [
        ("/h/.copilot/copilot-instructions.md", "U"),
        ("/h/.copilot/instructions/u.instructions.md", "---\napplyTo: \"**/*.py\"\n---\nUPY"),
        ("/w/p/.github/copilot-instructions.md", "P"),
        (
            "/w/p/.github/instructions/x/ts.instructions.md",
            "---\napplyTo: \"**/*.ts,**/*.tsx\"\n---\nTS",
        ),
        ("/w/p/.github/instructions/readme.md", "no instructions"),
    ];
    let expect = [
        "/h/.copilot/copilot-instructions.md user start U",
        "/w/p/.github/copilot-instructions.md project start P",
        "+ a.tsx",
        "/w/p/.github/instructions/x/ts.instructions.md project path TS",
        "+ b.py",
        "/h/.copilot/instructions/u.instructions.md user path UPY",
    ];
    check(Client::Copilot, &[], &all, &["a.tsx", "b.py"], &expect);
}

#[test]
fn for_others_the_closest_agents_md_counts() {
    let all = [
        ("/w/AGENTS.md", "above the project"),
        ("/w/p/AGENTS.md", "P"),
        ("/w/p/in/a/AGENTS.md", "A"),
        ("/w/p/in/a/b/AGENTS.md", "B"),
    ];
    let expect = [
        "/w/p/AGENTS.md project start P",
        "+ a/b/c/x",
        "/w/p/in/a/b/AGENTS.md project folder B",
        "+ a/x",
        "/w/p/in/a/AGENTS.md project folder A",
    ];
    check(Client::Other, &[], &all, &["a/b/c/x", "a/x"], &expect);
}
