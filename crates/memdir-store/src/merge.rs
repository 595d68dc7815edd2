//! Putting together what two writers made of one text.

use std::collections::BTreeMap;

use diffy::MergeOptions;
use memdir_core::frontmatter::{self, Edit, Field, Fields, Key, Shape};

use crate::{Merge, limits};

/// Puts two versions with a common origin together, line by line.
///
/// What only one side changed is taken from it; where both changed the same lines differently, both stand between
/// conflict marks and the merge is not clean. Two changes of the dates that every edit of a memory sets are no conflict:
/// ours stays.
pub(crate) fn three_way(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merge {
    let merge = by_lines(base, ours, theirs);
    if !merge.clean
        && let Some((base, theirs)) = dated_like(ours, base, theirs)
    {
        return by_lines(base.as_bytes(), ours, theirs.as_bytes());
    }
    merge
}

fn by_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merge {
    if ours == theirs || base == theirs {
        return Merge::new(ours.to_vec(), true);
    }
    if base == ours {
        return Merge::new(theirs.to_vec(), true);
    }
    match MergeOptions::new().merge_bytes(base, ours, theirs) {
        Ok(bytes) => Merge::new(bytes, true),
        Err(bytes) => Merge::new(bytes, false),
    }
}

/// Returns both versions with the dates of ours, where ours changed them; `None` if there is nothing to be done.
fn dated_like(ours: &[u8], base: &[u8], theirs: &[u8]) -> Option<(String, String)> {
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let (ours, base, theirs) = (fields(text(ours)?)?, text(base)?, text(theirs)?);
    let (old, _) = (fields(base)?, fields(theirs)?);
    let mut edits = Vec::new();
    if ours.modified != old.modified {
        let date = ours.modified.map(Field::Modified);
        edits.push(date.map_or(Edit::Remove(Key::Modified), Edit::Set));
    }
    if ours.last_verified != old.last_verified {
        let date = ours.last_verified.map(Field::LastVerified);
        edits.push(date.map_or(Edit::Remove(Key::LastVerified), Edit::Set));
    }
    if edits.is_empty() {
        return None;
    }
    let dated = |text| frontmatter::edit(text, &edits).ok();
    Some((dated(base)?, dated(theirs)?))
}

/// Returns what the frontmatter says; `None` if there is none.
fn fields(text: &str) -> Option<Fields> {
    let parsed = frontmatter::parse(text);
    (parsed.shape != Shape::None).then_some(parsed.fields)
}

/// Returns the merge if it is clean and still a file of allowed size.
pub(crate) fn clean(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let merge = three_way(base, ours, theirs);
    (merge.clean && merge.bytes.len() as u64 <= limits::MAX_FILE_BYTES).then_some(merge.bytes)
}

/// Puts two versions together such that no line that either side added is missing: ours, and at its end what only theirs
/// added.
///
/// Right for lists and logs, where a line more is no harm. `None` if the result is too large.
pub(crate) fn union(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let (in_base, in_ours) = (counts(base), counts(ours));
    let known = |line: &[u8]| {
        let count = |counts: &BTreeMap<&[u8], usize>| counts.get(line).copied().unwrap_or(0);
        count(&in_base).max(count(&in_ours))
    };
    let mut seen: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut union = ours.to_vec();
    for line in theirs.split_inclusive(|byte| *byte == b'\n') {
        let times = seen.entry(line).or_default();
        *times += 1;
        if *times > known(line) {
            if union.last().is_some_and(|last| *last != b'\n') {
                union.push(b'\n');
            }
            union.extend_from_slice(line);
        }
    }
    (union.len() as u64 <= limits::MAX_FILE_BYTES).then_some(union)
}

fn counts(bytes: &[u8]) -> BTreeMap<&[u8], usize> {
    let mut counts = BTreeMap::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(base: &str, ours: &str, theirs: &str, expect: Option<&str>) {
        let merged = clean(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        let merged = merged.map(|bytes| String::from_utf8(bytes).expect("merged text is text"));
        assert_eq!(merged.as_deref(), expect, "{base:?} {ours:?} {theirs:?}");
    }

    #[test]
    fn takes_what_only_one_side_changed() {
        check("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", Some("A\nb\nC\n"));
        check("a\nb\nc\n", "a\nb\nc\nd\n", "b\nc\n", Some("b\nc\nd\n"));
        check("a\n", "b\n", "b\n", Some("b\n"));
        check("a\n", "a\n", "", Some(""));
    }

    #[test]
    fn does_not_choose_between_two_changes_of_one_line() {
        check("a\n", "b\n", "c\n", None);
        check("", "b\n", "c\n", None);
        check("a\nb\n", "a\nb\nx\n", "a\nb\ny\n", None);
    }

    #[test]
    fn two_dates_of_an_edit_are_no_conflict() {
        let memory = |dates: &str, body: &str| {
            format!("---\nname: n\nmetadata:\n  type: user\n{dates}---\n\n{body}")
        };
        let day = |day: u8| format!("  modified: \"2026-06-0{day}T00:00:00Z\"\n");
        let verified = |day: u8| format!("  lastVerified: \"2026-06-0{day}T00:00:00Z\"\n");
        for (base, ours, theirs) in [
            (day(2), day(3), day(1)),
            (day(2), day(3), String::new()),
            (day(2) + &verified(2), day(3) + &verified(3), day(1) + &verified(1)),
            (day(1) + &verified(2), day(1) + &verified(3), day(1) + &verified(1)),
            (day(2), String::new(), day(1)),
        ] {
            let expect = memory(&ours, "a\nb\nC\n");
            check(
                &memory(&base, "A\nb\nc\n"),
                &memory(&ours, "A\nb\nC\n"),
                &memory(&theirs, "a\nb\nc\n"),
                Some(&expect),
            );
            check(&memory(&base, "A\n"), &memory(&ours, "B\n"), &memory(&theirs, "C\n"), None);
        }
        // Only theirs changed it.
        check(&day(1), &day(1), &day(2), Some(&day(2)));
        check(&day(1), &day(2), &day(3), None);
    }

    #[test]
    fn a_union_has_the_lines_of_both() {
        let check = |base: &str, ours: &str, theirs: &str, expect: &str| {
            let union = union(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            assert_eq!(union.as_deref(), Some(expect.as_bytes()), "{base:?} {ours:?} {theirs:?}");
        };
        check("a\n", "a\nb\n", "a\nc\n", "a\nb\nc\n");
        check("a\n", "a\nb\n", "a\nb\nc\n", "a\nb\nc\n");
        check("a\n", "a\nb", "x\na\na\n", "a\nb\nx\na\n");
        check("a\n", "", "a\nc\n", "c\n");
    }

    proptest! {
        #[test]
        fn keeps_every_line_that_either_side_added(
            base in proptest::collection::vec("[a-d]\n", 0..12),
            ours in proptest::collection::vec((0usize..13, "[m-p]\n"), 0..4),
            theirs in proptest::collection::vec((0usize..13, "[w-z]\n"), 0..4),
        ) {
            let with = |added: &[(usize, String)]| {
                let mut lines = base.clone();
                for (at, line) in added {
                    lines.insert((*at).min(lines.len()), line.clone());
                }
                lines.concat()
            };
            let merge = three_way(
                base.concat().as_bytes(), with(&ours).as_bytes(), with(&theirs).as_bytes(),
            );
            let text = String::from_utf8(merge.bytes).expect("merged text is text");
            for (_, line) in ours.iter().chain(&theirs) {
                prop_assert!(text.contains(line.as_str()), "{line} in {text}");
            }
        }

        #[test]
        fn never_panics(base: Vec<u8>, ours: Vec<u8>, theirs: Vec<u8>) {
            three_way(&base, &ours, &theirs);
        }

        #[test]
        fn never_panics_on_lines(
            base in "([ab]?\n?){0,12}", ours in "([ab]?\n?){0,12}", theirs in "([ab]?\n?){0,12}",
        ) {
            three_way(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        }
    }
}
