//! forget: what it removes, and what it leaves nowhere.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names, with};

#[test]
fn forgetting_names_what_it_removes_and_nothing_else() {
    let sandbox = Sandbox::new();
    for (number, name) in ["alpha", "alphabet", "beta"].into_iter().enumerate() {
        sandbox.memorize(&format!("{name}.md"), number as u64, "user", name, "SECRET", "SECRET");
    }
    sandbox.write("memory/MEMORY.md", 0, "- [a](alpha.md) - SECRET\n- [b](beta.md) - SECRET\n");
    assert_snapshot!(sandbox.run(["forget", "alp"]), @"
    ------- stderr -------
    error: `alp` fits 2 memories
      why: it fits alpha.md, alphabet.md
      try: name one of them by its path
    [exit status: 2]
    ");
    assert_snapshot!(sandbox.run(["forget", "3", "alphab", "--dry-run"]), @"
    would remove alphabet.md
    would remove beta.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "3", "alphab", "--json"]), @r#"
    {
      "dry_run": false,
      "forgotten": [
        "alphabet.md",
        "beta.md"
      ],
      "op": "$OP1",
      "purged": false
    }
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["forget", "beta"]), @"
    ------- stderr -------
    error: not found: there is no memory `beta`
      try: `memdir list` names them all
    [exit status: 1]
    ");
    assert_snapshot!(sandbox.run(["forget", "MEMORY.md"]), @"
    ------- stderr -------
    error: `MEMORY.md` is not a memory of this directory
      why: memories are the `.md` files besides MEMORY.md, which memdir keeps itself, and outside `logs/` and `team/`
    [exit status: 3]
    ");
    assert_eq!(sandbox.read("memory/MEMORY.md"), "- [a](alpha.md) - SECRET\n");
    assert_eq!(names(&sandbox.memory()), ["MEMORY.md", "alpha.md"]);
}

/// Fails if any file of the memory directory, memdir's own included, holds the word.
fn assert_nowhere(sandbox: &Sandbox, word: &str) {
    let mut open = vec![sandbox.memory()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                assert!(!text.contains(word), "{}: {text}", path.display());
            }
        }
    }
}

#[test]
fn a_purged_memory_is_in_no_file_any_more() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b-U-r-N"];
    let because = ["--reason", "it said b-U-r-N"];
    assert!(sandbox.run(with(&save, &because)).ends_with("[exit status: 0]\n"));
    assert!(
        sandbox.run(["edit", "n", "--description", "b-U-r-N too"]).ends_with("[exit status: 0]\n")
    );
    assert_snapshot!(sandbox.run(with(&["forget", "n", "--purge"], &because)), @"
    removed for good user_n.md: its file, 3 records of the journal, 2 reasons
    [exit status: 0]
    ");
    assert_nowhere(&sandbox, "b-U-r-N");
}

#[test]
fn what_was_forgotten_before_can_be_purged_by_its_name() {
    let sandbox = Sandbox::new();
    let save = ["save", "--type", "user", "--description", "b-U-r-N", "--body", "b-U-r-N"];
    let done = |ran: String| assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
    for name in ["n", "path", "nearly n"] {
        done(sandbox.run(with(&save, &["--name", name, "--reason", "b-U-r-N"])));
    }
    done(sandbox.run(["forget", "n", "path", "--reason", "b-U-r-N"]));
    // Not the memory whose name only begins so.
    assert_snapshot!(sandbox.run(["forget", "n", "--purge", "--dry-run"]), @"
    would remove what the journal holds of user_n.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "n", "nearly n", "--purge"]), @"
    removed for good user_n.md: 2 records of the journal, 2 reasons
    removed for good user_nearly-n.md: its file, 2 records of the journal, 1 reason
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "user_path.md", "--purge", "--json"]), @r#"
    {
      "dry_run": false,
      "forgotten": [],
      "from_journal": [
        {
          "objects": 0,
          "path": "user_path.md",
          "reasons": 1,
          "records": 2,
          "torn_lines": 0
        }
      ],
      "op": null,
      "purged": true
    }
    [exit status: 0]
    "#);
    assert_nowhere(&sandbox, "b-U-r-N");
    assert_snapshot!(sandbox.run(["forget", "user_path.md", "--purge"]), @"
    nothing is kept of user_path.md
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["forget", "nobody", "--purge"]), @"
    ------- stderr -------
    error: not found: there is no memory `nobody`
      try: `memdir list` names them all
    [exit status: 1]
    ");
}
