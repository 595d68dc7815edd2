//! Entering hooks into a client's settings: the file on disk, its backup, and what is refused.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::sandbox::{Sandbox, done, names};

const USER: &str = "home/.claude/settings.json";
const SETTINGS: &str = "{\n  \"model\": \"opus\"\n}\n";
const INIT: [&str; 2] = ["init", "claude-code"];
const REMOVE: [&str; 3] = ["init", "claude-code", "--remove"];

/// Runs in the project; the path of the program under test is `$MEMDIR`.
fn run(sandbox: &Sandbox, args: &[&str]) -> String {
    sandbox.run(args).replace(env!("CARGO_BIN_EXE_memdir"), "$MEMDIR")
}

#[test]
fn hooks_are_entered_once_and_come_out_without_a_trace() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, SETTINGS);
    assert_snapshot!(run(&sandbox, &["init", "claude-code", "--dry-run"]), @r#"
    --- $TEST_ENV/home/.claude/settings.json
    +++ $TEST_ENV/home/.claude/settings.json
    @@ -1,3 +1,35 @@
     {
    -  "model": "opus"
    +  "model": "opus",
    +  "hooks": {
    +    "UserPromptSubmit": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "$MEMDIR",
    +            "args": [
    +              "hook",
    +              "user-prompt-submit"
    +            ],
    +            "timeout": 5
    +          }
    +        ]
    +      }
    +    ],
    +    "SessionStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "$MEMDIR",
    +            "args": [
    +              "hook",
    +              "session-start"
    +            ],
    +            "timeout": 5
    +          }
    +        ]
    +      }
    +    ]
    +  }
     }
    [exit status: 0]
    "#);
    assert_eq!(sandbox.read(USER), SETTINGS);
    assert_snapshot!(run(&sandbox, &INIT), @"
    entered the hooks in $TEST_ENV/home/.claude/settings.json; before them it was as in $TEST_ENV/home/.claude/settings.json.before-memdir
    [exit status: 0]
    ");
    let entered = sandbox.read(USER);
    assert_eq!(sandbox.read(&format!("{USER}.before-memdir")), SETTINGS);
    assert_snapshot!(run(&sandbox, &INIT), @"
    nothing to do: the hooks are in $TEST_ENV/home/.claude/settings.json
    [exit status: 0]
    ");
    assert_eq!(sandbox.read(USER), entered);
    let shown = run(&sandbox, &["init", "claude-code", "--remove", "--dry-run"]);
    assert!(shown.contains("\n-            \"timeout\": 5\n"), "{shown}");
    assert_eq!(sandbox.read(USER), entered);
    assert_snapshot!(run(&sandbox, &REMOVE), @"
    took the hooks out of $TEST_ENV/home/.claude/settings.json, which is as it was before
    [exit status: 0]
    ");
    assert_eq!(sandbox.read(USER), SETTINGS);
    assert_snapshot!(run(&sandbox, &REMOVE), @"
    nothing to do: no hook of memdir is in $TEST_ENV/home/.claude/settings.json
    [exit status: 0]
    ");
    assert_eq!(names(&sandbox.path("home")), [".claude/settings.json"]);
}

#[test]
fn a_file_that_was_not_there_is_gone_again() {
    let sandbox = Sandbox::new();
    for (scope, file) in [
        ("user", "home/.claude/settings.json"),
        ("project", "project/.claude/settings.json"),
        ("local", "project/.claude/settings.local.json"),
    ] {
        let ran = run(&sandbox, &["init", "claude-code", "--scope", scope]);
        assert_eq!(ran, format!("entered the hooks in $TEST_ENV/{file}\n[exit status: 0]\n"));
        let settings: Value = serde_json::from_str(&sandbox.read(file)).unwrap();
        let command = settings.pointer("/hooks/SessionStart/0/hooks/0/command").unwrap();
        assert_eq!(command, env!("CARGO_BIN_EXE_memdir"));
        let ran = run(&sandbox, &["init", "claude-code", "--scope", scope, "--remove"]);
        assert_eq!(
            ran,
            format!("removed $TEST_ENV/{file}, which held nothing else\n[exit status: 0]\n")
        );
        assert!(!sandbox.path(file).exists());
    }
}

#[test]
fn what_the_owner_changed_meanwhile_stays() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, SETTINGS);
    run(&sandbox, &INIT);
    let changed = sandbox.read(USER).replace("opus", "haiku");
    sandbox.write(USER, 0, changed);
    assert_snapshot!(run(&sandbox, &REMOVE), @"
    took the hooks out of $TEST_ENV/home/.claude/settings.json; $TEST_ENV/home/.claude/settings.json.before-memdir is left as it is
    [exit status: 0]
    ");
    assert_eq!(sandbox.read(USER), SETTINGS.replace("opus", "haiku"));
    // A backup of another time is no hindrance, and is not touched.
    run(&sandbox, &INIT);
    assert_eq!(sandbox.read(&format!("{USER}.before-memdir")), SETTINGS);
    assert_eq!(sandbox.read(&format!("{USER}.before-memdir-2")), SETTINGS.replace("opus", "haiku"));
    run(&sandbox, &REMOVE);
    let left = [".claude/settings.json", ".claude/settings.json.before-memdir"];
    assert_eq!(names(&sandbox.path("home")), left);
}

#[test]
fn the_path_follows_the_program() {
    let sandbox = Sandbox::new();
    run(&sandbox, &INIT);
    let entered = sandbox.read(USER);
    sandbox.write(USER, 0, entered.replace(env!("CARGO_BIN_EXE_memdir"), "/old/memdir"));
    assert_snapshot!(run(&sandbox, &INIT), @"
    changed the command of the hooks in $TEST_ENV/home/.claude/settings.json
    [exit status: 0]
    ");
    assert_eq!(sandbox.read(USER), entered);
    // Where a shell finds it by its name, the name is enough, also when it moves later.
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_memdir")).parent().unwrap();
    let sandbox = sandbox.env("PATH", format!("/nowhere:{}:/usr/bin", folder.display()));
    run(&sandbox, &INIT);
    assert_eq!(sandbox.read(USER), entered.replace(env!("CARGO_BIN_EXE_memdir"), "memdir"));
    // Not where each folder may have a program of that name.
    for path in [".:", ":", "bin:"] {
        let sandbox = Sandbox::new().env("PATH", format!("{path}{}", folder.display()));
        run(&sandbox, &INIT);
        assert_eq!(sandbox.read(USER), entered, "{path}");
    }
}

#[test]
fn no_file_that_is_named_like_a_backup_is_overwritten_or_removed() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, SETTINGS);
    let (first, third) = (format!("{USER}.before-memdir"), format!("{USER}.before-memdir-3"));
    sandbox.write(&first, 0, "MY OWN\n");
    fs::create_dir(sandbox.path(&format!("{USER}.before-memdir-2"))).unwrap();
    assert_snapshot!(run(&sandbox, &INIT), @"
    entered the hooks in $TEST_ENV/home/.claude/settings.json; before them it was as in $TEST_ENV/home/.claude/settings.json.before-memdir-3
    [exit status: 0]
    ");
    assert_eq!([&first, &third].map(|file| sandbox.read(file)), ["MY OWN\n", SETTINGS]);
    assert_snapshot!(run(&sandbox, &REMOVE), @"
    took the hooks out of $TEST_ENV/home/.claude/settings.json, which is as it was before
    [exit status: 0]
    ");
    assert_eq!([USER, &first].map(|file| sandbox.read(file)), [SETTINGS, "MY OWN\n"]);
    assert!(!sandbox.path(&third).exists());
    // Also where there were no settings before.
    fs::remove_file(sandbox.path(USER)).unwrap();
    run(&sandbox, &INIT);
    assert_snapshot!(run(&sandbox, &REMOVE), @"
    removed $TEST_ENV/home/.claude/settings.json, which held nothing else; $TEST_ENV/home/.claude/settings.json.before-memdir is left as it is
    [exit status: 0]
    ");
    assert_eq!(names(&sandbox.path("home")), [".claude/settings.json.before-memdir"]);
    assert_eq!(sandbox.read(&first), "MY OWN\n");
}

#[cfg(unix)]
#[test]
fn no_link_that_is_named_like_a_backup_is_followed_or_replaced() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, SETTINGS);
    sandbox.write("mine", 0, SETTINGS);
    let backup = sandbox.path(&format!("{USER}.before-memdir"));
    std::os::unix::fs::symlink(sandbox.path("mine"), &backup).unwrap();
    run(&sandbox, &INIT);
    run(&sandbox, &REMOVE);
    assert_eq!(fs::read_link(backup).unwrap(), sandbox.path("mine"));
    assert_eq!([USER, "mine"].map(|file| sandbox.read(file)), [SETTINGS, SETTINGS]);
}

#[test]
fn what_is_said_is_what_was_done() {
    let sandbox = Sandbox::new();
    run(&sandbox, &INIT);
    let entered: Value = serde_json::from_str(&sandbox.read(USER)).unwrap();
    let edit = |change: &dyn Fn(&mut Value)| {
        let mut settings = entered.clone();
        change(&mut settings["hooks"]);
        sandbox.write(USER, 0, settings.to_string());
        run(&sandbox, &INIT)
    };
    let told = edit(&|hooks| drop(hooks.as_object_mut().unwrap().remove("SessionStart")));
    assert!(told.starts_with("entered the hook SessionStart in $TEST_ENV"), "{told}");
    let by_hand = serde_json::json!({"command": "memdir hook user-prompt-submit"});
    let told = edit(&|hooks| hooks["UserPromptSubmit"][0]["hooks"][0] = by_hand.clone());
    assert!(told.starts_with("changed the command of the hook UserPromptSubmit in"), "{told}");
    let hooks: Value = serde_json::from_str(&sandbox.read(USER)).unwrap();
    let command = format!("{} hook user-prompt-submit", env!("CARGO_BIN_EXE_memdir"));
    let expect = serde_json::json!([{"hooks": [{ "command": command }]}]);
    assert_eq!(hooks["hooks"]["UserPromptSubmit"], expect);
    run(&sandbox, &REMOVE);
    assert!(!sandbox.read(USER).contains("memdir"));
}

#[test]
fn hooks_that_the_client_will_not_run_are_told_by_init_and_by_why() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, "{\"disableAllHooks\": true}\n");
    let told = run(&sandbox, &INIT);
    assert!(told.contains("warning: the client runs no hooks, and these neither"), "{told}");
    let why = run(&sandbox, &["why"]);
    assert!(
        why.contains("now: the client runs no hooks\n  why: `disableAllHooks` is on ("),
        "{why}"
    );
    sandbox.write(USER, 0, "{\"disableAllHooks\": false}\n");
    let told = [run(&sandbox, &INIT), run(&sandbox, &["why"])].concat();
    assert!(!told.contains("no hooks"), "{told}");
}

#[test]
fn an_agent_may_look_at_what_init_would_do_and_not_do_it() {
    let sandbox = Sandbox::new().env("CLAUDECODE", "1");
    let dry = run(&sandbox, &["init", "claude-code", "--dry-run"]);
    assert!(dry.contains("+++ ") && dry.contains("user-prompt-submit"), "{dry}");
    for args in [&INIT[..], &REMOVE[..]] {
        let refused = run(&sandbox, args);
        assert!(refused.contains("only a person may change what a client runs"), "{refused}");
        assert!(refused.contains("[exit status: 3]"), "{refused}");
    }
    assert!(!sandbox.path(USER).exists());
}

#[test]
fn hooks_use_the_directory_and_the_layout_that_init_is_given() {
    let sandbox = Sandbox::without_memory_dir();
    let options = ["init", "claude-code", "--memory-dir", "../mine", "--layout", "memdir"];
    done(&run(&sandbox, &options));
    let settings: Value = serde_json::from_str(&sandbox.read(USER)).unwrap();
    let args = &settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["args"];
    let directory = sandbox.path("mine");
    let expect = ["hook", "user-prompt-submit", "--memory-dir", directory.to_str().unwrap()];
    assert_eq!(*args, serde_json::json!([&expect[..], &["--layout", "memdir"]].concat()));
    assert!(run(&sandbox, &options).starts_with("nothing to do"), "a second time nothing changes");
}

#[test]
fn a_dry_run_prints_no_key_of_the_settings() {
    let sandbox = Sandbox::new();
    // Put together here, so that nobody who looks for keys finds one in this file.
    let key = ["gh", "p_", "x7Kq2mZ9vT4wB8nR1sY6cL3dF5gH0jPaQeUi"].concat();
    for text in [
        format!("{{\"env\":{{\"GITHUB_TOKEN\":\"{key}\"}}}}"),
        format!("{{\n  \"env\": {{\n    \"GITHUB_TOKEN\": \"{key}\"\n  }}\n}}\n"),
    ] {
        sandbox.write(USER, 0, &text);
        let told = run(&sandbox, &["init", "claude-code", "--dry-run"]);
        assert!(told.contains("\"GITHUB_TOKEN\"") && told.contains("user-prompt-submit"), "{told}");
        assert!(!told.contains(&key), "{told}");
    }
}

#[test]
fn a_program_of_another_name_enters_its_hooks_once() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, SETTINGS);
    let program = sandbox.path("mdr");
    fs::copy(env!("CARGO_BIN_EXE_memdir"), &program).unwrap();
    let run = |args: &[&str]| sandbox.show(&sandbox.output_of(&program, "project", args, b""));
    assert!(run(&INIT).starts_with("entered the hooks"));
    assert!(run(&INIT).starts_with("nothing to do"));
    assert!(run(&REMOVE).starts_with("took the hooks out"));
    assert_eq!(sandbox.read(USER), SETTINGS);
}

#[test]
fn settings_that_are_none_are_left_alone_with_the_reason() {
    let check = |text: &[u8]| {
        let sandbox = Sandbox::new();
        sandbox.write(USER, 0, text);
        let told = [&INIT[..], &REMOVE].map(|args| run(&sandbox, args));
        assert_eq!(told[0], told[1]);
        assert_eq!(fs::read(sandbox.path(USER)).unwrap(), text);
        assert_eq!(names(&sandbox.path("home")), [".claude/settings.json"]);
        told[0].clone()
    };
    assert_snapshot!(check(b"{\n  // mine\n}\n"), @"
    ------- stderr -------
    error: the settings are not JSON, so they are left as they are
      where: $TEST_ENV/home/.claude/settings.json
      why: key must be a string at line 2 column 3
      try: mend the file; the client does not understand it either
    [exit status: 3]
    ");
    assert!(check(b"").contains("the settings are not JSON"));
    assert!(check(b"{\"a\": \"\xff\"}").contains("the settings are not UTF-8"));
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, "{\"hooks\": []}");
    assert_snapshot!(run(&sandbox, &INIT), @"
    ------- stderr -------
    error: `hooks` is not an object, so the settings are left as they are
      where: $TEST_ENV/home/.claude/settings.json
      try: mend the file; the client does not understand it either
    [exit status: 3]
    ");
}

#[cfg(unix)]
#[test]
fn no_link_is_written_through_to_another_folder() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.write("elsewhere/settings.json", 0, SETTINGS);
    fs::create_dir(sandbox.path("home/.claude")).unwrap();
    symlink(sandbox.path("elsewhere/settings.json"), sandbox.path(USER)).unwrap();
    assert_snapshot!(run(&sandbox, &INIT), @"
    ------- stderr -------
    error: the settings are not written through a link
      where: $TEST_ENV/home/.claude/settings.json
      why: it leads to $TEST_ENV/elsewhere/settings.json
      try: enter the hooks where the link leads, or put a file in its place
    [exit status: 3]
    ");
    symlink(sandbox.path("elsewhere"), sandbox.path("project/.claude")).unwrap();
    for scope in ["project", "local"] {
        let ran = run(&sandbox, &["init", "claude-code", "--scope", scope]);
        assert!(ran.contains("why: the folder is a link out of the project"), "{ran}");
    }
    fs::remove_file(sandbox.path(USER)).unwrap();
    symlink("nowhere.json", sandbox.path(USER)).unwrap();
    assert!(run(&sandbox, &INIT).contains("why: it leads to nothing"));
    assert_eq!(names(&sandbox.path("elsewhere")), ["settings.json"]);
    assert_eq!(sandbox.read("elsewhere/settings.json"), SETTINGS);
    // Within the folder the file behind the link is the one.
    fs::remove_file(sandbox.path(USER)).unwrap();
    sandbox.write("home/.claude/real.json", 0, SETTINGS);
    symlink("real.json", sandbox.path(USER)).unwrap();
    run(&sandbox, &INIT);
    assert!(fs::symlink_metadata(sandbox.path(USER)).unwrap().is_symlink());
    assert!(sandbox.read("home/.claude/real.json").contains("user-prompt-submit"));
    run(&sandbox, &REMOVE);
    assert_eq!(sandbox.read("home/.claude/real.json"), SETTINGS);
}

#[cfg(unix)]
#[test]
fn the_file_stays_as_private_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |sandbox: &Sandbox, path: &str| {
        fs::metadata(sandbox.path(path)).unwrap().permissions().mode() & 0o7777
    };
    let backup = format!("{USER}.before-memdir");
    for bits in [0o600, 0o640, 0o664] {
        let sandbox = Sandbox::new();
        sandbox.write(USER, 0, SETTINGS);
        fs::set_permissions(sandbox.path(USER), fs::Permissions::from_mode(bits)).unwrap();
        run(&sandbox, &INIT);
        assert_eq!([mode(&sandbox, USER), mode(&sandbox, &backup)], [bits, bits]);
        run(&sandbox, &REMOVE);
        assert_eq!(mode(&sandbox, USER), bits);
    }
    let sandbox = Sandbox::new();
    run(&sandbox, &INIT);
    assert_eq!([mode(&sandbox, "home/.claude"), mode(&sandbox, USER)], [0o700, 0o600]);
}

#[cfg(unix)]
#[test]
fn where_it_cannot_be_written_nothing_is_changed_and_nothing_left_behind() {
    let sandbox = Sandbox::new();
    let settings = format!("{{\"long\": \"{}\"}}\n", "x".repeat(5_000));
    sandbox.write(USER, 0, &settings);
    let ran = sandbox.run_limited(&INIT);
    assert!(
        ran.contains("error: the settings cannot be written\n")
            && ran.ends_with("[exit status: 4]\n"),
        "{ran}"
    );
    assert_eq!(names(&sandbox.path("home")), [".claude/settings.json"]);
    assert_eq!(sandbox.read(USER), settings);
}

#[cfg(unix)]
#[test]
fn what_a_killed_call_left_is_swept_by_the_next_one_and_nothing_else_is() {
    let sandbox = Sandbox::new();
    sandbox.write(USER, 0, SETTINGS);
    let mut ended = std::process::Command::new("true").spawn().unwrap();
    assert!(ended.wait().unwrap().success());
    let left = format!("{USER}.{}.tmp", ended.id());
    sandbox.write(&left, 0, "half");
    let others = [
        format!("{USER}.{}.tmp", std::process::id()),
        format!("{USER}.0{}.tmp", ended.id()),
        format!("{USER}.mine.tmp"),
        format!("home/.claude/settings.local.json.{}.tmp", ended.id()),
    ];
    for other in &others {
        sandbox.write(other, 0, "another's");
    }
    run(&sandbox, &["init", "claude-code", "--dry-run"]);
    assert_eq!(sandbox.read(&left), "half");
    run(&sandbox, &INIT);
    assert!(!names(&sandbox.path("")).contains(&left));
    for other in &others {
        assert_eq!(sandbox.read(other), "another's", "{other}");
    }
}
