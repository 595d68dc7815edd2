//! Values are read as they were meant.

use std::time::{Duration, SystemTime};

use memdir_core::MemoryType;
use memdir_core::frontmatter::{DateSource, Key, NoteKind, Origin, Refusal, parse};

/// Reads `description: …` and gives its value and notes.
#[track_caller]
fn check(value: &str, expected: &str, notes: &[NoteKind]) {
    let text = format!("---\nname: n\ndescription: {value}\ntype: user\n---\nB\n");
    let parsed = parse(&text);
    assert_eq!(parsed.fields.description.as_deref(), Some(expected), "{value:?}");
    assert_eq!(parsed.fields.kind, Some(MemoryType::User), "{value:?}");
    let kinds: Vec<_> = parsed.notes.into_iter().map(|note| note.kind).collect();
    assert_eq!(kinds, notes, "{value:?}");
}

#[test]
fn plain_text_keeps_what_yaml_would_take_for_a_sign() {
    let advice = [NoteKind::NeedsQuotes { key: Key::Description }];
    for value in [
        "Foo: bar",
        "@x",
        "`x`",
        "*.rs",
        "[t](f.md)",
        "- x",
        "%x",
        "> x",
        "| x",
        "? x",
        "see #12",
        "# x",
        "&a b",
        "!x y",
        "{a} b",
        "[[other-note]]",
        "[wip]",
        "ends:",
        "a:\tb",
        "*a",
        "]x",
    ] {
        check(value, value, &advice);
    }
    for value in [
        "no",
        "on",
        "yes",
        "~",
        "null",
        "1.10",
        "0x1F",
        "2026-01-01",
        ".nan",
        "12:30:45",
        "1_000",
        "a#b",
        "http://x/y#z",
        "it's \"fine\"",
        "-x",
        "a, b",
        "C:\\Users",
        "规则：周五",
    ] {
        check(value, value, &[]);
    }
}

#[test]
fn quotes_are_read_as_yaml_has_them() {
    for (value, expected) in [
        (r#""a: b""#, "a: b"),
        ("'it''s'", "it's"),
        (r#""tab\tand \"quote\" \\ \u2028 \x41""#, "tab\tand \"quote\" \\ \u{2028} A"),
        (r#""a" # comment"#, "a"),
        ("'a \\n b'", "a \\n b"),
        ("\"two\n  lines\"", "two lines"),
        ("'two\n\n  lines'", "two\nlines"),
        ("\n  \"below\"", "below"),
        ("\"raw \u{2028} \u{85} \u{7f} \\u0041\"", "raw \u{2028} \u{85} \u{7f} A"),
        ("\"\u{10fffd}\u{e100} \\U0010FFFD\"", "\u{10fffd}\u{e100} \u{10fffd}"),
    ] {
        check(value, expected, &[]);
    }
}

#[test]
fn what_only_begins_like_a_quote_is_text() {
    for (value, expected, why) in [
        ("'tis", "'tis", Refusal::QuoteOpen),
        ("\"half quoted", "\"half quoted", Refusal::QuoteOpen),
        ("\"x\" y", "\"x\" y", Refusal::TextAfterQuote),
        ("\"this\" or \"that\"", "\"this\" or \"that\"", Refusal::TextAfterQuote),
        ("\"x\"# y", "\"x\"# y", Refusal::TextAfterQuote),
        ("\"x\" # y\n  z", "\"x\" # y z", Refusal::TextAfterQuote),
        ("'don't mock'", "don't mock", Refusal::TextAfterQuote),
        (r#""C:\Users\x""#, r"C:\Users\x", Refusal::Escape),
        (r#""C:\Users\""#, r"C:\Users\", Refusal::QuoteOpen),
    ] {
        check(value, expected, &[NoteKind::ReadAsText { key: Key::Description, why }]);
    }
}

#[test]
fn values_over_several_lines_are_joined() {
    for (value, expected) in [
        (">\n  first part\n  second part", "first part second part"),
        (">-\n  first\n\n  second", "first\nsecond"),
        ("|\n  first\n    second\n  # third", "first\n  second\n# third"),
        ("|2\n    first\n   second", "  first\n second"),
        ("|\n    first\n  # comment", "first"),
        ("| # comment\n  raw \u{2028} x", "raw \u{2028} x"),
        ("first\n  second\n\n  third", "first second\nthird"),
        ("\n  below", "below"),
        ("first\n  type: feedback", "first type: feedback"),
    ] {
        let notes = [NoteKind::NeedsQuotes { key: Key::Description }];
        check(value, expected, if expected.contains(": ") { &notes } else { &[] });
    }
    let why = Refusal::Indent;
    let note = [NoteKind::ReadAsText { key: Key::Description, why }];
    check("|\n    first\n  second", "first second", &note);
}

#[test]
fn no_exotic_line_break_begins_a_key() {
    for line_break in ["\u{2028}", "\u{2029}", "\u{85}", "\r", "\u{b}", "\u{c}"] {
        let value = format!("a{line_break}type: feedback{line_break}x");
        check(&value, &value, &[NoteKind::NeedsQuotes { key: Key::Description }]);
        let quoted = format!("\"\\x61{line_break}type: feedback\"");
        check(&quoted, &format!("a{line_break}type: feedback"), &[]);
    }
}

/// Reads `paths` in any form at either level.
#[track_caller]
fn check_list(value: &str, expected: &[&str], notes: &[NoteKind]) {
    let nested = value.replace('\n', "\n  ");
    for text in [
        format!("---\npaths:{value}\nname: n\n---\n"),
        format!("---\nmetadata:\n  paths:{nested}\n  type: user\nname: n\n---\n"),
        format!("---\r\nmetadata:\r\n  paths:{nested}\r\nname: n\r\n---\r\n"),
    ] {
        let parsed = parse(&text);
        assert_eq!(parsed.fields.paths, expected, "{text:?}");
        assert_eq!(parsed.fields.name.as_deref(), Some("n"), "{text:?}");
        let kinds: Vec<_> = parsed.notes.into_iter().map(|note| note.kind).collect();
        assert_eq!(kinds, notes, "{text:?}");
    }
}

#[test]
fn lists_are_read_in_every_form_that_people_write() {
    let advice = [NoteKind::NeedsQuotes { key: Key::Paths }];
    for (value, expected) in [
        ("\n  - \"**/*.ts\"\n  - 'src/**'", &["**/*.ts", "src/**"][..]),
        ("\n- a\n- b", &["a", "b"]),
        ("\n  - a\n    - b\n  - c", &["a - b", "c"]),
        (" # why\n  - a\n# comment\n\n  - b\n  -\n", &["a", "b"]),
        ("\n  - two\n    lines\n  - >\n    folded\n    text", &["two lines", "folded text"]),
        (" \"**/*.ts\"", &["**/*.ts"]),
        (" src/api/**, lib/api/**", &["src/api/**", "lib/api/**"]),
        (" \"src/**, lib/**\"", &["src/**", "lib/**"]),
        (" [\"src/**\", 'lib/**'] # comment", &["src/**", "lib/**"]),
        (" [src/**, lib/**]", &["src/**", "lib/**"]),
        (" [src/[a-z]/*.rs, \"x, y\"]", &["src/[a-z]/*.rs", "x, y"]),
        (
            " [\n  \"a\", # first, with a comma ]\n  # more\n  b,\n  'c' # last\n  ]",
            &["a", "b", "c"],
        ),
        (" []", &[]),
        (" # none", &[]),
        (" no, 1.10, ~", &["no", "1.10", "~"]),
        (" don't, can't", &["don't", "can't"]),
    ] {
        check_list(value, expected, &[]);
    }
    for (value, expected) in [
        ("\n  - **/*.ts\n  - src/**", &["**/*.ts", "src/**"][..]),
        ("\n  - when: now\n  - see #12", &["when: now", "see #12"]),
        (" **/*.ts", &["**/*.ts"]),
        (" {src,lib}/**/*.ts", &["{src,lib}/**/*.ts"]),
        (" {src,lib}/**, x", &["{src,lib}/**", "x"]),
        (" [**/*.ts, see #12]", &["**/*.ts", "see #12"]),
        (" [[one]], [[two]]", &["[[one]]", "[[two]]"]),
        ("\n  - [[one]]", &["[[one]]"]),
        (" #release, b", &["#release", "b"]),
    ] {
        check_list(value, expected, &advice);
    }
    for (value, expected, why) in [
        (" \"a, b\", c", &["a, b", "c"][..], Refusal::TextAfterQuote),
        (" [wip] a, b", &["[wip] a", "b"], Refusal::TextAfterBracket),
        (" [a, b", &["[a", "b"], Refusal::BracketOpen),
        (" a {b, c", &["a {b", "c"], Refusal::BracketOpen),
        (
            " [a, [b, [c, [d, [e, [f, [g, [h, [i, [j]]]]]]]]]]",
            &["[a", "[b", "[c", "[d", "[e", "[f", "[g", "[h", "[i", "[j]]]]]]]]]]"],
            Refusal::Depth,
        ),
    ] {
        check_list(value, expected, &[NoteKind::ReadAsText { key: Key::Paths, why }]);
    }
}

#[test]
fn dates_are_read_at_either_level() {
    let day = |days: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
    let text = "---\ncreated: 2025-01-01\nupdated: 2026-03-01T12:00:00Z # evening\n\
        last_verified: \"2026-03-30\"\nmetadata:\n  modified: 2026-03-31T08:00:00.123Z\n---\n";
    let fields = parse(text).fields;
    assert_eq!(fields.created, Some(day(20_089)));
    assert_eq!(fields.updated, Some(day(20_513) + Duration::from_secs(43_200)));
    assert_eq!(fields.last_verified, Some(day(20_542)));
    let modified = day(20_543) + Duration::from_millis(8 * 3_600_000 + 123);
    assert_eq!(fields.own_date(), Some((modified, DateSource::Modified)));

    let text = "---\ncreated: 2025-01-01\nmetadata:\n  updated: 2026-03-01\n---\n";
    assert_eq!(parse(text).fields.own_date(), Some((day(20_513), DateSource::Updated)));

    let parsed = parse("---\ncreated: soon\nmodified: 2026-13-01\n---\n");
    assert_eq!(parsed.fields.own_date(), None);
    let notes: Vec<_> = parsed.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        ["line 2: `created` is no date: `soon`", "line 3: `modified` is no date: `2026-13-01`"]
    );
}

#[test]
fn small_vocabularies_forgive_a_comment_and_keep_to_their_words() {
    let text = "---\ntype: user # me\nmetadata: # ours\n    origin: external\n    pinned: yes\n\
        \x20   originSessionId: 111\n    node_type: memory\n    lastVerified:\n---\n";
    let parsed = parse(text);
    assert_eq!(parsed.fields.kind, Some(MemoryType::User));
    assert_eq!(parsed.fields.origin, Some(Origin::External));
    assert_eq!(parsed.fields.origin_session.as_deref(), Some("111"));
    assert_eq!((parsed.fields.pinned, parsed.notes), (true, vec![]));

    let parsed = parse("---\norigin: moon\npinned: always\ntype: User\n---\n");
    assert_eq!((parsed.fields.origin, parsed.fields.pinned), (None, true));
    assert_eq!(parsed.fields.kind_text.as_deref(), Some("User"));
    let kinds: Vec<_> = parsed.notes.into_iter().map(|note| note.kind).collect();
    assert_eq!(
        kinds,
        [
            NoteKind::UnknownWord { key: Key::Origin, text: "moon".to_owned() },
            NoteKind::UnknownWord { key: Key::Pinned, text: "always".to_owned() },
            NoteKind::UnknownType { text: "User".to_owned() },
        ]
    );
    for no in ["false", "no", "off", "~", "\"\"", "False"] {
        assert!(!parse(&format!("---\npinned: {no}\n---\n")).fields.pinned, "{no}");
    }
}

#[test]
fn metadata_may_stand_in_braces() {
    let text = "---\nname: n\nmetadata: {y: 'a, type: project', type: user, triggers: [\"a, b\", c], 'pinned': true, x: {y: 'z, type: user}'}}\n---\n";
    let parsed = parse(text);
    assert_eq!(parsed.fields.kind, Some(MemoryType::User));
    assert_eq!(parsed.fields.triggers, ["a, b", "c"]);
    assert_eq!((parsed.fields.pinned, parsed.notes), (true, vec![]));

    let parsed = parse("---\nmetadata: none\ntype: user\n---\n");
    assert_eq!(parsed.fields.kind, Some(MemoryType::User));
    assert_eq!(parsed.notes[0].to_string(), "line 2: `metadata` holds no keys");
}
