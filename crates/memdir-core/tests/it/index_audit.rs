//! Comparing an index with the files that there are.

use std::{cell::RefCell, fmt::Write};

use memdir_core::{
    MemPath,
    index::{Audit, check as audit},
};
use serde_json::{Value, json};

/// The findings of an index over `files`, path and text each; one line a finding.
fn check(index: &str, files: &[(&str, &str)]) -> String {
    let audit = audit_of(index, files);
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("a String takes every write");
    audit.orphans.iter().for_each(|path| line(format!("orphan {path}")));
    audit
        .dangling
        .iter()
        .for_each(|d| line(format!("dangling {} in {} line {}", d.target, d.index, d.line)));
    audit
        .duplicates
        .iter()
        .for_each(|d| line(format!("duplicate {} in lines {:?}", d.path, d.lines)));
    audit
        .long_lines
        .iter()
        .for_each(|l| line(format!("line {} has {} characters", l.line, l.chars)));
    audit
        .refused
        .iter()
        .for_each(|r| line(format!("refused in {} line {}: {}", r.index, r.line, r.fault)));
    audit
        .over_limit
        .iter()
        .for_each(|o| line(format!("over the limit: {} lines, {} bytes", o.lines, o.bytes)));
    out
}

fn audit_of(index: &str, files: &[(&str, &str)]) -> Audit {
    let names: Vec<_> =
        files.iter().map(|(name, _)| MemPath::parse(name).expect("a path")).collect();
    audit(index, &names, |path| {
        files.iter().find(|(name, _)| *name == path.as_str()).map(|(_, text)| (*text).to_owned())
    })
}

#[test]
fn case_index_04_orphans_and_dangling_lines_are_found() {
    macro_rules! memory {
        ($name:literal) => {
            ($name, include_str!(concat!("../cases/index-04/memory/", $name)))
        };
    }
    let files = [
        memory!("ARCHIVE.md"),
        memory!("archive/old.md"),
        memory!("orphan.md"),
        memory!("sub/deep.md"),
        memory!("user_role.md"),
    ];
    let found = audit_of(include_str!("../cases/index-04/memory/MEMORY.md"), &files);
    let expect: Value =
        serde_json::from_str(include_str!("../cases/index-04/expect.json")).expect("JSON");
    assert_eq!(
        json!({
            "orphans": found.orphans.iter().map(MemPath::as_str).collect::<Vec<_>>(),
            "dangling": found.dangling.iter().map(|dangling| dangling.target.as_str()).collect::<Vec<_>>(),
        }),
        expect
    );
}

#[test]
fn every_kind_of_link_reaches_a_memory() {
    let index = "See [a](a.md) and [b](<b b.md>).\n- [[c]]\n- [[d.md|D]] and [[e#part]]\n[f]: f.md \"F\"\n> [g](g.md#x)\n- [h](h%20h.md)\n";
    let files =
        ["a.md", "b b.md", "c.md", "d.md", "e.md", "f.md", "g.md", "h h.md"].map(|name| (name, ""));
    assert_eq!(check(index, &files), "");
}

#[test]
fn outside_addresses_headings_and_other_files_are_not_looked_at() {
    let index = "- [web](https://example.com/x.md)\n- [mail](mailto:a@b.md)\n- [top](#top.md)\n- ![p](p.png)\n- [dir](sub/)\n[[some name]] [[gone.md]]\n- []()\n";
    assert_eq!(
        check(index, &[("logs/2026/11/2026-11-30.md", ""), ("team/x.md", ""), ("notes.txt", "")]),
        ""
    );
}

#[test]
fn links_that_lead_out_are_refused_by_name() {
    let index = "- [up](../x.md)\n- [etc](/etc/x.md)\n- [home](~/x.md)\n- [state](.memdir/x.md)\n- [enc](%2e%2e%2fx.md)\n- [win](C:\\x.md)\n";
    insta::assert_snapshot!(check(index, &[]), @r"
    refused in MEMORY.md line 1: path `../x.md` holds `..`, and a memory is named without it
    refused in MEMORY.md line 2: path `/etc/x.md` does not start in the memory directory: it is absolute
    refused in MEMORY.md line 3: path `~/x.md` does not start in the memory directory: `~` stands for a home directory
    refused in MEMORY.md line 4: name `.memdir` begins with a dot; `.memdir` is the private folder of memdir
    refused in MEMORY.md line 5: path `../x.md` holds `..`, and a memory is named without it
    refused in MEMORY.md line 6: path `C:\x.md` does not start in the memory directory: it names a drive
    ");
}

#[test]
fn linked_indexes_are_followed_from_their_own_folder_and_once() {
    let files = [
        (
            "archive/INDEX.md",
            "- [old](old.md)\n- [up](../new.md)\n- [root](other.md)\n- [gone](gone.md)\n- [back](../MEMORY.md)\n- [self](INDEX.md)\n- [out](../../x.md)\n",
        ),
        ("archive/old.md", "---\nname: old\n---\n- [hidden](hidden.md)\n"),
        ("new.md", "plain text with [a link](deep.md) in prose"),
        ("other.md", ""),
        ("hidden.md", ""),
        ("deep.md", ""),
    ];
    insta::assert_snapshot!(check("- [archive](archive/INDEX.md)\n", &files), @"
    orphan deep.md
    orphan hidden.md
    dangling archive/gone.md in archive/INDEX.md line 4
    refused in archive/INDEX.md line 7: path `../../x.md` holds `..`, and a memory is named without it
    ");
}

#[test]
fn findings_are_in_order_of_appearance_and_a_path_is_asked_for_once() {
    let files = [
        ("A.md", "- [x](x1.md)\n- [deep](DEEP.md)\n"),
        ("B.md", "- [x](x2.md)\n- [again](A.md)\n"),
        ("DEEP.md", "- [x](x3.md)\n"),
    ];
    let index =
        "- [A](A.md)\n- [B](B.md)\n- [A](./A.md)\n- [me](MEMORY.md)\n- [x](x0.md)\n- [x](x0.md)\n";
    insta::assert_snapshot!(check(index, &files), @"
    dangling x0.md in MEMORY.md line 5
    dangling x0.md in MEMORY.md line 6
    dangling x1.md in A.md line 1
    dangling x2.md in B.md line 1
    dangling x3.md in DEEP.md line 1
    duplicate A.md in lines [1, 3]
    duplicate x0.md in lines [5, 6]
    ");

    let asked = RefCell::new(Vec::new());
    audit(index, &[], |path| {
        asked.borrow_mut().push(path.to_string());
        files.iter().find(|(name, _)| *name == path.as_str()).map(|(_, text)| (*text).to_owned())
    });
    assert_eq!(asked.into_inner(), ["A.md", "B.md", "x0.md", "x1.md", "DEEP.md", "x2.md", "x3.md"]);
}

#[test]
fn duplicates_long_lines_and_too_large_an_index_are_told() {
    let long =
        format!("- [a](a.md) — {}\n- [A](./a.md)\n- [b](b.md), see [a](a.md)\n", "é".repeat(200));
    insta::assert_snapshot!(check(&long, &[("a.md", ""), ("b.md", "")]), @"
    duplicate a.md in lines [1, 2]
    line 1 has 214 characters
    ");
    let many = "- [a](a.md)\n".repeat(201);
    insta::assert_snapshot!(check(&many, &[("a.md", "")]).lines().last().expect("a line"), @"over the limit: 201 lines, 2411 bytes");
}

#[test]
fn an_empty_directory_has_nothing_to_say() {
    assert_eq!(audit_of("", &[]), Audit::default());
}
