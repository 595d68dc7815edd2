//! Whatever is wrong, the agent is left alone, and what it was is noted.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{ASK, call, config, input, sandbox, start, submit, told};
use crate::sandbox::Sandbox;
use crate::sessions::slug;

/// A device that takes nothing, and a reader that is gone.
#[cfg(target_os = "linux")]
#[test]
fn what_did_not_get_to_the_client_comes_again() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap().into();
    let closed = || std::io::pipe().unwrap().1.into();
    for stdout in [full as fn() -> std::process::Stdio, closed] {
        let sandbox = sandbox();
        let ask = input(&sandbox, "s1", ASK).to_string();
        let status =
            sandbox.status_to("home", ["hook", "user-prompt-submit"], ask.as_bytes(), stdout());
        assert_eq!(status.code(), Some(0));
        insta::allow_duplicates! {
                assert_snapshot!(sandbox.run(["why"]), @"
        recall: found a memory that did not get to the agent, because the client no longer took what the hook said
          - db.md
          when: 2026-11-30T09:00:00Z, conversation s1
          try: it comes again with the next prompt that it fits
        [exit status: 0]
        ");
        }
        assert_eq!(told(&submit(&sandbox, "s1", ASK)), ["db.md"]);
        assert!(sandbox.run(["why"]).starts_with("recall: showed a memory\n"));
        assert_eq!(submit(&sandbox, "s1", ASK), "");
    }
}

#[test]
fn what_cannot_be_understood_is_noted_and_nothing_is_said() {
    let whole = input(&sandbox(), "s1", ASK).to_string();
    let inputs: [&[u8]; 8] = [
        b"",
        b"not JSON",
        &whole.as_bytes()[..whole.len() / 2],
        b"[]",
        b"{}",
        br#"{"prompt": 1, "cwd": 2, "session_id": {}}"#,
        b"\xff\xfe\0",
        &b"[".repeat(100_000),
    ];
    for input in inputs {
        let sandbox = sandbox();
        let shown = String::from_utf8_lossy(input);
        for moment in ["user-prompt-submit", "session-start"] {
            assert_eq!(call(&sandbox, moment, input), "", "{shown}");
        }
        let why = sandbox.run_in("home", ["why"], "");
        assert!(
            why.starts_with(
                "recall: could not look, because what the client said could not be understood\n"
            ),
            "{shown}: {why}"
        );
    }
    // Half a surrogate pair is no reason.
    let sandbox = sandbox();
    let whole = input(&sandbox, "s1", ASK).to_string();
    let half = whole.replace("how do", "\\ud83d how do");
    assert_eq!(told(&call(&sandbox, "user-prompt-submit", half)), ["db.md"]);
}

#[test]
fn a_hook_of_a_later_version_does_not_stop_the_agent() {
    let sandbox = sandbox();
    let ran = sandbox.run_in("project", ["hook", "stop-the-world"], "{}");
    assert!(ran.ends_with("[exit status: 0]\n") && ran.starts_with("------- stderr"), "{ran}");
    assert!(sandbox.run(["hook", "user-prompt-submit", "--help"]).contains("Usage: memdir hook"));
    let with_options = ["--memory-dir", "../memory", "hook", "user-prompt-submit"];
    let output = sandbox.output_in(
        "project",
        with_options,
        input(&sandbox, "s1", ASK).to_string().as_bytes(),
    );
    assert_eq!(told(&String::from_utf8(output.stdout).unwrap()), ["db.md"]);
}

#[test]
fn a_variable_that_a_hook_does_not_need_does_not_silence_it() {
    for (name, value) in [("MEMDIR_LOCK_WAIT", "abc"), ("MEMDIR_NOW", "soon")] {
        let sandbox = sandbox().env(name, value);
        assert_eq!(told(&submit(&sandbox, "s1", ASK)), ["db.md"], "{name}");
        assert!(sandbox.run(["why"]).contains("[exit status: 2]"), "{name}");
    }
}

#[test]
fn what_is_wrong_is_told_to_the_person_once_a_conversation() {
    let sandbox = sandbox();
    config(&sandbox, "recall = \n");
    let output = sandbox.output_in(
        "home",
        ["hook", "session-start"],
        json!({"session_id": "s1", "cwd": sandbox.path("project"), "source": "startup"})
            .to_string()
            .as_bytes(),
    );
    assert_snapshot!(sandbox.show(&output), @r#"
    {
      "systemMessage": "memdir: the configuration is not TOML\n  where: $TEST_ENV/home/.config/memdir/config.toml\n  why: line 1: string values must be quoted, expected literal string"
    }
    [exit status: 0]
    "#);
    for source in ["resume", "compact", "clear"] {
        assert_eq!(start(&sandbox, "s1", source), "", "{source}");
    }
}

/// What is not told by a decision, `why` tells from how things stand.
#[test]
fn whatever_is_wrong_the_agent_is_left_alone_and_why_says_what_it_was() {
    let check = |broken: &dyn Fn(&Sandbox), expect: &str| {
        let sandbox = sandbox();
        broken(&sandbox);
        assert_eq!(submit(&sandbox, "s1", ASK), "", "{expect}");
        let why = sandbox.run(["why"]);
        assert!(why.contains(expect) && why.ends_with("[exit status: 0]\n"), "{expect}: {why}");
        let why: Value = serde_json::from_slice(&sandbox.output(["why", "--json"]).stdout).unwrap();
        let told = why.to_string();
        let expect = expect.split_once(": ").unwrap().1.lines().next().unwrap();
        assert!(told.contains(expect), "{expect}: {told}");
    };
    check(
        &|sandbox| config(sandbox, "recall = \n"),
        "recall: could not look, because settings or environment named no memory directory that can be used\n",
    );
    check(&|sandbox| config(sandbox, "recall = \n"), "now: the configuration is not TOML\n");
    check(&|sandbox| config(sandbox, "recall = false\n"), "now: recall is switched off\n");
    check(&|sandbox| config(sandbox, "auto_memory = false\n"), "now: recall is switched off\n");
    check(
        &|sandbox| fs::remove_dir_all(sandbox.memory()).unwrap(),
        "now: there is no memory directory yet\n",
    );
    check(
        &|sandbox| in_the_way(sandbox, "memory"),
        "recall: could not look, because the memory directory, or memdir's folder in it, is none\n",
    );
    check(
        &|sandbox| in_the_way(sandbox, "memory/.memdir"),
        "recall: silent, because what it does could not be noted in the memory directory: \
         the memory directory, or memdir's folder in it, is none\n",
    );
    check(
        &|sandbox| fs::create_dir_all(sandbox.path("memory/.memdir/events.jsonl")).unwrap(),
        "recall: silent, because what it does could not be noted in the memory directory: the disk failed\n",
    );
    check(
        &|sandbox| {
            for name in ["db.md", "tea.md"] {
                fs::remove_file(sandbox.memory().join(name)).unwrap();
            }
        },
        "recall: silent, because there are no memories\n",
    );
    // What is the client's own to complain about is passed over.
    let sandbox = sandbox();
    fs::create_dir_all(sandbox.path("home/.claude")).unwrap();
    fs::write(sandbox.path("home/.claude/settings.json"), "{").unwrap();
    assert_eq!(told(&submit(&sandbox, "s1", ASK)), ["db.md"]);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_or_written_is_noted_elsewhere() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |sandbox: &Sandbox, path: &str, mode| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let probe = sandbox();
    mode(&probe, "memory/db.md", 0);
    if fs::read(probe.memory().join("db.md")).is_ok() {
        eprintln!("skipped: needs a plain user: root reads and writes everything");
        return;
    }
    assert_eq!(submit(&probe, "s1", ASK), "");
    assert_snapshot!(probe.run(["why"]), @"
    recall: silent, because no memory has a word of the question
      could not be read: db.md; memdir check tells more
      when: 2026-11-30T09:00:00Z, conversation s1
      try: give the memory that was missed the words that you use: memdir edit NAME --description TEXT; memdir recall \"your words\" shows what they find
    [exit status: 0]
    ");
    for (folder, bits, expect) in [
        ("memory", 0, "could not look, because the memory directory may not be read or written"),
        (
            "memory",
            0o500,
            "silent, because what it does could not be noted in the memory directory: \
             the memory directory may not be read or written",
        ),
    ] {
        let sandbox = sandbox();
        mode(&sandbox, folder, bits);
        assert_eq!(submit(&sandbox, "s1", ASK), "", "{bits:o}");
        mode(&sandbox, folder, 0o700);
        let why = sandbox.run(["why"]);
        assert!(why.starts_with(&format!("recall: {expect}\n")), "{bits:o}: {why}");
    }
}

#[test]
fn nothing_is_taken_from_or_noted_in_the_memory_of_another_project() {
    let sandbox = Sandbox::without_memory_dir();
    let directory = sandbox.run(["path"]);
    let slug = "home/.claude/projects/".to_owned() + &slug(&sandbox.path("project"));
    assert!(directory.contains("$SLUG"), "{directory}");
    let text = "---\nname: database tests\ndescription: test against the database\n---\n\nx\n";
    sandbox.write(&format!("{slug}/memory/db.md"), 0, text);
    let other = sandbox.path("home");
    let record = json!({ "root": other }).to_string();
    sandbox.write(&format!("{slug}/memory/.memdir/project.json"), 0, record);
    assert_eq!(submit(&sandbox, "s1", ASK), "");
    let start = start(&sandbox, "s1", "startup");
    assert!(start.contains("belongs to another project"), "{start}");
    assert!(!sandbox.path(&format!("{slug}/memory/.memdir/events.jsonl")).exists());
    let why = sandbox.run(["why"]);
    assert!(
        why.starts_with(
            "recall: could not look, because the memory directory belongs to another project\n"
        ),
        "{why}"
    );
}

#[test]
fn why_does_not_advise_a_save_that_would_be_refused() {
    let sandbox = Sandbox::without_memory_dir();
    let slug = "home/.claude/projects/".to_owned() + &slug(&sandbox.path("project"));
    let line = json!({ "type": "user", "sessionId": "s", "cwd": sandbox.path("home") });
    sandbox.write(&format!("{slug}/s.jsonl"), 0, format!("{line}\n"));
    let why = sandbox.run(["why"]);
    assert!(why.starts_with("now: the memory directory belongs to another project\n"), "{why}");
    assert!(!why.contains("memdir save"), "{why}");
}

#[test]
fn a_home_that_is_not_absolute_is_none_and_nothing_is_written_there() {
    let sandbox = Sandbox::without_memory_dir().env("HOME", "rel");
    let ask = json!({ "session_id": "s1", "prompt": ASK }).to_string();
    let output = sandbox.output_in("project/src", ["hook", "user-prompt-submit"], ask.as_bytes());
    assert_eq!((output.status.code(), output.stdout), (Some(0), Vec::new()));
    assert!(!sandbox.path("project/src/rel").exists());
    let told = sandbox.run(["path"]);
    assert!(told.contains("the home folder is not known"), "{told}");
}

/// A file where a folder should be.
fn in_the_way(sandbox: &Sandbox, path: &str) {
    let path = sandbox.path(path);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::write(path, "in the way\n").unwrap();
}
