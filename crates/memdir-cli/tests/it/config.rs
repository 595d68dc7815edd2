//! Where settings come from, and what happens to broken ones.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

#[test]
fn every_setting_is_shown_with_its_origin() {
    let sandbox = Sandbox::without_memory_dir();
    assert_snapshot!(sandbox.run(["config"]), @r#"
    memory_dir = "$TEST_ENV/home/.claude/projects/$SLUG-project/memory"  # layout claude-code of $TEST_ENV/project
    layout = "claude-code"  # default
    per_worktree = false  # default
    trusted_projects = []  # default
    auto_memory = true  # default
    recall = true  # default
    selector = "lexical"  # default
    [exit status: 0]
    "#);
    sandbox.write(
        "home/.config/memdir/config.toml",
        0,
        "layout = \"memdir\"\nauto_memory = true\n",
    );
    sandbox.write(
        "home/.claude/settings.json",
        0,
        r#"{"autoMemoryEnabled": false, "autoMemoryDirectory": "~/m"}"#,
    );
    assert_snapshot!(sandbox.run(["config", "--layout", "claude-code"]), @r#"
    memory_dir = "$TEST_ENV/home/m"  # user settings, $TEST_ENV/home/.claude/settings.json
    layout = "claude-code"  # --layout
    per_worktree = false  # default
    trusted_projects = []  # default
    auto_memory = true  # $TEST_ENV/home/.config/memdir/config.toml
    recall = true  # default
    selector = "lexical"  # default
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["config", "--json"]), @r#"
    {
      "file": "$TEST_ENV/home/.config/memdir/config.toml",
      "file_exists": true,
      "settings": [
        {
          "key": "memory_dir",
          "origin": "user settings, $TEST_ENV/home/.claude/settings.json",
          "value": "$TEST_ENV/home/m"
        },
        {
          "key": "layout",
          "origin": "$TEST_ENV/home/.config/memdir/config.toml",
          "value": "memdir"
        },
        {
          "key": "per_worktree",
          "origin": "default",
          "value": false
        },
        {
          "key": "trusted_projects",
          "origin": "default",
          "value": []
        },
        {
          "key": "auto_memory",
          "origin": "$TEST_ENV/home/.config/memdir/config.toml",
          "value": true
        },
        {
          "key": "recall",
          "origin": "default",
          "value": true
        },
        {
          "key": "selector",
          "origin": "default",
          "value": "lexical"
        }
      ]
    }
    [exit status: 0]
    "#);
}

#[test]
fn its_path_is_printed_whether_it_exists_or_not() {
    let sandbox = Sandbox::without_memory_dir();
    assert_eq!(
        sandbox.run(["config", "path"]),
        "$TEST_ENV/home/.config/memdir/config.toml\n[exit status: 0]\n"
    );
    let sandbox = sandbox.env("XDG_CONFIG_HOME", "/etc/xdg");
    assert_eq!(sandbox.run(["config", "path"]), "/etc/xdg/memdir/config.toml\n[exit status: 0]\n");
}

#[test]
fn unknown_keys_are_named_and_broken_files_stop_the_command() {
    let sandbox = Sandbox::without_memory_dir();
    let with = |text: &str| {
        sandbox.write("home/.config/memdir/config.toml", 0, text);
        sandbox.run(["path"])
    };
    assert_snapshot!(with("memory-dir = \"~/m\"\n"), @"
    $TEST_ENV/home/.claude/projects/$SLUG-project/memory
    ------- stderr -------
    warning: the key `memory-dir` is unknown and was ignored
      where: $TEST_ENV/home/.config/memdir/config.toml
      try: known keys: memory_dir, layout, trusted_projects, per_worktree, auto_memory, recall, selector, model, budget
    [exit status: 0]
    ");
    assert_snapshot!(with("memory_dir = 3\n"), @r#"
    ------- stderr -------
    error: `memory_dir` must be a string, not integer
      where: $TEST_ENV/home/.config/memdir/config.toml
    [exit status: 2]
    "#);
    assert_snapshot!(with("memory_dir = \"~/m\n"), @r#"
    ------- stderr -------
    error: the configuration is not TOML
      where: $TEST_ENV/home/.config/memdir/config.toml
      why: line 1: invalid basic string, expected `"`
    [exit status: 2]
    "#);
}

#[test]
fn a_broken_settings_file_of_the_client_is_named_and_passed_over() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", 0, "{\"autoMemoryEnabled\": fals");
    assert_snapshot!(sandbox.run(["path"]), @r#"
    $TEST_ENV/memory
    ------- stderr -------
    warning: the client's settings are not JSON and were ignored
      where: $TEST_ENV/home/.claude/settings.json
      why: EOF while parsing a value at line 1 column 26
    [exit status: 0]
    "#);
}

#[test]
fn a_time_that_is_none_is_refused() {
    let sandbox = Sandbox::new().env("MEMDIR_NOW", "yesterday");
    assert_snapshot!(sandbox.run(["path"]), @r#"
    ------- stderr -------
    error: `yesterday` is not a time
      where: the environment variable MEMDIR_NOW
      try: write it like 2026-11-30T09:00:00Z, or unset it
    [exit status: 2]
    "#);
}

#[test]
fn in_the_home_folder_the_users_settings_are_not_taken_for_a_projects() {
    let sandbox = Sandbox::without_memory_dir();
    sandbox.write("home/.claude/settings.json", 0, r#"{"autoMemoryDirectory": "~/m"}"#);
    assert_eq!(sandbox.run_in("home", ["path"], ""), "$TEST_ENV/home/m\n[exit status: 0]\n");
}
