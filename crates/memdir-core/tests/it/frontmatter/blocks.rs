//! Where a block begins and ends, and what it may hold.

use std::fmt::Write as _;

use memdir_core::frontmatter::{
    BlockEnd, Key, NoteKind, Origin, Parsed, Shape, block_end, decode, parse,
};
use memdir_core::{MemoryType, limits};

#[track_caller]
fn check(text: &str, name: Option<&str>, block: &str, body: &str) {
    let parsed = parse(text);
    assert_eq!(
        (parsed.fields.name.as_deref(), parsed.block, parsed.body),
        (name, block, body),
        "{text:?}"
    );
    let end = block_end(text.as_bytes());
    if parsed.shape == Shape::None {
        assert_ne!(end, BlockEnd::At(text.len()), "{text:?}");
    } else if block.ends_with('\n') {
        let fenced = block.trim_end_matches(['\r', '\n']).len();
        assert!(matches!(end, BlockEnd::At(at) if at > fenced && at <= block.len()), "{text:?}");
    }
}

#[test]
fn fences_stand_at_byte_zero_and_alone_on_their_line() {
    check("", None, "", "");
    check("---\nname: n\n---\nB", Some("n"), "---\nname: n\n---\n", "B");
    check("---\nname: n\n---\n\n\nB", Some("n"), "---\nname: n\n---\n\n", "\nB");
    check(
        "---\r\nname: n\r\n---\r\n\r\nB\r\n",
        Some("n"),
        "---\r\nname: n\r\n---\r\n\r\n",
        "B\r\n",
    );
    check("\u{feff}---  \nname: n\n--- \t\nB", Some("n"), "\u{feff}---  \nname: n\n--- \t\n", "B");
    check("---\nname: n\n---", Some("n"), "---\nname: n\n---", "");
    check("---\n---\n", None, "---\n---\n", "");
    check(
        "---\n--- x\nname: n\n----\n---x\n...\n---\nB",
        Some("n"),
        "---\n--- x\nname: n\n----\n---x\n...\n---\n",
        "B",
    );
    for text in
        ["\n---\nname: n\n---\n", " ---\nname: n\n---\n", "----\nname: n\n---\n", "B", "-", "---x"]
    {
        check(text, None, "", text);
    }
    check("\u{feff}B", None, "\u{feff}", "B");
}

#[test]
fn without_a_closing_fence_all_is_body() {
    for text in ["---", "---\n", "---\nname: n\nB\n", "---\r\nname: n\r\n...\r\n"] {
        let parsed = parse(text);
        let notes: Vec<_> = parsed.notes.iter().map(|note| &note.kind).collect();
        assert_eq!(
            (parsed.fields.name, parsed.body, notes),
            (None, text, vec![&NoteKind::NotClosed])
        );
        assert_eq!(block_end(text.as_bytes()), BlockEnd::Beyond);
    }
}

#[test]
fn the_fence_must_come_within_the_limit() {
    let block = |length: usize| {
        let line = "name: n\nx: ";
        let rest = length - "---\n".len() - line.len() - "\n---\n".len();
        format!("---\n{line}{}\n---\n", "x".repeat(rest))
    };
    let fits = block(limits::MAX_BLOCK_BYTES) + "B";
    assert_eq!(parse(&fits).fields.name.as_deref(), Some("n"));
    assert_eq!(block_end(fits.as_bytes()), BlockEnd::At(limits::MAX_BLOCK_BYTES));
    let text = block(limits::MAX_BLOCK_BYTES + 1) + "B";
    let Parsed { fields, body, notes, .. } = parse(&text);
    assert_eq!((fields.name, body), (None, text.as_str()));
    assert_eq!(notes[0].kind, NoteKind::TooLong);
    assert_eq!(block_end(text.as_bytes()), BlockEnd::TooLong);
    assert_eq!(block_end(&text.as_bytes()[..limits::MAX_BLOCK_BYTES]), BlockEnd::TooLong);
    assert_eq!(block_end(&text.as_bytes()[..100]), BlockEnd::Beyond);
}

#[test]
fn a_fence_cut_off_by_the_limit_is_none() {
    let start = "---\nname: n\nx: ";
    let filler = "x".repeat(limits::MAX_BLOCK_BYTES - start.len() - "\n---".len());
    let text = format!("{start}{filler}\n---not a fence\n---\nB");
    assert_eq!(parse(&text).notes[0].kind, NoteKind::TooLong);
    assert_eq!(block_end(b"---\nname: n\n---"), BlockEnd::Beyond);
}

#[test]
fn many_lines_are_read_and_noted() {
    let mut text = "---\n".to_owned();
    for line in 0..40 {
        writeln!(text, "key{line}: x").unwrap();
    }
    text += "name: n\n---\nB";
    let parsed = parse(&text);
    assert_eq!(parsed.fields.name.as_deref(), Some("n"));
    assert_eq!(parsed.notes[0].to_string(), "line 43: frontmatter of 43 lines (aim: 30)");
    assert!(parsed.notes[0].kind.is_advice());
}

#[test]
fn lines_that_are_no_keys_are_passed_over() {
    let parsed = parse(
        "---\nSome prose\nname: one\n- item: x\n# comment\n\n  stray: x\ntype: user\nmetadata:\n  origin: agent\n\
         Prose\n  pinned: true\n---\n",
    );
    assert_eq!(parsed.fields.name.as_deref(), Some("one"));
    assert_eq!(parsed.fields.kind_text.as_deref(), Some("user"));
    assert_eq!((parsed.fields.origin, parsed.fields.pinned), (Some(Origin::Agent), false));
    let lines: Vec<_> = parsed.notes.iter().map(|note| (note.line, &note.kind)).collect();
    assert_eq!(lines, [2, 4, 7, 11, 12].map(|line| (line, &NoteKind::StrayLine)));
}

#[test]
fn all_keys_may_be_indented() {
    let parsed = parse("---\n  name: one\nmetadata:\n  type: user\n  name: two\n---\n");
    assert_eq!((parsed.fields.name.as_deref(), parsed.notes), (Some("one"), vec![]));
    assert_eq!((parsed.fields.kind, parsed.shape), (Some(MemoryType::User), Shape::Nested));
    let parsed = parse("---\n  metadata:\n    type: user\n  type: project\n---\n");
    assert_eq!(parsed.notes[0].kind, NoteKind::NestedWins { key: Key::Type });
}

#[test]
fn other_keys_hide_nothing() {
    let text = "---\ntags:\n  - name: x\n  type: feedback\nnested:\n  metadata:\n    type: user\n  name: y\n\
        name: n\nmetadata:\n  other:\n    type: reference\n  name: z\n  type: project\ntype: user\n---\n";
    let parsed = parse(text);
    assert_eq!(parsed.fields.name.as_deref(), Some("n"));
    assert_eq!(parsed.fields.kind_text.as_deref(), Some("project"));
    let kinds: Vec<_> = parsed.notes.into_iter().map(|note| note.kind).collect();
    assert_eq!(kinds, [NoteKind::NestedWins { key: Key::Type }]);
}

#[test]
fn an_empty_value_is_as_good_as_none() {
    let parsed = parse("---\nname:\ndescription: \"\"\ntype: user\nmetadata:\n  type:\n---\n");
    assert_eq!((parsed.fields.name, parsed.fields.description), (None, None));
    assert_eq!((parsed.fields.kind_text.as_deref(), parsed.notes), (Some("user"), vec![]));
}

#[test]
fn keys_may_be_quoted_and_need_no_blank() {
    let parsed = parse("---\n\"name\": n\n'description' : d\ntype:user\n---\n");
    assert_eq!(parsed.fields.name.as_deref(), Some("n"));
    assert_eq!(parsed.fields.description.as_deref(), Some("d"));
    assert_eq!(parsed.fields.kind_text.as_deref(), Some("user"));
}

#[test]
fn bytes_that_are_not_utf8_are_shown_and_noted() {
    let (text, note) = decode(b"---\nname: caf\xe9\n---\nB");
    assert_eq!(parse(&text).fields.name.as_deref(), Some("caf\u{fffd}"));
    assert_eq!(
        note.unwrap().to_string(),
        "line 2: not UTF-8; unreadable bytes are shown as `\u{fffd}`"
    );
    assert_eq!(decode("ü".as_bytes()), ("ü".into(), None));
}

#[test]
fn bombs_cost_little() {
    let anchors = "  a: &a [*a, *a]\n".repeat(9);
    let long = "x".repeat(50_000);
    let blocks = [
        format!("metadata:\n{anchors}"),
        format!("description: &a {long}\npaths: [{}]", "*a,".repeat(4_000)),
        format!("paths: {}", "[".repeat(65_000)),
        format!("paths: {}", "[\"".repeat(30_000)),
        format!("paths: {}", "',".repeat(30_000)),
        format!("description: {}", "\"\\".repeat(30_000)),
        format!("description: \"{}\"", "\\u0041".repeat(10_000)),
        format!("description: \"\\t{}\"", "\n ".repeat(30_000)),
        format!("description: >\n{}", " a\n".repeat(20_000)),
        format!("description: |\n  a\n{}", "  # [[[[\n".repeat(7_000)),
        format!("description: |\n    a\n  {}", "[".repeat(60_000)),
        format!("metadata: {}", "{a: ".repeat(16_000)),
        format!("metadata:\n{}", "  triggers: 'x\n".repeat(4_000)),
        format!("paths:\n{}", "- \"\\t\"\n".repeat(8_000)),
        (0..3_000).fold(String::new(), |text, depth| {
            if text.len() > 60_000 { text } else { text + &" ".repeat(depth) + "a:\n" }
        }),
        (0..9_000).fold(String::new(), |text, _| text + "k: v\n"),
        "stray\n".repeat(10_000),
        "name: n\n".repeat(8_000),
    ];
    for block in blocks {
        let text = format!("---\nname: n\n{block}\n---\nB");
        let text = if text.len() > 70_000 { continue } else { text };
        let parsed = parse(&text);
        assert_eq!(parsed.fields.name.as_deref(), Some("n"), "{block:.80}");
        assert_eq!(parsed.body, "B", "{block:.80}");
        assert!(parsed.notes.len() <= limits::MAX_NOTES, "{block:.80}");
    }
    for huge in ["name: x", "[", "k: v\n", "description: \"\\x"] {
        let text = format!("---\nname: n\n{}\n---\nB", huge.repeat(10_000_000 / huge.len()));
        let parsed = parse(&text);
        assert_eq!((parsed.fields.name, parsed.body.len()), (None, text.len()), "{huge}");
    }
}
