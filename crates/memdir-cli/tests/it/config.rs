use insta::assert_snapshot;

use crate::sandbox::Sandbox;

#[test]
fn every_setting_is_shown_with_its_origin() {
    let sandbox = Sandbox::without_memory_dir();
    assert_snapshot!(sandbox.run(["config"]), @"");
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
    assert_snapshot!(sandbox.run(["config", "--layout", "claude-code"]), @"");
    assert_snapshot!(sandbox.run(["config", "--json"]), @"");
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
    assert_snapshot!(with("memory-dir = \"~/m\"\n"), @"");
    assert_snapshot!(with("memory_dir = 3\n"), @"");
    assert_snapshot!(with("memory_dir = \"~/m\n"), @"");
}

#[test]
fn a_broken_settings_file_of_the_client_is_named_and_passed_over() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", 0, "{\"autoMemoryEnabled\": fals");
    assert_snapshot!(sandbox.run(["path"]), @"");
}

#[test]
fn a_time_that_is_none_is_refused() {
    let sandbox = Sandbox::new().env("MEMDIR_NOW", "yesterday");
    assert_snapshot!(sandbox.run(["path"]), @"");
}
