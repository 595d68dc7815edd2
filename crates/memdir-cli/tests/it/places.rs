//! Which directory: paths-05 and paths-07 through the command, and what is refused aloud.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names};

#[test]
fn a_project_and_its_sub_folders_have_one_directory_and_asking_creates_nothing() {
    let sandbox = Sandbox::without_memory_dir();
    let before = names(&sandbox.path(""));
    assert_snapshot!(sandbox.run(["path"]), @r#"
    $TEST_ENV/home/.claude/projects/$SLUG-project/memory
    [exit status: 0]
    "#);
    assert_eq!(sandbox.run_in("project/src", ["path"], ""), sandbox.run(["path"]));
    assert_eq!(names(&sandbox.path("")), before);
}

#[test]
fn json_tells_the_source_the_project_and_whether_it_exists() {
    let sandbox = Sandbox::without_memory_dir();
    assert_snapshot!(sandbox.run(["path", "--json"]), @r#"
    {
      "directory": "$TEST_ENV/home/.claude/projects/$SLUG-project/memory",
      "exists": "absent",
      "layout": "claude-code",
      "project": "$TEST_ENV/project",
      "refusals": [],
      "source": "layout",
      "warnings": []
    }
    [exit status: 0]
    "#);
}

/// paths-05: root, sub folder and worktree agree; a setting gives the worktree its own.
#[test]
fn a_worktree_shares_the_memory_of_its_repository_unless_told_otherwise() {
    let sandbox = Sandbox::without_memory_dir();
    let git = |folder: &str, args: &[&str]| {
        let identity = ["NAME", "EMAIL"]
            .map(|part| [format!("GIT_AUTHOR_{part}"), format!("GIT_COMMITTER_{part}")]);
        let status = Command::new("git")
            .args(args)
            .current_dir(sandbox.path(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .envs(identity.into_iter().flatten().map(|name| (name, "t@t")))
            .status();
        status.is_ok_and(|status| status.success())
    };
    fs::create_dir_all(sandbox.path("repo/a/b")).unwrap();
    if !git("repo", &["init", "-q", "-b", "main"]) {
        eprintln!("skipped: needs git: a worktree of a repository");
        return;
    }
    sandbox.write("repo/f", 0, "1\n");
    assert!(git("repo", &["add", "f"]) && git("repo", &["commit", "-qm", "x"]));
    assert!(git("repo", &["worktree", "add", "-q", "../wt", "-b", "wt"]));
    for folder in ["plain", "plain/x"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    let at = |folder| sandbox.run_in(folder, ["path"], "");
    let shared = "$TEST_ENV/home/.claude/projects/$SLUG-repo/memory\n[exit status: 0]\n";
    assert_eq!([at("repo"), at("repo/a/b"), at("wt")], [shared; 3]);
    assert_eq!(
        at("plain"),
        "$TEST_ENV/home/.claude/projects/$SLUG-plain/memory\n[exit status: 0]\n"
    );
    assert_eq!(
        at("plain/x"),
        "$TEST_ENV/home/.claude/projects/$SLUG-plain-x/memory\n[exit status: 0]\n"
    );
    sandbox.write("home/.config/memdir/config.toml", 0, "per_worktree = true\n");
    assert_eq!(at("wt"), "$TEST_ENV/home/.claude/projects/$SLUG-wt/memory\n[exit status: 0]\n");
    assert_eq!(at("repo/a/b"), shared);
}

/// paths-05: the path in the prompt, the one scanned and the one written are one, and it exists before the prompt says so.
#[test]
fn prompt_list_and_save_use_the_path_that_path_prints() {
    let sandbox = Sandbox::without_memory_dir();
    let directory = "$TEST_ENV/home/.claude/projects/$SLUG-project/memory";
    let real = sandbox.path("home/.claude/projects");
    assert!(!real.exists());
    let prompt = sandbox.run_in("project/src", ["prompt"], "");
    assert!(prompt.contains(directory), "{prompt}");
    assert_eq!(fs::read_dir(&real).unwrap().count(), 1);
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b"];
    assert!(sandbox.run(save).ends_with("[exit status: 0]\n"));
    let project = fs::read_dir(&real).unwrap().next().unwrap().unwrap().path();
    assert_eq!(names(&project.join("memory")), ["MEMORY.md", "user_n.md"]);
    assert!(sandbox.run_in("project/src", ["list"], "").contains("user_n.md"));
}

/// paths-07: every refusal is one message with scope, value and reason, and the default is used.
#[test]
fn a_project_cannot_choose_the_directory_until_its_user_trusts_it() {
    let sandbox = Sandbox::without_memory_dir();
    sandbox.write("project/.claude/settings.json", 0, r#"{"autoMemoryDirectory": "~/.ssh"}"#);
    let inside = sandbox.path("project/.mem");
    let local = format!(r#"{{"autoMemoryDirectory": "{}"}}"#, inside.to_str().unwrap());
    sandbox.write("project/.claude/settings.local.json", 0, local);
    assert_snapshot!(sandbox.run(["path"]), @r#"
    $TEST_ENV/home/.claude/projects/$SLUG-project/memory
    ------- stderr -------
    warning: memory directory `$TEST_ENV/project/.mem` from local settings ($TEST_ENV/project/.claude/settings.local.json) is refused: a repository must not choose where memory is written unless its user lists it as trusted; the client may follow it and write elsewhere
      try: to accept what this project sets: trusted_projects = ["$TEST_ENV/project"] in $TEST_ENV/home/.config/memdir/config.toml
    warning: memory directory `~/.ssh` from project settings ($TEST_ENV/project/.claude/settings.json) is refused: a repository must not choose where memory is written unless its user lists it as trusted; the client may follow it and write elsewhere
      try: to accept what this project sets: trusted_projects = ["$TEST_ENV/project"] in $TEST_ENV/home/.config/memdir/config.toml
    [exit status: 0]
    "#);
    let trust = format!("trusted_projects = [\"{}\"]\n", sandbox.path("project").to_str().unwrap());
    sandbox.write("home/.config/memdir/config.toml", 0, trust);
    assert_snapshot!(sandbox.run(["path"]), @r#"
    $TEST_ENV/project/.mem
    [exit status: 0]
    "#);
}

#[test]
fn settings_of_the_user_are_used_or_refused_aloud() {
    let sandbox = Sandbox::without_memory_dir();
    let user = |value: &str| {
        let text = serde_json::json!({"autoMemoryDirectory": value}).to_string();
        sandbox.write("home/.claude/settings.json", 0, text);
        sandbox.run(["path"])
    };
    assert_snapshot!(user("~/mem"), @r#"
    $TEST_ENV/home/mem
    [exit status: 0]
    "#);
    for refused in ["mem", "./.claude/memory", "/", "~", "~/..", "/a\0b", "C:\\mem"] {
        let ran = user(refused);
        assert!(
            ran.starts_with("$TEST_ENV/home/.claude/projects/$SLUG-project/memory\n"),
            "{refused:?}: {ran}"
        );
        assert_eq!(ran.matches("warning: ").count(), 1, "{refused:?}: {ran}");
    }
    assert_eq!(user("").lines().count(), 2);
    assert_snapshot!(user("mem"), @r#"
    $TEST_ENV/home/.claude/projects/$SLUG-project/memory
    ------- stderr -------
    warning: memory directory `mem` from user settings ($TEST_ENV/home/.claude/settings.json) is refused: it is relative, neither absolute nor below `~/`
    [exit status: 0]
    "#);
}

#[test]
fn the_layout_of_its_own_lies_in_the_data_folder() {
    let sandbox = Sandbox::without_memory_dir();
    let ran = sandbox.run(["path", "--layout", "memdir"]);
    assert!(ran.starts_with("$TEST_ENV/home/.local/share/memdir/projects/"), "{ran}");
    assert!(!ran.contains("$SLUG-project/"), "{ran}");
}

#[test]
fn a_variable_that_the_project_itself_sets_is_not_the_users_word() {
    let sandbox = Sandbox::without_memory_dir().env("CLAUDE_CONFIG_DIR", "/elsewhere");
    sandbox.write(
        "project/.claude/settings.json",
        0,
        r#"{"env": {"CLAUDE_CONFIG_DIR": "/elsewhere"}}"#,
    );
    assert_snapshot!(sandbox.run(["path"]), @r#"
    $TEST_ENV/home/.claude/projects/$SLUG-project/memory
    ------- stderr -------
    warning: memory directory `/elsewhere` from `CLAUDE_CONFIG_DIR` ($TEST_ENV/project/.claude/settings.json) is refused: the project's own settings set the variable, and its user does not list it as trusted; the client may follow it and write elsewhere
      try: to accept what this project sets: trusted_projects = ["$TEST_ENV/project"] in $TEST_ENV/home/.config/memdir/config.toml
    [exit status: 0]
    "#);
}

#[test]
fn without_a_home_the_message_says_what_to_set() {
    let sandbox = Sandbox::without_memory_dir().env("HOME", "");
    assert_snapshot!(sandbox.run(["path"]), @r#"
    ------- stderr -------
    error: the home folder is not known, so there is no default memory directory
      try: set HOME, or name the directory with --memory-dir DIR
    [exit status: 2]
    "#);
    assert_snapshot!(sandbox.run(["path", "--json", "--layout", "memdir"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 2,
        "kind": "usage",
        "try": [
          "set HOME, or name the directory with --memory-dir DIR"
        ],
        "what": "the platform's data folder is not known, so layout `memdir` has no place"
      }
    }
    [exit status: 2]
    "#);
    assert_eq!(sandbox.run(["path", "--memory-dir", "/data/mem"]), "/data/mem\n[exit status: 0]\n");
}

#[test]
fn a_directory_of_another_project_is_refused_by_name_and_a_renamed_one_is_taken_over_on_request() {
    let sandbox = Sandbox::without_memory_dir();
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b"];
    assert!(sandbox.run(save).ends_with("[exit status: 0]\n"));
    // The client's slug of `pro.ject` and `pro-ject` is the same.
    fs::rename(sandbox.path("project"), sandbox.path("pro.ject")).unwrap();
    let projects = sandbox.path("home/.claude/projects");
    let old = fs::read_dir(&projects).unwrap().next().unwrap().unwrap().path();
    let new = old.to_str().unwrap().replace("-project", "-pro-ject");
    fs::rename(&old, new).unwrap();
    assert_snapshot!(sandbox.run_in("pro.ject", ["list"], ""), @"
    ------- stderr -------
    error: the memory directory belongs to another project
      why: `$TEST_ENV/home/.claude/projects/$SLUG-pro-ject/memory` is the memory of `$TEST_ENV/project`, which no longer exists, not of `$TEST_ENV/pro.ject` (by `$TEST_ENV/home/.claude/projects/$SLUG-pro-ject/memory/.memdir/project.json`)
      try: if this is that project under a new name: memdir path --relink
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run_in("pro.ject", ["path", "--relink"], ""), @"
    $TEST_ENV/home/.claude/projects/$SLUG-pro-ject/memory
    [exit status: 0]
    ");
    assert!(sandbox.run_in("pro.ject", ["list"], "").contains("user_n.md"));
    let sandbox_files = names(&projects);
    fs::create_dir_all(sandbox.path("pro-ject/.git/objects")).unwrap();
    fs::create_dir_all(sandbox.path("pro-ject/.git/refs")).unwrap();
    fs::write(sandbox.path("pro-ject/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
    assert_snapshot!(sandbox.run_in("pro-ject", save, ""), @"
    ------- stderr -------
    error: the memory directory belongs to another project
      why: `$TEST_ENV/home/.claude/projects/$SLUG-pro-ject/memory` is the memory of `$TEST_ENV/pro.ject`, another project with the same key, not of `$TEST_ENV/pro-ject` (by `$TEST_ENV/home/.claude/projects/$SLUG-pro-ject/memory/.memdir/project.json`)
      try: name a directory of this project's own with --memory-dir DIR or in config.toml
    [exit status: 3]
    ");
    assert_eq!(names(&projects), sandbox_files);
    let refused = sandbox.run_in("pro-ject", ["path"], "");
    assert_eq!(refused, sandbox.run_in("pro-ject", ["list"], ""));
    assert!(refused.ends_with("[exit status: 3]\n"), "{refused}");
    let json = sandbox.run_in("pro-ject", ["path", "--json"], "");
    for expect in ["\"reason\": \"it belongs to another project\"", "[exit status: 3]\n"] {
        assert!(json.contains(expect), "{json}");
    }
}

/// Otherwise a repository could take away the memory of whoever works in it.
#[cfg(unix)]
#[test]
fn an_odd_git_link_is_passed_over_with_a_warning() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("odd")).unwrap();
    std::os::unix::fs::symlink(".git", sandbox.path("odd/.git")).unwrap();
    let ran = sandbox.run_in("odd", ["path"], "");
    assert!(ran.starts_with("$TEST_ENV/memory\n"), "{ran}");
    assert!(ran.contains("warning: `$TEST_ENV/odd/.git` cannot be looked at"), "{ran}");
    assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
}

/// A project that was renamed does not start empty without a word.
#[cfg(unix)]
#[test]
fn a_renamed_project_is_told_of_its_memory_and_a_person_brings_it_along() {
    let sandbox = Sandbox::without_memory_dir();
    let save =
        |name| ["save", "--type", "user", "--name", name, "--description", "d", "--body", "b"];
    assert!(sandbox.run(save("n")).ends_with("[exit status: 0]\n"));
    fs::rename(sandbox.path("project"), sandbox.path("renamed")).unwrap();
    let before = names(&sandbox.path("home"));
    let run = |args: &[&str]| sandbox.run_in("renamed", args, "");
    assert_snapshot!(run(&["path"]), @"
    $TEST_ENV/home/.claude/projects/$SLUG-renamed/memory
    ------- stderr -------
    warning: there is no memory here yet, but that of `$TEST_ENV/project`, which no longer exists
      where: $TEST_ENV/home/.claude/projects/$SLUG-project/memory
      why: it was recorded for this very folder, under its old name
      try: if this is that project under a new name, a person takes its memory over: memdir path --relink
    [exit status: 0]
    ");
    assert_eq!(names(&sandbox.path("home")), before);
    let offer = "SLUG-project/memory\n  why: it was recorded for this very folder";
    for args in [&["status"][..], &["list"], &["prompt"], &["context", "n"], &["recall", "n"]] {
        let ran = run(args);
        assert!(ran.contains(offer), "{args:?}: {ran}");
    }
    let agent = sandbox.env("CLAUDECODE", "1");
    let refused = agent.run_in("renamed", ["path", "--relink"], "");
    assert!(refused.contains("only a person may take over the memory"), "{refused}");
    let sandbox = agent.env("CLAUDECODE", "");
    assert_snapshot!(sandbox.run_in("renamed", ["path", "--relink"], ""), @"
    $TEST_ENV/home/.claude/projects/$SLUG-renamed/memory
    [exit status: 0]
    ");
    let listed = sandbox.run_in("renamed", ["list"], "");
    assert!(listed.contains("user_n.md") && !listed.contains("warning"), "{listed}");
    let saved = sandbox.run_in("renamed", save("m"), "");
    assert!(saved.ends_with("[exit status: 0]\n") && !saved.contains("warning"), "{saved}");
}

/// What is there already is not replaced; which of several is meant is not guessed.
#[cfg(unix)]
#[test]
fn memory_that_is_there_is_not_replaced_and_several_candidates_are_named() {
    let sandbox = Sandbox::without_memory_dir();
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b"];
    for folder in ["one/app", "two/app", "three/app"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
        if folder != "three/app" {
            assert!(sandbox.run_in(folder, save, "").ends_with("[exit status: 0]\n"));
            fs::remove_dir_all(sandbox.path(folder)).unwrap();
        }
    }
    assert_snapshot!(sandbox.run_in("three/app", ["path", "--relink"], ""), @"
    ------- stderr -------
    error: the memory of several projects that are gone may be this one's
      - $TEST_ENV/home/.claude/projects/$SLUG-one-app/memory
      - $TEST_ENV/home/.claude/projects/$SLUG-two-app/memory
      try: move the right one to $TEST_ENV/home/.claude/projects/$SLUG-three-app/memory and call this again
    [exit status: 3]
    ");
    assert!(sandbox.run_in("three/app", save, "").ends_with("[exit status: 0]\n"));
    let projects = fs::read_dir(sandbox.path("home/.claude/projects")).unwrap();
    let two = projects.map(|entry| entry.unwrap().path());
    for folder in two.filter(|path| path.to_str().unwrap().ends_with("-two-app")) {
        fs::remove_dir_all(folder).unwrap();
    }
    assert_snapshot!(sandbox.run_in("three/app", ["path", "--relink"], ""), @"
    ------- stderr -------
    error: there is memory in `$TEST_ENV/home/.claude/projects/$SLUG-three-app/memory` already
      try: move memories from the old folder one by one, then memdir check --fix
    [exit status: 3]
    ");
}
