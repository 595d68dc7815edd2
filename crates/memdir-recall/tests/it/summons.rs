//! What brings memories up without ranking, and what leaves them out.

use memdir_recall::{Query, Surfaced};

use crate::shelf::{Shelf, path, paths};

fn memory(keys: &str) -> String {
    format!("---\nname: n\ndescription: nothing in particular\n{keys}\n---\n\nx\n")
}

fn shelf() -> Shelf {
    Shelf::default()
        .file("deploy.md", memory("triggers: [deploy, 部署, \"merge freeze\"]"))
        .file("rust.md", memory("paths: [\"src/**/*.rs\", \"*.toml\"]"))
        .memory("other.md", "deployment targets", "deploy to staging first")
}

#[test]
fn a_trigger_brings_a_memory_up_before_those_that_are_ranked() {
    let check = |question: &str, expect: &[&str]| {
        assert_eq!(paths(&shelf().recall(&Query::new(question))), expect, "{question}");
    };
    check("deploy to staging?", &["deploy.md", "other.md"]);
    check("Merge\nFREEZE!", &["deploy.md"]);
    check("怎么部署", &["deploy.md"]);
    check("redeploying", &[]);
    check("merge the freeze", &[]);
    let recall = shelf().recall(&Query::new("deploy to staging?"));
    assert_eq!(recall.attachments[0].why, "the question has its trigger `deploy`");
}

#[test]
fn a_file_in_play_brings_up_the_memories_for_it() {
    let check = |files: &[&str], expect: &[&str]| {
        let recall = shelf().recall(&Query::new("the time").files(files));
        assert_eq!(paths(&recall), expect, "{files:?}");
    };
    check(&["src/a/b.rs"], &["rust.md"]);
    check(&["README.md", "./Cargo.toml"], &["rust.md"]);
    check(&["lib/a.rs"], &[]);
    check(&[], &[]);
    let recall = shelf().recall(&Query::new("").files(&["src/b.rs"]));
    assert_eq!(recall.attachments[0].why, "`src/b.rs` is in play, and it is for `src/**/*.rs`");
    assert_eq!(recall.silence, None);
}

#[test]
fn a_pattern_that_cannot_be_used_is_noted_and_the_others_count() {
    let shelf = Shelf::default().file("a.md", memory("paths: [\"src/{a\", \"src/**\"]"));
    let recall = shelf.recall(&Query::new("").files(&["src/a.rs"]));
    assert_eq!(paths(&recall), ["a.md"]);
    let notes: Vec<_> = recall.bad_patterns.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(notes.join("\n"), @"`a.md`: the path pattern `src/{a` is not used: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
}

#[test]
fn what_is_brought_up_keeps_to_the_budget_and_to_what_is_new() {
    let shelf = || {
        (0..7).fold(Shelf::default(), |shelf, at| {
            shelf.file(&format!("{at}.md"), memory("triggers: deploy"))
        })
    };
    let query = Query::new("deploy");
    assert_eq!(paths(&shelf().recall(&query)), ["6.md", "5.md", "4.md", "3.md", "2.md"]);
    let seen = [Surfaced::new(path("6.md"), None)];
    let recall = shelf().recall(&query.surfaced(&seen));
    assert_eq!(paths(&recall), ["5.md", "4.md", "3.md", "2.md", "1.md"]);
    assert_eq!(paths(&shelf().recall_with(&query, |options| options.max = 1)), ["6.md"]);
}

#[test]
fn the_manual_of_a_tool_in_use_is_left_out_and_its_warnings_are_not() {
    let shelf = || {
        Shelf::default()
        .file("manual.md", "---\nname: gh cli usage\ndescription: how to list runs with gh\ntype: reference\n---\n\nx")
        .file("warning.md", "---\nname: gh cli gotcha\ndescription: gh hides failed runs\ntype: reference\n---\n\nx")
    };
    let query = Query::new("list failed runs with gh");
    assert_eq!(paths(&shelf().recall(&query)).len(), 2);
    let recall = shelf().recall(&query.tools(&["Bash", "gh"]));
    assert_eq!(paths(&recall), ["warning.md"]);
    let left_out = recall.candidates.iter().find(|candidate| candidate.omission.is_some());
    let reason = left_out.and_then(|candidate| candidate.omission.as_ref()).unwrap();
    assert_eq!(reason.to_string(), "it says how to use `gh`, which is in use");
}

#[test]
fn every_memory_that_was_looked_at_has_its_reason() {
    let shelf = Shelf::default()
        .memory("seen.md", "merge freeze of spring", "x")
        .memory("best.md", "merge freeze: the freeze before a release", "freeze freeze")
        .memory("next.md", "merge freeze rules", "x")
        .memory("far.md", "what to merge", "x")
        .file("called.md", memory("triggers: freeze"));
    let seen = [Surfaced::new(path("seen.md"), None)];
    let query = Query::new("which merge freeze is before the release?").surfaced(&seen);
    let recall = shelf.recall_with(&query, |options| options.max = 3);
    let lines: Vec<_> = recall
        .candidates
        .iter()
        .map(|found| {
            let omission = found.omission.as_ref().map_or("taken".to_owned(), ToString::to_string);
            format!("{}: {omission} ({})", found.path, found.cause)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    called.md: taken (the question has its trigger `freeze`)
    best.md: taken (`release`, `before` in description; `freeze` in name, description and body; `merge` in name and description)
    next.md: it scores 27 % of the best (`freeze`, `merge` in description)
    far.md: enough others come before it (`merge` in description)
    seen.md: it is in the conversation already (`freeze`, `merge` in description)
    ");
}
