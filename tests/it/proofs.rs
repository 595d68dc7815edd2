//! What `save` says is so: cli-03.

use std::fs;

use serde_json::json;

use crate::sandbox::{NOW, Ran, Sandbox, leftovers, tree};

const SAVE: [&str; 9] = [
    "save",
    "--type",
    "project",
    "--name",
    "Freeze",
    "--description",
    "No releases before March",
    "--body",
    "Since November.",
];

#[test]
fn a_save_prints_what_is_on_the_disk() {
    let sandbox = Sandbox::new();
    let saved = sandbox.run(SAVE.into_iter().chain(["--json"])).json(0);
    let path = saved["path"].as_str().unwrap();
    let bytes = fs::read(sandbox.memory().join(path)).unwrap();
    let shown = sandbox.run(["show", path, "--json"]).json(0);
    assert_eq!(
        [&saved["action"], &saved["bytes"], &saved["sha256"]],
        [&json!("created"), &json!(bytes.len()), &shown["revision"]],
    );
}

#[test]
fn a_later_process_in_a_sub_folder_sees_what_was_saved() {
    let sandbox = Sandbox::new();
    let run = |folder: &str, args: &[&str]| {
        Ran::of(sandbox.bare_command(folder).args(args).output().unwrap())
    };
    run("project", &SAVE).quietly();
    for folder in ["project", "project/src"] {
        let listed = run(folder, &["list", "--json"]).json(0);
        assert_eq!(listed["memories"][0]["name"], "Freeze");
        assert!(run(folder, &["show", "Freeze"]).quietly().stdout.contains("Since November."));
        let recalled =
            run(folder, &["recall", "are there releases before March?", "--json"]).json(0);
        assert_eq!(recalled["attachments"][0]["path"], listed["memories"][0]["path"]);
    }
}

#[test]
fn the_same_text_saved_twice_is_unchanged_with_one_index_line() {
    let sandbox = Sandbox::new();
    sandbox.run(SAVE).quietly();
    let before = tree(&sandbox.memory());
    let later = sandbox
        .command(SAVE.into_iter().chain(["--json"]))
        .env("MEMDIR_NOW", "2026-12-24T09:00:00Z")
        .output()
        .unwrap();
    assert_ne!(NOW, "2026-12-24T09:00:00Z");
    assert_eq!(Ran::of(later).json(0)["action"], "unchanged");
    assert_eq!(tree(&sandbox.memory()), before);
}

#[test]
fn a_save_is_refused_whole_when_the_index_cannot_be_written() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.memory().join("MEMORY.md")).unwrap();
    let ran = sandbox.run(SAVE);
    assert_eq!(ran.exit, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("MEMORY.md"), "{ran:#?}");
    assert_eq!(tree(&sandbox.memory()), []);
}

#[test]
fn a_full_disk_between_the_two_writes_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    sandbox
        .run([
            "save",
            "--type",
            "user",
            "--name",
            "kept",
            "--description",
            "kept",
            "--body",
            "kept",
        ])
        .quietly();
    let long = "- [other](user_kept.md) — kept\n".repeat(4000);
    sandbox.write("MEMORY.md", &long);
    let before = tree(&sandbox.memory());
    // The memory fits under the limit on file sizes, the index does not; going over it is an error, not a signal.
    let shell = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let mut limited = std::process::Command::new("bash");
    limited.args(["-c", shell]).arg(crate::sandbox::binary()).args(SAVE).env_clear();
    limited
        .env("HOME", sandbox.path("home"))
        .env("MEMDIR_MEMORY_DIR", sandbox.memory())
        .env("PATH", "/usr/bin:/bin");
    let ran = Ran::of(limited.current_dir(sandbox.path("project")).output().unwrap());
    assert_eq!(ran.exit, Some(4), "{ran:#?}");
    assert_eq!(tree(&sandbox.memory()), before);
    assert_eq!(leftovers(&sandbox.memory()), Vec::<String>::new());
}
