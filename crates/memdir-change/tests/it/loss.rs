//! How much a run may take away.

use insta::assert_snapshot;
use memdir_change::Operation;

use crate::kit::{SAID, create, delete, file, files, numbered, person, run, save, verdict};
use crate::verdicts::{auto, update};

#[test]
fn a_run_may_take_away_so_much_and_no_more() {
    let deletes =
        |count: usize| (0..count).map(|number| delete(&format!("m{number:02}.md"))).collect();
    let empties = |count: usize| {
        let empty = |number| update(&format!("m{number:02}.md"), "");
        (0..count).map(empty).collect::<Vec<_>>()
    };
    let held = |memories: usize, operations: Vec<Operation>| {
        let told = verdict(&numbered(memories), &auto(), operations);
        (told.lines().filter(|line| line.contains("held")).count(), told.lines().count())
    };
    // By number, by share, by bytes.
    for (memories, removed, waits) in [
        (30, 5, false),
        (30, 6, true),
        (30, 23, true),
        (8, 2, false),
        (8, 3, true),
        (1, 1, true),
        (2, 1, true),
    ] {
        let expect = (if waits { removed } else { 0 }, removed);
        assert_eq!(held(memories, deletes(removed)), expect, "{removed} of {memories}");
        assert_eq!(held(memories, empties(removed)), expect, "{removed} of {memories} emptied");
    }
    // One large memory is most of the bytes; what adds is done all the same.
    let store = numbered(9);
    save(
        &store,
        "large.md",
        &file("project", "large", "d", &"A line of text.\n".repeat(400)),
        &person(),
    );
    assert_snapshot!(verdict(&store, &auto(), vec![update("large.md", "Short."), create("deploys", SAID)]), @"
    0 held: the run would remove or empty 0 of 10 memories and take away 6343 of 7489 bytes
    1 accepted
    ");
}

#[test]
fn of_thirty_memories_twenty_three_are_not_deleted() {
    let store = numbered(30);
    let before = files(&store);
    let operations = (0..23).map(|number| delete(&format!("m{number:02}.md"))).collect();
    let done = run(&store, &auto(), operations);
    assert!(done.receipt.is_none());
    assert_eq!((done.inbox.waiting.len(), files(&store)), (23, before));
}
