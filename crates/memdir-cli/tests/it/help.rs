//! Help, completions and manual.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

const VERBS: [&str; 24] = [
    "init",
    "path",
    "list",
    "show",
    "save",
    "edit",
    "forget",
    "inbox",
    "recall",
    "prompt",
    "context",
    "check",
    "verify",
    "status",
    "transcript",
    "rules",
    "agent",
    "log",
    "undo",
    "why",
    "config",
    "hook",
    "completions",
    "man",
];

#[test]
fn the_help_names_every_verb_every_variable_and_every_exit_code() {
    assert_snapshot!("help__memdir", Sandbox::new().run(["--help"]));
}

#[test]
fn every_verb_explains_itself() {
    let sandbox = Sandbox::new();
    for verb in VERBS {
        assert_snapshot!(format!("help__{verb}"), sandbox.run([verb, "--help"]));
    }
}

#[test]
fn every_part_of_transcript_explains_itself() {
    let sandbox = Sandbox::new();
    for part in ["list", "show", "resume", "stats", "verify", "repair", "export"] {
        assert_snapshot!(
            format!("help__transcript_{part}"),
            sandbox.run(["transcript", part, "--help"])
        );
    }
}

#[test]
fn every_part_of_rules_explains_itself() {
    let sandbox = Sandbox::new();
    for part in ["list", "show", "match", "check"] {
        assert_snapshot!(format!("help__rules_{part}"), sandbox.run(["rules", part, "--help"]));
    }
}

#[test]
fn every_part_of_agent_explains_itself() {
    let sandbox = Sandbox::new();
    let parts = [
        "list",
        "path",
        "prompt",
        "snapshot",
        "snapshot status",
        "snapshot init",
        "snapshot save",
        "snapshot merge",
    ];
    for part in parts {
        let args = ["agent"].into_iter().chain(part.split(' ')).chain(["--help"]);
        assert_snapshot!(format!("help__agent_{}", part.replace(' ', "_")), sandbox.run(args));
    }
}

#[test]
fn every_part_of_inbox_explains_itself() {
    let sandbox = Sandbox::new();
    for part in ["list", "show", "apply", "dismiss"] {
        assert_snapshot!(format!("help__inbox_{part}"), sandbox.run(["inbox", part, "--help"]));
    }
}

#[test]
fn nothing_at_all_is_answered_with_the_short_help_and_exit_2() {
    let ran = Sandbox::new().run([""; 0]);
    assert!(ran.contains("Usage: memdir"), "{ran}");
    assert!(ran.ends_with("[exit status: 2]\n"), "{ran}");
}

#[test]
fn completions_name_the_verbs_for_each_shell() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.run(["completions", shell]);
        assert!(VERBS.iter().all(|verb| script.contains(verb)), "{shell}: {script}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_verb() {
    let sandbox = Sandbox::new();
    assert!(sandbox.run(["man"]).starts_with(".ie "));
    let folder = sandbox.path("man");
    std::fs::create_dir(&folder).unwrap();
    assert_snapshot!(sandbox.run(["man", "--dir", folder.to_str().unwrap()]), @"[exit status: 0]");
    for verb in VERBS {
        let page = sandbox.read(&format!("man/memdir-{verb}.1"));
        assert!(page.contains(verb), "{page}");
    }
}

/// What was typed may have been pasted.
#[test]
fn usage_errors_repeat_no_control_characters() {
    let sandbox = Sandbox::new();
    let bad = "x\u{1b}[31m\u{9b}31m\r\u{202e}a\u{200b}b\u{2028}c";
    for args in [&["list", "--type", bad][..], &[bad], &["list", bad], &["edit", "a", "--set", bad]]
    {
        let ran = sandbox.run(args);
        let is_raw =
            |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}\u{2028}".contains(c);
        assert!(!ran.contains(is_raw), "{ran:?}");
        assert!(ran.ends_with("[exit status: 2]\n"), "{ran:?}");
    }
}
