//! forget: what it removes, and what it leaves nowhere.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names, save as a_save, with};

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

#[test]
fn a_memory_that_was_renamed_is_purged_under_its_former_names_too() {
    let sandbox = Sandbox::new();
    let done = |ran: String| assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
    let save = ["save", "--type", "user", "--description", "b-U-r-N", "--reason", "b-U-r-N"];
    done(sandbox.run(with(&save, &["--name", "n", "--body", "b-U-r-N"])));
    done(sandbox.run(a_save("k", "kept")));
    let (from, to) = (sandbox.memory().join("user_n.md"), sandbox.memory().join("renamed.md"));
    fs::rename(from, to).unwrap();
    done(sandbox.run(["check", "--fix"]));
    done(sandbox.run(["edit", "renamed.md", "--body", "b-U-r-N 2"]));
    fs::rename(sandbox.memory().join("renamed.md"), sandbox.memory().join("again.md")).unwrap();
    done(sandbox.run(["check", "--fix"]));
    assert_snapshot!(sandbox.run(["forget", "again.md", "--purge"]), @"
    removed for good again.md: its file, 5 records of the journal, 1 reason
      with what was kept of renamed.md, as it was named before
      with what was kept of user_n.md, as it was named before
    [exit status: 0]
    ");
    assert_nowhere(&sandbox, "b-U-r-N");
    assert_snapshot!(sandbox.run(["check"]), @"[exit status: 0]");
    assert!(sandbox.run(["log", "user_k.md", "--diff"]).contains("+kept"), "others are still kept");
    assert_snapshot!(sandbox.run(["forget", "user_n.md", "--purge"]), @"
    nothing is kept of user_n.md
    [exit status: 0]
    ");
}

#[test]
fn a_copy_is_not_purged_with_what_it_was_copied_from() {
    let sandbox = Sandbox::new();
    let done = |ran: String| assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
    done(sandbox.run(a_save("n", "both")));
    fs::copy(sandbox.memory().join("user_n.md"), sandbox.memory().join("copy.md")).unwrap();
    assert_snapshot!(sandbox.run(["forget", "copy.md", "--purge"]), @"
    removed for good copy.md: its file, 1 record of the journal
    [exit status: 0]
    ");
    assert!(sandbox.run(["log", "user_n.md", "--diff"]).contains("+both"));
}

#[test]
fn a_memory_that_was_deleted_by_hand_is_told_of_no_more_once_it_is_purged() {
    for line in ["- [n](user_n.md) — b-U-r-N\n", ""] {
        let sandbox = Sandbox::new();
        let save = ["save", "--type", "user", "--name", "n", "--description", "b-U-r-N"];
        let saved = sandbox.run(with(&save, &["--body", "b-U-r-N"]));
        assert!(saved.ends_with("[exit status: 0]\n"), "{saved}");
        fs::remove_file(sandbox.memory().join("user_n.md")).unwrap();
        sandbox.write("memory/MEMORY.md", 0, line);
        let purged = sandbox.run(["forget", "user_n.md", "--purge"]);
        assert!(purged.starts_with("removed for good user_n.md: "), "{purged}");
        let (check, log) = (sandbox.run(["check"]), sandbox.run(["log"]));
        assert!(!check.contains("user_n.md"), "{check}");
        assert!(!log.contains("not in the journal yet: removed user_n.md"), "{log}");
        assert_nowhere(&sandbox, "b-U-r-N");
    }
}
