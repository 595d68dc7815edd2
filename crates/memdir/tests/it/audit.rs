//! What an audit finds, and in which order.

use memdir::Level;

use crate::store::with;

/// Path, line, name of the kind, and whether it can be fixed.
fn found(files: &[(&str, &str)]) -> Vec<(String, Option<usize>, &'static str, bool)> {
    let findings = with(files).audit().unwrap();
    findings
        .into_iter()
        .map(|found| (found.path, found.line, found.kind.name(), found.fixable))
        .collect()
}

/// index-04.
#[test]
fn finds_orphans_and_dangling_lines() {
    let memory = "---\nname: n\ndescription: d\ntype: user\n---\nx\n";
    let index = "# Memory\n- [User](user_role.md) — data engineer\n- [Gone](gone.md) - removed\n\
                 - [Archive](ARCHIVE.md) - older notes\nSee also user_role.md in prose.\n";
    let files = [
        ("MEMORY.md", index),
        ("ARCHIVE.md", "- [Old](archive/old.md) - old\n"),
        ("user_role.md", memory),
        ("orphan.md", memory),
        ("sub/deep.md", memory),
        ("archive/old.md", memory),
        ("logs/2026-11-30.md", "a log\n"),
        ("team/shared.md", memory),
    ];
    assert_eq!(
        found(&files),
        [
            ("MEMORY.md".to_owned(), Some(3), "dangling", true),
            ("orphan.md".to_owned(), None, "orphan", true),
            ("sub/deep.md".to_owned(), None, "orphan", true),
        ]
    );
}

/// A store over a file system that tells them apart.
#[test]
fn names_that_are_one_elsewhere_are_told() {
    let memory = with(&[]);
    let disk = memory.store().disk();
    let names =
        ["OK.md", "ok.md", "sub/É.md", "sub/e\u{301}.md", "alone.md", "ñ.md", "n\u{303}.md"];
    for name in names {
        disk.put(name, "---\nname: n\ndescription: d\ntype: user\n---\n");
    }
    let findings = memory.audit().unwrap().into_iter();
    let told = findings.filter(|found| matches!(found.kind.name(), "twins" | "skipped"));
    let told: Vec<_> = told.map(|found| format!("{}: {}", found.path, found.kind)).collect();
    assert_eq!(
        told,
        [
            "OK.md: where case and Unicode normal form do not count it is one file with `ok.md`; rename one",
            "n\u{303}.md: its name differs from that of another file only in normal form, and that one is read",
            "sub/É.md: where case and Unicode normal form do not count it is one file with `sub/é.md`; rename one",
        ]
    );
}

#[test]
fn a_dangling_link_within_a_line_of_prose_needs_a_person() {
    let index = "Read [this](gone.md) first.\n";
    assert_eq!(
        found(&[("MEMORY.md", index)]),
        [("MEMORY.md".to_owned(), Some(1), "dangling", false)]
    );
}

#[test]
fn the_worst_comes_first() {
    let index = "- [a](a.md) — d\n- [b](b.md) — d\n";
    let advice = "---\nname: a\ndescription: yes: quotes would help\ntype: user\n---\n";
    let findings =
        with(&[("MEMORY.md", index), ("a.md", advice), ("b.md", "---\ntype: wish\n---\n")])
            .audit()
            .unwrap();
    let levels: Vec<_> = findings.iter().map(|found| (found.path.as_str(), found.level)).collect();
    assert_eq!(levels, [("b.md", Level::Warning), ("a.md", Level::Remark)]);
}

#[test]
fn of_many_lines_of_one_memory_the_first_are_named() {
    let says = |lines: usize| {
        let index = "- [A](a.md) — a\n".repeat(lines);
        let findings = with(&[("MEMORY.md", &index), ("a.md", "a\n")]).audit().unwrap();
        findings.into_iter().map(|found| found.kind.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(says(9), ["lines 1, 2, 3, 4, 5 and 4 more all lead to `a.md`"]);
    assert_eq!(says(5), ["lines 1, 2, 3, 4, 5 all lead to `a.md`"]);
}
