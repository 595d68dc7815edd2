//! Many processes save at once, one dies in the middle, others read: nothing is lost and nothing is half.

use std::collections::BTreeSet;
use std::fs;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::sandbox::{Ran, Sandbox, leftovers};

const SAVERS: usize = 20;

fn save(sandbox: &Sandbox, number: usize) -> Child {
    let (name, text) = (format!("n{number}"), format!("text {number}"));
    sandbox.spawn([
        "save",
        "--type",
        "user",
        "--name",
        &name,
        "--description",
        &text,
        "--body",
        &text,
    ])
}

fn index_lines(sandbox: &Sandbox) -> Vec<String> {
    let text = fs::read_to_string(sandbox.memory().join("MEMORY.md")).unwrap_or_default();
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

#[test]
fn twenty_savers_of_whom_one_is_killed_lose_nothing() {
    let sandbox = Sandbox::new();
    sandbox
        .run([
            "save",
            "--type",
            "user",
            "--name",
            "first",
            "--description",
            "first",
            "--body",
            "first",
        ])
        .quietly();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = 0;
            while !done.load(Ordering::Relaxed) {
                let lines = index_lines(&sandbox);
                assert!(lines.len() >= seen, "a reader saw {} lines after {seen}", lines.len());
                assert!(
                    lines.iter().all(|line| line.starts_with("- [") && line.contains("](user_")),
                    "{lines:?}"
                );
                seen = lines.len();
            }
        });
        let mut children: Vec<_> = (0..SAVERS).map(|number| save(&sandbox, number)).collect();
        let killed = children.len() / 2;
        children[killed].kill().unwrap();
        for (number, child) in children.into_iter().enumerate() {
            let ran = Ran::of(child.wait_with_output().unwrap());
            assert!(number == killed || ran.exit == Some(0), "{ran:#?}");
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
    // Whatever the killed one left is finished or taken back by the next writer.
    sandbox
        .run([
            "save",
            "--type",
            "user",
            "--name",
            "last",
            "--description",
            "last",
            "--body",
            "last",
        ])
        .quietly();
    let lines = index_lines(&sandbox);
    let listed = sandbox.run(["list", "--json"]).json(0);
    let names: BTreeSet<_> = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| memory["name"].as_str().unwrap().to_owned())
        .collect();
    let killed = format!("n{}", SAVERS / 2);
    let expected: BTreeSet<_> = (0..SAVERS)
        .map(|number| format!("n{number}"))
        .chain(["first".to_owned(), "last".to_owned()])
        .filter(|name| *name != killed || names.contains(&killed))
        .collect();
    assert_eq!(names, expected);
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), lines.len(), "{lines:?}");
    assert_eq!(lines.len(), names.len());
    assert_eq!(leftovers(&sandbox.memory()), Vec::<String>::new());
    sandbox.run(["check"]).quietly();
}

#[test]
fn processes_that_add_lines_one_after_another_lose_none() {
    let full = std::env::var_os("MEMDIR_FULL").is_some();
    let (processes, adds) = if full { (16, 100) } else { (8, 6) };
    let sandbox = Sandbox::new();
    thread::scope(|scope| {
        for process in 0..processes {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for add in 0..adds {
                    let ran =
                        Ran::of(save(sandbox, process * adds + add).wait_with_output().unwrap());
                    assert_eq!(ran.exit, Some(0), "{ran:#?}");
                }
            });
        }
    });
    let lines = index_lines(&sandbox);
    assert_eq!(
        (lines.len(), lines.iter().collect::<BTreeSet<_>>().len()),
        (processes * adds, processes * adds)
    );
    assert_eq!(leftovers(&sandbox.memory()), Vec::<String>::new());
}
