//! What `why` tells of the decisions of hooks.

use insta::assert_snapshot;

use super::{ASK, call, sandbox, start, submit};

#[test]
fn why_tells_the_last_decision_of_each_part_and_what_would_change_it() {
    let sandbox = sandbox();
    assert_snapshot!(sandbox.run(["why"]), @"
    ------- stderr -------
    note: nothing was decided here yet: no hook has run, see memdir init --help
    [exit status: 0]
    ");
    start(&sandbox, "s1", "startup");
    submit(&sandbox, "s1", ASK);
    assert_snapshot!(sandbox.run(["why"]), @"
    recall: showed a memory
      - db.md
      when: 2026-11-30T09:00:00Z, conversation s1
    session start: a new conversation
      when: 2026-11-30T09:00:00Z, conversation s1
    [exit status: 0]
    ");
    submit(&sandbox, "s1", "zebra crossing");
    assert_snapshot!(sandbox.run(["why"]), @r#"
    recall: silent, because no memory has a word of the question
      when: 2026-11-30T09:00:00Z, conversation s1
      try: give the memory that was missed the words that you use: memdir edit NAME --description TEXT; memdir recall "your words" shows what they find
    session start: a new conversation
      when: 2026-11-30T09:00:00Z, conversation s1
    [exit status: 0]
    "#);
    assert_snapshot!(sandbox.run(["why", "--json"]), @r#"
    {
      "decisions": [
        {
          "at": "2026-11-30T09:00:00Z",
          "outcome": "silent",
          "part": "recall",
          "reason": "no_match",
          "session": "s1",
          "text": "silent, because no memory has a word of the question",
          "try": "give the memory that was missed the words that you use: memdir edit NAME --description TEXT; memdir recall \"your words\" shows what they find"
        },
        {
          "at": "2026-11-30T09:00:00Z",
          "outcome": "started",
          "part": "session_start",
          "reason": "startup",
          "session": "s1",
          "text": "a new conversation"
        }
      ],
      "now": []
    }
    [exit status: 0]
    "#);
}

#[test]
fn why_takes_the_last_line_for_the_last_decision_whatever_the_clock_said() {
    let sandbox = sandbox().env("MEMDIR_NOW", "2100-01-01T00:00:00Z");
    submit(&sandbox, "s1", "zebra crossing");
    let sandbox = sandbox.env("MEMDIR_NOW", "2026-11-30T09:00:00Z");
    submit(&sandbox, "s1", ASK);
    let told = sandbox.run(["why"]);
    assert!(told.starts_with("recall: showed a memory\n"), "{told}");
}

#[cfg(unix)]
#[test]
fn why_tells_in_a_folder_that_is_gone_what_the_memory_directory_says() {
    let sandbox = sandbox();
    submit(&sandbox, "s1", ASK);
    let memory = sandbox.memory();
    let told = sandbox.run_nowhere(&["--memory-dir", memory.to_str().unwrap(), "why"]);
    assert!(told.starts_with("recall: showed a memory\n"), "{told}");
    assert!(told.contains("now: the current folder cannot be read\n"), "{told}");
    assert!(told.ends_with("[exit status: 0]\n"), "{told}");
}

#[test]
fn why_finds_what_hooks_noted_apart_for_a_project_that_is_named_by_a_relative_path() {
    let sandbox = sandbox();
    call(&sandbox, "user-prompt-submit", b"not JSON");
    let told = sandbox.run_in("", ["--project", "home", "why"], "");
    assert!(told.starts_with("recall: could not look, because "), "{told}");
}
