//! `--memory-dir`: the directory that a person names.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, done, names, save, with};

#[test]
fn flag_goes_before_environment_and_both_before_settings() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", 0, r#"{"autoMemoryDirectory": "~/mem"}"#);
    assert_eq!(sandbox.run(["path"]), "$TEST_ENV/memory\n[exit status: 0]\n");
    assert_eq!(sandbox.run(["path", "--memory-dir", "/data/mem"]), "/data/mem\n[exit status: 0]\n");
    assert_eq!(
        sandbox.run(["path", "--memory-dir", "../other/./mem"]),
        "$TEST_ENV/other/mem\n[exit status: 0]\n"
    );
    let sandbox = sandbox.env("MEMDIR_MEMORY_DIR", "");
    assert_eq!(sandbox.run(["path"]), "$TEST_ENV/home/mem\n[exit status: 0]\n");
}

/// Every verb reads the same directory, from wherever it is named.
#[test]
fn a_relative_directory_is_created_below_the_current_folder() {
    let sandbox = Sandbox::without_memory_dir();
    let save = with(&save("n", "b"), &["--memory-dir", "../../mine/./memory"]);
    done(&sandbox.run_in("project/src", save, ""));
    assert_eq!(names(&sandbox.path("mine/memory")), ["MEMORY.md", "user_n.md"]);
    let list = ["list", "--memory-dir", "../mine/memory"];
    assert!(sandbox.run(list).contains("user_n.md"));
    assert_eq!(names(&sandbox.path("home")), [""; 0], "nothing is written elsewhere");
}

/// They are refused as in the environment and in settings, not taken for names below the current folder.
#[cfg(unix)]
#[test]
fn a_share_or_a_drive_is_no_relative_directory() {
    let sandbox = Sandbox::without_memory_dir();
    for dir in [r"\\srv\x", r"C:\x", "c:/x"] {
        let flag = sandbox.run(["path", "--memory-dir", dir]);
        assert!(flag.contains("is refused: "), "{flag}");
        assert!(!flag.contains("$TEST_ENV/project/"), "{flag}");
    }
    assert_eq!(
        sandbox.run(["path", "--memory-dir", "a:b"]),
        "$TEST_ENV/project/a:b\n[exit status: 0]\n"
    );
}

/// Whose memory it is was said already.
#[cfg(unix)]
#[test]
fn a_directory_that_is_named_needs_no_project() {
    let sandbox = Sandbox::without_memory_dir();
    sandbox.memorize("a.md", 1, "user", "a", "alpha", "b");
    let memory = sandbox.memory();
    let named = ["--memory-dir", memory.to_str().unwrap()];
    let save = ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b"];
    assert!(sandbox.run_nowhere(&[&save[..], &named].concat()).ends_with("[exit status: 0]\n"));
    assert_snapshot!(sandbox.run_nowhere(&[&["path", "--json"][..], &named].concat()), @r#"
    {
      "directory": "$TEST_ENV/memory",
      "exists": "directory",
      "layout": "claude-code",
      "project": null,
      "refusals": [],
      "source": "flag",
      "warnings": []
    }
    [exit status: 0]
    "#);
    let status = sandbox.run_nowhere(&[&["status"][..], &named].concat());
    assert_snapshot!(status.lines().take(3).collect::<Vec<_>>().join("\n"), @"
    directory  $TEST_ENV/memory (`--memory-dir`)
    project    none, as the current folder cannot be read
    memories   2 (2 user)
    ");
    assert_snapshot!(sandbox.run_nowhere(&["list"]), @"
    ------- stderr -------
    error: the current folder cannot be read
      why: No such file or directory (os error 2)
      try: cd to a folder that exists, or name --project DIR or --memory-dir DIR by an absolute path
    [exit status: 4]
    ");
    assert_snapshot!(sandbox.run_nowhere(&["list", "--memory-dir", "memory"]), @"
    ------- stderr -------
    error: the current folder cannot be read
      why: No such file or directory (os error 2)
      try: cd to a folder that exists, or name --project DIR or --memory-dir DIR by an absolute path
    [exit status: 4]
    ");
    assert_snapshot!(sandbox.run_nowhere(&[&["verify"][..], &named].concat()), @"
    ------- stderr -------
    error: there is no project to look in
      why: the current folder cannot be read
      try: name one with --project DIR
    [exit status: 2]
    ");
}
