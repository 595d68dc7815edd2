//! Edits change the lines they are about and no others.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use memdir_core::MemoryType;
use memdir_core::frontmatter::{Edit, EditFault, Field, Key, Origin, edit, parse};

use super::changed;

/// Edits, and shows what became of each line that is not the same.
#[track_caller]
fn check(text: &str, edits: &[Edit<'_>], expected: &str) {
    let edited = edit(text, edits).expect("the block is in order");
    let (old, new) = changed(text, &edited);
    let mut shown = String::new();
    for (sign, line) in old.iter().map(|line| ('-', line)).chain(new.iter().map(|line| ('+', line)))
    {
        writeln!(shown, "{sign}{line:?}").expect("a string takes all");
    }
    assert_eq!(shown, expected);
    assert_eq!(edit(&edited, edits), Ok(edited), "a second time changes nothing");
}

const NESTED: &str = "\u{feff}---\r\n# ours\r\nname: \"n\"\r\ndescription: see #12  \r\ntags: [a, b] # theirs\r\n\
    metadata:\r\n    node_type: memory\r\n\r\n    type: user # who\r\n    other: {x: y}\r\n---\r\n\r\nBody\r\n";
const FLAT: &str = "---\nname: n\ntype: user\nzeta: 1\n# end\n---\nBody\n";

#[test]
fn one_key_changes_one_line() {
    check(
        NESTED,
        &[Edit::Set(Field::Name("new: name"))],
        r#"
-"name: \"n\"\r\n"
+"name: \"new: name\"\r\n"
"#
        .trim_start(),
    );
    check(
        NESTED,
        &[Edit::Set(Field::Description("plain"))],
        r#"
-"description: see #12  \r\n"
+"description: plain  \r\n"
"#
        .trim_start(),
    );
    check(
        NESTED,
        &[Edit::Set(Field::Type(MemoryType::Project))],
        r#"
-"    type: user # who\r\n"
+"    type: project # who\r\n"
"#
        .trim_start(),
    );
    check(
        FLAT,
        &[Edit::Set(Field::Type(MemoryType::Project))],
        r#"
-"type: user\n"
+"type: project\n"
"#
        .trim_start(),
    );
    check(
        "---\nname:n\n---\n",
        &[Edit::Set(Field::Name("m"))],
        r#"
-"name:n\n"
+"name: m\n"
"#
        .trim_start(),
    );
    check(
        "---\nname:\n---\n",
        &[Edit::Set(Field::Name("m"))],
        r#"
-"name:\n"
+"name: m\n"
"#
        .trim_start(),
    );
    check(
        "---\nname: \"a\" # why\n---\n",
        &[Edit::Set(Field::Name("m"))],
        r#"
-"name: \"a\" # why\n"
+"name: \"m\" # why\n"
"#
        .trim_start(),
    );
    check(
        "---\nname: n\nprose\n---\n",
        &[Edit::Set(Field::Name("m"))],
        r#"
-"name: n\n"
+"name: m\n"
"#
        .trim_start(),
    );
}

#[test]
fn a_value_over_several_lines_becomes_one_line() {
    let text = "---\nname: n\ndescription: >\n  first\n\n  second\n\n# kept\npaths: # why\n- a\n# lost with the list\n- b\n# kept\ntype: user\n---\n";
    check(
        text,
        &[Edit::Set(Field::Description("new"))],
        r#"
-"description: >\n"
-"  first\n"
-"\n"
-"  second\n"
+"description: new\n"
"#
        .trim_start(),
    );
    check(
        text,
        &[Edit::Set(Field::Paths(&["src/**".to_owned(), "a, \"b\"".to_owned()]))],
        r##"
-"paths: # why\n"
-"- a\n"
-"# lost with the list\n"
-"- b\n"
+"paths: [\"src/**\", \"a, \\\"b\\\"\"] # why\n"
"##
        .trim_start(),
    );
}

#[test]
fn a_missing_key_goes_where_it_belongs() {
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
    check(
        NESTED,
        &[Edit::Set(Field::LastVerified(at))],
        r#"
+"    lastVerified: \"1970-01-01T00:00:01Z\"\r\n"
"#
        .trim_start(),
    );
    check(
        FLAT,
        &[Edit::Set(Field::Pinned(true))],
        r#"
+"pinned: true\n"
"#
        .trim_start(),
    );
    check(
        FLAT,
        &[Edit::Set(Field::Description("d"))],
        r#"
+"description: d\n"
"#
        .trim_start(),
    );
    check(
        "---\ndescription: d\n---\n",
        &[Edit::Set(Field::Name("one"))],
        r#"
+"name: one\n"
"#
        .trim_start(),
    );
    check(
        "---\nname: n\n# end\n---\n",
        &[Edit::Set(Field::Type(MemoryType::User)), Edit::Set(Field::Origin(Origin::Agent))],
        r#"
+"metadata:\n"
+"  type: user\n"
+"  origin: agent\n"
"#
        .trim_start(),
    );
    check(
        "---\nname: n\nmetadata: # empty\ntags: x\n---\n",
        &[Edit::Set(Field::OriginSession("1e5"))],
        r#"
+"  originSessionId: \"1e5\"\n"
"#
        .trim_start(),
    );
    check(
        "---\n  name: n\n  metadata:\n     x: y\n---\n",
        &[Edit::Set(Field::Triggers(&["a b".to_owned()]))],
        r#"
+"     triggers: [\"a b\"]\n"
"#
        .trim_start(),
    );
    check(
        "---\nname: n\nmetadata: {node_type: memory}\n---\n",
        &[Edit::Set(Field::Type(MemoryType::User))],
        r#"
+"type: user\n"
"#
        .trim_start(),
    );
}

#[test]
fn added_lines_keep_the_order_of_the_rest() {
    let edited = edit(FLAT, &[Edit::Set(Field::Description("d"))]).unwrap();
    assert_eq!(edited, "---\nname: n\ndescription: d\ntype: user\nzeta: 1\n# end\n---\nBody\n");
    let edited = edit(FLAT, &[Edit::Set(Field::Pinned(true))]).unwrap();
    assert_eq!(edited, "---\nname: n\ntype: user\nzeta: 1\npinned: true\n# end\n---\nBody\n");
}

#[test]
fn the_level_that_counts_is_edited() {
    let both = "---\ntype: user\nmetadata:\n  type: project\n---\n";
    check(
        both,
        &[Edit::Set(Field::Type(MemoryType::Feedback))],
        r#"
-"  type: project\n"
+"  type: feedback\n"
"#
        .trim_start(),
    );
    check(
        "---\ntype: user\nmetadata:\n  type:\n---\n",
        &[Edit::Set(Field::Type(MemoryType::Feedback))],
        r#"
-"type: user\n"
+"type: feedback\n"
"#
        .trim_start(),
    );
    check(
        "---\nname: one\nname: two\n---\n",
        &[Edit::Set(Field::Name("three"))],
        r#"
-"name: two\n"
+"name: three\n"
"#
        .trim_start(),
    );
    check(
        both,
        &[Edit::Remove(Key::Type)],
        r#"
-"type: user\n"
-"metadata:\n"
-"  type: project\n"
+"metadata:\n"
"#
        .trim_start(),
    );
}

#[test]
fn a_value_that_is_there_already_keeps_its_line() {
    let text = "---\nname: 'it''s'\ntype: user\nmodified: 1970-01-01\ntriggers: a, b\n---\n";
    let triggers = ["a".to_owned(), "b".to_owned()];
    let edits = [
        Edit::Set(Field::Name("it's")),
        Edit::Set(Field::Type(MemoryType::User)),
        Edit::Set(Field::Modified(SystemTime::UNIX_EPOCH)),
        Edit::Set(Field::Triggers(&triggers)),
        Edit::Set(Field::Pinned(false)),
        Edit::Remove(Key::Origin),
        Edit::Body(""),
    ];
    check(text, &edits, "");
}

#[test]
fn a_file_without_frontmatter_gets_some() {
    let edits = [Edit::Set(Field::Type(MemoryType::User)), Edit::Set(Field::Name("one"))];
    for (text, expected) in [
        ("", "---\nname: one\nmetadata:\n  type: user\n---\n"),
        ("# Title\n", "---\nname: one\nmetadata:\n  type: user\n---\n\n# Title\n"),
        ("\nB", "---\nname: one\nmetadata:\n  type: user\n---\n\n\nB"),
        (
            "\u{feff}B\r\nC",
            "\u{feff}---\r\nname: one\r\nmetadata:\r\n  type: user\r\n---\r\n\r\nB\r\nC",
        ),
    ] {
        let edited = edit(text, &edits).unwrap();
        assert_eq!(edited, expected);
        assert_eq!(parse(&edited).body, text.trim_start_matches('\u{feff}'));
    }
    assert_eq!(edit("B", &[Edit::Remove(Key::Name)]).as_deref(), Ok("B"));
}

#[test]
fn a_new_body_leaves_the_block_alone() {
    for (text, body, expected) in [
        (NESTED, "---\nname: fake\n---\n", NESTED.replace("Body\r\n", "---\nname: fake\n---\n")),
        ("---\nname: n\n---", "B", "---\nname: n\n---\nB".to_owned()),
        ("---\nname: n\n---", "", "---\nname: n\n---".to_owned()),
        ("---\r\nname: n\r\n---\r\nold", "\nB", "---\r\nname: n\r\n---\r\n\r\n\nB".to_owned()),
        ("---\nname: n\n---\n\nold", "\nB", "---\nname: n\n---\n\n\nB".to_owned()),
        ("\u{feff}old", "new", "\u{feff}new".to_owned()),
    ] {
        let edited = edit(text, &[Edit::Body(body)]).unwrap();
        assert_eq!(edited, expected);
        assert_eq!(parse(&edited).body, body);
    }
}

#[test]
fn what_cannot_be_made_sense_of_is_left_alone() {
    let name = Edit::Set(Field::Name("x"));
    let kind = Edit::Set(Field::Type(MemoryType::User));
    let limit = memdir_core::limits::MAX_BLOCK_BYTES;
    let long = format!("---\n{}---\n", "k: v\n".repeat(20_000));
    let huge = "x".repeat(limit);
    for (text, edit_, fault) in [
        ("---\nname: n\n", name, EditFault::NotClosed),
        ("---\nname: n\n", Edit::Body("B"), EditFault::NotClosed),
        (&long, name, EditFault::TooLong { limit }),
        ("---\nname: n\n---\n", Edit::Set(Field::Description(&huge)), EditFault::TooLong { limit }),
        ("---\nSome prose.\n---\n", name, EditFault::NoKeys),
        ("---\nname: \"two\nlines\"\n---\n", name, EditFault::Unclear { key: Key::Name, line: 2 }),
        (
            "---\npaths: [a,\nb]\n---\n",
            Edit::Remove(Key::Paths),
            EditFault::Unclear { key: Key::Paths, line: 2 },
        ),
        (
            "---\nname: n\nmetadata: {type: project}\n---\n",
            kind,
            EditFault::InBraces { key: Key::Type, line: 3 },
        ),
        ("old", Edit::Body("---\nname: n\n---\n"), EditFault::BodyIsBlock),
        ("old", Edit::Body("---\nnew"), EditFault::BodyIsBlock),
    ] {
        assert_eq!(edit(text, &[edit_]), Err(fault), "{text:.60}");
    }
    let faults = [
        EditFault::NotClosed,
        EditFault::TooLong { limit },
        EditFault::NoKeys,
        EditFault::Unclear { key: Key::Name, line: 2 },
        EditFault::InBraces { key: Key::Type, line: 3 },
        EditFault::BodyIsBlock,
    ];
    insta::assert_snapshot!(faults.map(|fault| fault.to_string()).join("\n"), @"
    frontmatter has no closing `---`
    frontmatter is longer than 65536 bytes
    frontmatter holds text but no keys
    line 2: the value of `name` cannot be told from what surrounds it
    line 3: `type` stands in braces; give it a line of its own
    new body would be read as frontmatter
    ");
}
