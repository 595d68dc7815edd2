//! Rules that people wrote.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

/// A project with rules of every kind.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::without_memory_dir();
    sandbox.write("home/.claude/CLAUDE.md", 0, "Answer in German.\n");
    sandbox.write("project/CLAUDE.md", 0, "Be brief. See @style.md and @../out.md.\n");
    sandbox.write("project/style.md", 0, "Two spaces.\n");
    sandbox.write("project/.claude/rules/rust.md", 0, "---\npaths: \"*.rs\"\n---\nNo unwrap.\n");
    sandbox.write("project/src/CLAUDE.md", 0, "Of src.\n");
    sandbox.write("project/src/a.rs", 0, "");
    sandbox.write("out.md", 0, "OUTSIDE\n");
    sandbox
}

#[test]
fn lists_what_is_in_force_and_what_waits() {
    assert_snapshot!(sandbox().run(["rules", "list"]), @"
    user     18 B  $TEST_ENV/home/.claude/CLAUDE.md         from the start
    project  40 B  $TEST_ENV/project/CLAUDE.md              from the start
    project  12 B  $TEST_ENV/project/style.md               imported by $TEST_ENV/project/CLAUDE.md
    project  33 B  $TEST_ENV/project/.claude/rules/rust.md  for *.rs
    ------- stderr -------
    warning: `@../out.md` is skipped: outside project
      where: $TEST_ENV/project/CLAUDE.md:1
    [exit status: 0]
    ");
}

#[test]
fn shows_user_project_and_folder_in_this_order_as_one_text() {
    assert_snapshot!(sandbox().run(["rules", "show", "src/a.rs"]), @r#"
    Rules that people wrote for this work. Follow them; where two disagree, the later one is more specific.

    <rules file="$TEST_ENV/home/.claude/CLAUDE.md" for="the user, in every project">
    Answer in German.
    </rules>

    <rules file="$TEST_ENV/project/CLAUDE.md" for="everybody in this project">
    Be brief. See @style.md and @../out.md.
    </rules>

    <rules file="$TEST_ENV/project/style.md" for="everybody in this project">
    Two spaces.
    </rules>

    <rules file="$TEST_ENV/project/src/CLAUDE.md" for="everybody in this project">
    Of src.
    </rules>

    <rules file="$TEST_ENV/project/.claude/rules/rust.md" for="everybody in this project">
    No unwrap.
    </rules>
    ------- stderr -------
    warning: `@../out.md` is skipped: outside project
      where: $TEST_ENV/project/CLAUDE.md:1
    [exit status: 0]
    "#);
}

#[test]
fn the_same_rules_come_with_a_file_whatever_is_done_with_it() {
    let sandbox = sandbox();
    let ran = |event| sandbox.run(["rules", "match", "src/new.rs", "--event", event]);
    assert_snapshot!(ran("read"), @"
    project   8 B  $TEST_ENV/project/src/CLAUDE.md          $TEST_ENV/project/src/new.rs is in its folder
    project  33 B  $TEST_ENV/project/.claude/rules/rust.md  $TEST_ENV/project/src/new.rs matches `*.rs`
    [exit status: 0]
    ");
    assert_eq!(ran("edit"), ran("read"));
    assert_eq!(ran("write"), ran("read"));
    assert_snapshot!(sandbox.run(["rules", "match", "README.md"]), @"
    ------- stderr -------
    note: no rule comes with that
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["rules", "match", "src/new.rs", "--json"]), @r#"
    {
      "client": "claude-code",
      "event": "read",
      "notes": [],
      "rules": [
        {
          "by": "$TEST_ENV/project/src/new.rs",
          "bytes": 8,
          "kind": "instructions",
          "path": "$TEST_ENV/project/src/CLAUDE.md",
          "patterns": [],
          "reason": "folder",
          "scope": "project",
          "text": "Of src."
        },
        {
          "by": "$TEST_ENV/project/src/new.rs",
          "bytes": 33,
          "kind": "rule",
          "path": "$TEST_ENV/project/.claude/rules/rust.md",
          "pattern": "*.rs",
          "patterns": [
            "*.rs"
          ],
          "reason": "path",
          "scope": "project",
          "text": "No unwrap."
        }
      ]
    }
    [exit status: 0]
    "#);
}

#[test]
fn what_the_client_was_allowed_to_is_loaded_from_outside() {
    let sandbox = sandbox();
    let project = sandbox.path("project").to_str().unwrap().to_owned();
    let allowed = format!(
        "{{\"projects\": {{\"{project}\": {{\"hasClaudeMdExternalIncludesApproved\": true}}}}}}"
    );
    sandbox.write("home/.claude.json", 0, allowed);
    assert!(sandbox.run(["rules", "show"]).contains("OUTSIDE"));
    sandbox.write("home/.claude.json", 0, "{");
    let ran = sandbox.run(["rules", "show"]);
    assert!(
        !ran.contains("OUTSIDE") && ran.contains("what the client allows cannot be read"),
        "{ran}"
    );
}

#[test]
fn settings_and_switches_of_the_client_count() {
    let sandbox = sandbox();
    let loaded = |sandbox: &Sandbox, more: &[&str]| {
        let args = ["rules", "list", "--json"].into_iter().chain(more.iter().copied());
        let output = sandbox.output(args);
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let rules = value["rules"].as_array().unwrap().clone();
        let root = sandbox.path("").to_str().unwrap().to_owned();
        let path = |rule: &serde_json::Value| rule["path"].as_str().unwrap().replace(&root, "");
        rules.iter().map(path).collect::<Vec<_>>()
    };
    let all = ["home/.claude/CLAUDE.md", "project/CLAUDE.md", "project/style.md"];
    assert_eq!(loaded(&sandbox, &[]), all);
    sandbox.write("added/CLAUDE.md", 0, "ADDED\n");
    assert_eq!(loaded(&sandbox, &["--add-dir", "../added"]), all);
    let sandbox = sandbox.env("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "1");
    assert_eq!(loaded(&sandbox, &["--add-dir", "../added"])[3..], ["added/CLAUDE.md"]);
    sandbox.write("project/.claude/settings.json", 0, "{\"claudeMdExcludes\": [\"**/style.md\"]}");
    assert_eq!(loaded(&sandbox, &[]), all[..2]);
    sandbox.write("project/AGENTS.md", 0, "AGENTS\n");
    assert_eq!(loaded(&sandbox, &[]), all[..2]);
    let plugin = "{\"pluginConfigs\": {\"agents-md@builtin\": {\"options\": {\"mode\": \"claude-md-and-agents-md\"}}}}";
    sandbox.write("home/.claude/settings.json", 0, plugin);
    assert_eq!(loaded(&sandbox, &[])[2..], ["project/AGENTS.md"]);
    assert_eq!(loaded(&sandbox, &["--client", "codex"]), ["project/AGENTS.md"]);
    let sandbox = sandbox.env("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1");
    assert_eq!(loaded(&sandbox, &[]), [""; 0]);
}

#[test]
fn a_check_ends_with_1_on_findings_and_names_no_control_character() {
    let sandbox = Sandbox::without_memory_dir();
    sandbox.write("project/CLAUDE.md", 0, "Fine.\n");
    assert_snapshot!(sandbox.run(["rules", "check"]), @"[exit status: 0]");
    sandbox.write(
        "project/.claude/rules/a\u{1b}[2J.md",
        0,
        "---\npaths: \"*.py\"\nglob: x\n---\nR\n",
    );
    assert_snapshot!(sandbox.run(["rules", "check"]), @r#"
    warning: $TEST_ENV/project/.claude/rules/a\u{1b}[2J.md:3: `glob` means nothing in a rule
    warning: $TEST_ENV/project/.claude/rules/a\u{1b}[2J.md: no file of the project matches its patterns
    [exit status: 1]
    "#);
    assert_snapshot!(sandbox.run(["rules", "check", "--json"]), @r#"
    {
      "findings": [
        {
          "advice": false,
          "line": 3,
          "message": "`glob` means nothing in a rule",
          "path": "$TEST_ENV/project/.claude/rules/a\u001b[2J.md"
        },
        {
          "advice": false,
          "message": "no file of the project matches its patterns",
          "path": "$TEST_ENV/project/.claude/rules/a\u001b[2J.md"
        }
      ]
    }
    [exit status: 1]
    "#);
}

#[test]
fn a_context_begins_with_the_rules_where_they_are_asked_for() {
    let sandbox = sandbox();
    let with = sandbox.run(["context", "x", "--rules"]);
    assert!(with.starts_with("Rules that people wrote for this work."), "{with}");
    assert!(with.contains("Answer in German.") && with.contains("MEMORY.md"), "{with}");
    assert!(!sandbox.run(["context", "x"]).contains("Answer in German."));
}
