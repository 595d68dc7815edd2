//! save, edit, forget: what they print, and what is on the disk afterwards.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names};

const SAVE: [&str; 9] = [
    "save",
    "--type",
    "feedback",
    "--name",
    "Real database in tests",
    "--description",
    "Tests run against Postgres, not mocks",
    "--body",
    "Mocks hid a broken migration.",
];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}

#[test]
fn a_save_prints_path_action_bytes_and_hash() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(SAVE), @"");
    assert_snapshot!(sandbox.read("memory/feedback_real-database-in-tests.md"), @"");
    assert_snapshot!(sandbox.read("memory/MEMORY.md"), @"");
    assert_snapshot!(sandbox.run(SAVE), @"");
    assert_snapshot!(sandbox.run(with(&SAVE, &["--hook", "Postgres in a container", "--json"])), @"");
}

#[test]
fn the_text_comes_from_stdin_and_an_empty_one_is_no_text() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--name", "Role", "--description", "Data engineer"];
    assert_snapshot!(sandbox.run_in("project", save, ""), @"");
    assert_eq!(names(&sandbox.memory()), [""; 0]);
    assert!(sandbox.run_in("project", save, "Ten years of SQL.\n").ends_with("[exit status: 0]\n"));
    assert!(sandbox.read("memory/user_role.md").ends_with("\n---\n\nTen years of SQL.\n"));
}

#[test]
fn the_same_name_and_type_is_the_same_memory_wherever_its_file_lies() {
    let sandbox = Sandbox::new();
    sandbox.memorize("old/notes.md", 3, "user", "Role", "Analyst", "Kept.");
    let save = [
        "save",
        "--type",
        "user",
        "--name",
        "role",
        "--description",
        "Data engineer",
        "--body",
        "Kept.",
    ];
    assert_snapshot!(sandbox.run(save), @"");
    assert_snapshot!(sandbox.read("memory/old/notes.md"), @"");
    assert_eq!(names(&sandbox.memory()), ["MEMORY.md", "old/notes.md"]);
}

#[test]
fn the_file_of_another_memory_is_never_overwritten() {
    let sandbox = Sandbox::new();
    sandbox.memorize("user_role.md", 3, "user", "Something else", "d", "Precious.");
    sandbox.write("memory/user_plain.md", 3, "No frontmatter.\n");
    let before = sandbox.read("memory/user_role.md");
    let save = |name, more: &[&'static str]| {
        let args = ["save", "--type", "user", "--name", name, "--description", "d", "--body", "b"];
        sandbox.run(with(&args, more))
    };
    assert_snapshot!(save("Role", &[]), @"");
    assert_snapshot!(save("plain", &[]), @"");
    assert!(save("Other", &["--file", "user_role.md"]).ends_with("[exit status: 3]\n"));
    assert_eq!(sandbox.read("memory/user_role.md"), before);
    assert_eq!(names(&sandbox.memory()), ["user_plain.md", "user_role.md"]);
}

#[test]
fn names_that_no_memory_can_have_are_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    let save = |file: &str| {
        sandbox.run([
            "save",
            "--type",
            "user",
            "--name",
            "n",
            "--description",
            "d",
            "--body",
            "b",
            "--file",
            file,
        ])
    };
    assert_snapshot!(save("../x.md"), @"");
    assert_snapshot!(save("MEMORY.md"), @"");
    for file in [
        "/etc/x.md",
        "~/x.md",
        "a\\b.md",
        "CON.md",
        ".env",
        "x.md:y",
        "a/../b.md",
        "%2e%2e/x.md",
        "notes.txt",
    ] {
        let ran = save(file);
        assert!(
            ran.ends_with("[exit status: 2]\n") || ran.ends_with("[exit status: 3]\n"),
            "{file}: {ran}"
        );
    }
    assert_eq!(names(&sandbox.memory()), [""; 0]);
}

#[test]
fn a_long_index_line_is_saved_with_a_warning() {
    let sandbox = Sandbox::new();
    let long = "word ".repeat(50);
    assert_snapshot!(sandbox.run(["save", "--type", "user", "--name", "n", "--description", &long, "--body", "b"]), @"");
}

#[test]
fn an_edit_changes_its_lines_only_and_the_index_follows() {
    let sandbox = Sandbox::new();
    let file = "---\r\n# ours\r\nname: role\r\ndescription: 'old: text'\r\ntype: user\r\ncolour: blue\r\n---\r\n\r\nBody\r\n";
    sandbox.write("memory/role.md", 5, file);
    sandbox.write("memory/MEMORY.md", 5, "# Mine\n- [role](role.md) - old: text\nprose\n");
    assert_snapshot!(sandbox.run(["edit", "role", "--description", "new: text"]), @"");
    assert_snapshot!(sandbox.read("memory/role.md").replace('\r', "␍"), @"");
    assert_snapshot!(sandbox.read("memory/MEMORY.md"), @"");
    assert_snapshot!(sandbox.run(["edit", "role", "--set", "triggers=deploy, release", "--set", "pinned=true", "--verified"]), @"");
    assert_snapshot!(sandbox.read("memory/role.md").replace('\r', "␍"), @"");
}

#[test]
fn an_index_line_that_a_person_wrote_stays_while_the_memory_stays() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE);
    sandbox.write(
        "memory/MEMORY.md",
        0,
        "- [DB!](feedback_real-database-in-tests.md): my own words\n",
    );
    assert!(
        sandbox
            .run(["edit", "Real database in tests", "--body", "Changed."])
            .ends_with("[exit status: 0]\n")
    );
    assert_eq!(
        sandbox.read("memory/MEMORY.md"),
        "- [DB!](feedback_real-database-in-tests.md): my own words\n"
    );
}

/// Threat 41: a change made for an old revision is a conflict, never an overwrite.
#[test]
fn an_edit_for_another_revision_is_a_conflict() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE);
    let path = "memory/feedback_real-database-in-tests.md";
    let before = sandbox.read(path);
    let stale = "0".repeat(64);
    assert_snapshot!(sandbox.run(["edit", "feedback_real", "--description", "x", "--expect", &stale]), @"");
    assert_snapshot!(sandbox.run(["edit", "feedback_real", "--description", "x", "--expect", "12"]), @"");
    assert_eq!(sandbox.read(path), before);
}

#[test]
fn an_edit_needs_something_to_change() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE);
    assert!(sandbox.run(["edit", "feedback_real"]).ends_with("[exit status: 2]\n"));
    assert_snapshot!(sandbox.run(["edit", "feedback_real", "--set", "colour=blue"]), @"");
}

#[test]
fn forgetting_names_what_it_removes_and_nothing_else() {
    let sandbox = Sandbox::new();
    for (number, name) in ["alpha", "alphabet", "beta"].into_iter().enumerate() {
        sandbox.memorize(&format!("{name}.md"), number as u64, "user", name, "SECRET", "SECRET");
    }
    sandbox.write("memory/MEMORY.md", 0, "- [a](alpha.md) - SECRET\n- [b](beta.md) - SECRET\n");
    assert_snapshot!(sandbox.run(["forget", "alp"]), @"");
    assert_snapshot!(sandbox.run(["forget", "3", "alphab", "--dry-run"]), @"");
    assert_snapshot!(sandbox.run(["forget", "3", "alphab", "--json"]), @"");
    assert_snapshot!(sandbox.run(["forget", "beta"]), @"");
    assert_snapshot!(sandbox.run(["forget", "MEMORY.md"]), @"");
    assert_eq!(sandbox.read("memory/MEMORY.md"), "- [a](alpha.md) - SECRET\n");
    assert_eq!(names(&sandbox.memory()), ["MEMORY.md", "alpha.md"]);
}

#[test]
fn a_purged_memory_is_in_no_file_any_more() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b-U-r-N"];
    assert!(sandbox.run(save).ends_with("[exit status: 0]\n"));
    assert!(
        sandbox.run(["edit", "n", "--description", "b-U-r-N too"]).ends_with("[exit status: 0]\n")
    );
    assert_snapshot!(sandbox.run(["forget", "n", "--purge"]), @"");
    let mut open = vec![sandbox.memory()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                assert!(!text.contains("b-U-r-N"), "{}: {text}", path.display());
            }
        }
    }
}
