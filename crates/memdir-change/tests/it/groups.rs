//! What stands and falls together.

use memdir_change::{Change, Operation, Policy};

use crate::kit::{SAID, create, delete, files, numbered, run, verdict};
use crate::verdicts::auto;

fn bad() -> Operation {
    delete("team/x.md")
}

fn unread() -> Operation {
    Operation::new(Change::Unread { fault: "there is no operation `sync`".to_owned() }, "")
}

/// Each operation with its group, and what becomes of them: accepted, held or refused.
fn check(operations: Vec<(Option<&str>, Operation)>, expect: &str) {
    let operations = operations.into_iter().map(|(group, operation)| match group {
        Some(group) => operation.group(group),
        None => operation,
    });
    let told = verdict(&numbered(30), &Policy::default(), operations.collect());
    let marks = told.lines().map(|line| {
        let (_, said) = line.split_once(' ').unwrap();
        if said == "accepted" {
            'a'
        } else if said.starts_with("held") {
            'h'
        } else {
            'r'
        }
    });
    assert_eq!(marks.collect::<String>(), expect, "{told}");
}

#[test]
fn a_group_goes_with_its_refused_member_and_waits_with_its_waiting_one() {
    let good = |name: &str| create(name, &format!("{name}: {SAID}"));
    let waits = || delete("m00.md");
    check(vec![(Some("g"), good("a")), (Some("g"), good("b")), (None, good("c"))], "aaa");
    check(vec![(Some("g"), good("a")), (Some("g"), bad()), (None, good("c"))], "rra");
    check(vec![(Some("g"), unread()), (Some("g"), good("a")), (Some("h"), good("b"))], "rra");
    check(vec![(Some("g"), good("a")), (Some("g"), waits()), (None, good("c"))], "hha");
    check(vec![(Some("g"), waits()), (Some("g"), bad()), (Some("g"), good("c"))], "rrr");
    check(vec![(Some(""), good("a")), (Some(""), bad())], "rr");
    // The line of a memory goes with it, and takes its own group along.
    let line = |at: &str| {
        let (path, title, hook) = (at.to_owned(), "t".to_owned(), "h".to_owned());
        Operation::new(Change::Index { path, title, hook }, "")
    };
    check(
        vec![(Some("g"), good("a")), (Some("i"), line("project_a.md")), (Some("i"), bad())],
        "rrr",
    );
}

#[test]
fn the_brake_takes_groups_along_and_leaves_the_rest() {
    let mut operations: Vec<_> = (0..6).map(|number| delete(&format!("m{number:02}.md"))).collect();
    operations.push(create("a", SAID).group("g"));
    operations.push(delete("m06.md").group("g"));
    operations.push(create("b", "Ines approves each deploy."));
    let store = numbered(30);
    let done = run(&store, &auto(), operations);
    assert_eq!(done.inbox.waiting, [1, 2, 3, 4, 5, 6, 7]);
    assert!(files(&store).contains_key("project_b.md"));
    assert!(!files(&store).contains_key("project_a.md"));
}
