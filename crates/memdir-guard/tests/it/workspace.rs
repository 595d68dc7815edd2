//! The sources and documents of this workspace, which hold nothing to find, and those that show what is found.

#![expect(clippy::disallowed_methods, reason = "a test that reads the sources around it")]

use std::fs;
use std::path::{Path, PathBuf};

use memdir_guard::{Finding, Kind, hidden, instructions, secrets};

/// Tests that show a byte order mark and a filler as they print.
const SHOW_HIDDEN: [&str; 2] =
    ["crates/memdir-core/tests/it/index.rs", "crates/memdir-core/tests/it/mem_path.rs"];

/// Its example gives an order.
const SHOWS_ORDERS: &str = "crates/memdir-guard/README.md";

/// Files of the workspace that end like this, but for inputs of tests; with their paths from its root.
fn files(extensions: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["bench", "crates", "docs", "fuzz", "tests", "xtask"].map(|name| root.join(name)).into();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() && !["target", "cases", "data", "seeds", "corpus"].contains(&name) {
                folders.push(path);
            } else if extensions
                .iter()
                .any(|extension| path.extension().is_some_and(|own| own == *extension))
            {
                // Somebody may be at work: what is gone by now is looked at another time.
                let Ok(text) = fs::read_to_string(&path) else { continue };
                let name = path
                    .strip_prefix(&root)
                    .expect("below the root")
                    .to_string_lossy()
                    .into_owned();
                found.push((name, text));
            }
        }
    }
    assert!(found.len() > 20, "{found:?}");
    found
}

fn told(files: &[(String, String)], find: fn(&str) -> Vec<Finding>) -> Vec<String> {
    let found = files.iter().flat_map(|(name, text)| {
        find(text).into_iter().map(move |finding| format!("{name}: {finding}"))
    });
    found.collect()
}

const NONE: [&str; 0] = [];

#[test]
fn sources_and_documents_hold_no_secret_and_nothing_hidden() {
    let mut files = files(&["rs", "md"]);
    assert_eq!(told(&files, secrets), NONE);
    files.retain(|(name, _)| !SHOW_HIDDEN.contains(&name.as_str()));
    assert_eq!(told(&files, hidden), NONE);
}

/// Frames and their marks are shown in some of them; all else would be a false alarm.
#[test]
fn documents_and_example_memories_give_no_orders() {
    let orders = |text: &str| {
        let mut found = instructions(text);
        found.retain(|finding| finding.kind.rule() != "role-turn");
        found
    };
    let mut files = files(&["md"]);
    files.retain(|(name, _)| name != SHOWS_ORDERS);
    assert_eq!(told(&files, orders), NONE);
}

#[test]
fn a_finding_in_a_file_is_told_by_rule_and_line() {
    let key = format!("AK{}", "IAQYLPMN5HFIQR7XYA");
    let files = [("a.md".to_owned(), format!("one\ntwo {key}\n"))];
    assert_eq!(
        told(&files, secrets),
        ["a.md: line 2: looks like a secret (rule aws-access-token)"]
    );
    let shown = format!("{:?}", secrets(&files[0].1));
    assert!(matches!(secrets(&files[0].1)[0].kind, Kind::Secret { .. }) && !shown.contains(&key));
}
