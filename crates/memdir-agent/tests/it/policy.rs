//! How paths are read, whoever's tool names them.
#![cfg(test)]

use memdir_agent::{Action, Dialect, File, Scope, memory_policy};
use serde_json::json;

/// A memory directory within the project that it is about.
#[track_caller]
fn check(dialect: Dialect, path: &str, expect: &str) {
    let policy = memory_policy("/p/notes/").project("/p").project("/worktree");
    let told = |action| match action {
        Ok(Action::Read { file: File::Memory(path), .. }) => format!("memory {path}"),
        Ok(Action::Read { file: File::Project(path), .. }) => format!("project {path}"),
        Ok(Action::List { scope: Scope::Memories }) => "memories".to_owned(),
        Ok(Action::List { scope }) => format!("in {scope}"),
        Ok(other) => format!("{other:?}"),
        Err(denial) => format!("{denial:?}").chars().take_while(|c| c.is_alphanumeric()).collect(),
    };
    let (read, list) = match dialect {
        Dialect::Own => ("read", "list"),
        Dialect::Client => ("Read", "Glob"),
    };
    let input = json!({"path": path, "file_path": path, "pattern": "*"});
    let read = told(policy.judge(dialect, read, &input));
    let list = told(policy.judge(dialect, list, &input));
    assert_eq!(format!("{read}; {list}"), expect, "{path}");
}

#[test]
fn a_path_is_a_memory_or_of_the_project_by_where_it_lies() {
    let own = |path, expect| check(Dialect::Own, path, expect);
    own("a.md", "memory a.md; in a.md");
    own("sub/", "Path; in sub");
    own("", "Path; memories");
    own("/p/notes", "Path; memories");
    own("/p/notes/a.md", "memory a.md; in a.md");
    own("/p/src/a.rs", "project src/a.rs; in project:src/a.rs");
    own("/worktree/src", "project src; in project:src");
    own("project:", "ProjectPath; in the project");
    own("project:src/", "project src; in project:src");
    own("project:notes/a.md", "memory a.md; in a.md");
    own("project:./notes//a.md", "memory a.md; in a.md");
    own("project:notes", "Path; memories");
    own("project:notes/.memdir/journal", "Path; Path");
    own("project:notes-old/a.md", "project notes-old/a.md; in project:notes-old/a.md");
    own("project:src/.env", "Hidden; Hidden");
    own("/p/.git", "Hidden; Hidden");

    let client = |path, expect| check(Dialect::Client, path, expect);
    client("/p/notes/a.md", "memory a.md; in a.md");
    client("/p/notes/../src", "Path; Path");
    client("/p/../etc", "ProjectPath; ProjectPath");
    client("notes/a.md", "memory a.md; in a.md");
    client("src/a.rs", "project src/a.rs; in project:src/a.rs");
    client("", "ProjectPath; in the project");
    client("project:src", "ProjectPath; ProjectPath");
    client("/pnotes/a.md", "ProjectPath; ProjectPath");
    client("/", "ProjectPath; ProjectPath");
}

#[test]
fn without_a_root_nothing_absolute_is_within() {
    for root in ["", "/"] {
        let policy = memory_policy(root).project(root);
        for dialect in [Dialect::Own, Dialect::Client] {
            let tool = if dialect == Dialect::Own { "read" } else { "Read" };
            let input = json!({"path": "/etc/passwd", "file_path": "/etc/passwd"});
            assert!(policy.judge(dialect, tool, &input).is_err(), "{root:?}");
        }
    }
}
