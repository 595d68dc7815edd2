//! A text of the index as operations on its lines.

use std::collections::{BTreeMap, BTreeSet};

use memdir_core::{MemPath, index};
use memdir_store::IndexOp;

/// What turns the lines that lead to memories from `old` to `new`. Everything else in either text is passed over, so headings and prose stay as they are.
pub(crate) fn operations(old: &str, new: &str) -> Vec<IndexOp> {
    let (before, after) = (pointers(old), pointers(new));
    let said: BTreeMap<_, _> =
        before.iter().map(|(path, title, hook)| (path, (title, hook))).collect();
    let kept: BTreeSet<_> = after.iter().map(|(path, ..)| path).collect();
    let set = after.iter().filter(|(path, title, hook)| said.get(path) != Some(&(title, hook)));
    let gone = before.iter().filter(|(path, ..)| !kept.contains(path));
    set.map(|(path, title, hook)| IndexOp::Upsert {
        path: path.clone(),
        title: (*title).to_owned(),
        hook: (*hook).to_owned(),
    })
    .chain(gone.map(|(path, ..)| IndexOp::Remove { path: path.clone() }))
    .collect()
}

/// The first line of each memory, in order.
fn pointers(text: &str) -> Vec<(MemPath, &str, &str)> {
    let mut found: Vec<(MemPath, &str, &str)> = Vec::new();
    for pointer in index::lines(text).filter_map(|line| line.pointer) {
        let Some(path) = pointer.path() else { continue };
        if found.iter().all(|(other, ..)| *other != path) {
            found.push((path, pointer.title, pointer.hook));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expect: &[&str]) {
        let said: Vec<_> = operations(old, new)
            .into_iter()
            .map(|op| match op {
                IndexOp::Upsert { path, title, hook } => format!("{path}: {title}, {hook}"),
                other => format!("no {}", other.path()),
            })
            .collect();
        assert_eq!(said, expect);
    }

    #[test]
    fn only_lines_that_lead_to_memories_count() {
        let old = "# Index\n- [A](a.md) — one\n- [B](b.md) — two\n";
        check(old, old, &[]);
        check(old, "", &["no a.md", "no b.md"]);
        check(old, "- [B](b.md) — two\n# Other\n- [A](a.md) — 1\n", &["a.md: A, 1"]);
        check(
            old,
            "- [C](c.md)\n- [A](a.md) — one\n- [X](../x.md)\n- [Y](https://y.example)\n",
            &["c.md: C, ", "no b.md"],
        );
        check(old, &format!("{old}- [again](a.md) — twice\n"), &[]);
    }
}
