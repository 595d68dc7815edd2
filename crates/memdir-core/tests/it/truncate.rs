//! What of an index goes into a prompt, and what is said about the rest.

use memdir_core::truncate::{Limits, Truncated, Unit, truncate};
use proptest::prelude::*;

/// The lines and bytes kept, what was cut, and the warning if there is one.
fn check(text: &str, limits: &Limits) -> String {
    let result = truncate(text, limits);
    assert!(text.trim().starts_with(result.kept()) || limits.strip, "{:?}", result.kept());
    let cut = match (result.was_line_truncated, result.was_byte_truncated) {
        (false, false) => "nothing",
        (true, false) => "lines",
        (false, true) => "bytes",
        (true, true) => "lines and bytes",
    };
    format!(
        "{} lines, {} bytes; kept {} lines, {} bytes; cut {cut}\n{}",
        result.line_count,
        result.byte_count,
        result.kept().lines().count(),
        result.kept().len(),
        warning(&result)
    )
}

fn warning(result: &Truncated) -> &str {
    result.content.strip_prefix(result.kept()).expect("the kept text comes first").trim_start()
}

/// Entries as in the reports: `count` lines, the hook of each `hook` repeated.
fn index(count: usize, title: &str, name: char, hook: &str) -> String {
    let lines = (0..count).map(|n| format!("- [{title}{n:03}]({name}{n:03}.md) - {hook}\n"));
    lines.collect::<Vec<_>>().concat()
}

fn numbered(count: usize, end: &str) -> String {
    let lines = (0..count).map(|n| format!("- [a{n}](a{n}.md){end}"));
    lines.collect::<Vec<_>>().concat()
}

/// The reported index: byte 25,000 falls inside a `固`.
fn long_cjk() -> String {
    let long = format!("- [记忆105](m105.md) - xx{}\n", "固".repeat(200));
    index(105, "记忆", 'm', &"固".repeat(70)) + &long + "- [tail](tail.md) - after\n"
}

fn long_last_line(bytes: usize) -> String {
    let entries = index(140, "e", 'e', &"y".repeat(150));
    let entries = entries.trim_end();
    format!("{entries}{}", "z".repeat(bytes - entries.len()))
}

fn emoji() -> String {
    let families = "👩‍👩‍👧‍👦👨‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(2);
    let lines = (0..190).map(|n| format!("- [f{n}](f{n}.md) - {families}\n"));
    lines.collect::<Vec<_>>().concat()
}

#[test]
fn a_cut_never_lands_inside_a_character() {
    let limits = Limits::default();
    insta::assert_snapshot!(check(&long_cjk(), &limits), @r#"
    107 lines, 25433 bytes; kept 105 lines, 24779 bytes; cut bytes
    > Not all of this index is here: it has 107 lines and 25,433 bytes, and the limit is 200 lines and 25,000 bytes. Left out: 2 lines from line 106 on ("- [记忆105](m105.md) - xx固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固固…"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
    insta::assert_snapshot!(check(&"固".repeat(10_000), &limits), @"
    1 lines, 30000 bytes; kept 1 lines, 24999 bytes; cut bytes
    > Not all of this index is here: it has 1 line and 30,000 bytes, and the limit is 200 lines and 25,000 bytes. Left out: all after the first 24,999 bytes of line 1. Keep an entry to one line of under 200 characters and move detail into topic files.
    ");
    insta::assert_snapshot!(check(&emoji(), &limits), @r#"
    190 lines, 28089 bytes; kept 169 lines, 24960 bytes; cut bytes
    > Not all of this index is here: it has 190 lines and 28,089 bytes, and the limit is 200 lines and 25,000 bytes. Left out: 21 lines from line 170 on ("- [f169](f169.md) - 👩‍👩‍👧‍👦👨‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿👩‍👩‍👧‍👦👨‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
}

#[test]
fn limits_are_exact_and_count_bytes() {
    let limits = Limits::default();
    insta::assert_snapshot!(check(&numbered(200, "\n"), &limits), @"200 lines, 3379 bytes; kept 200 lines, 3379 bytes; cut nothing");
    insta::assert_snapshot!(check(&(numbered(200, "\n") + "- [x](x.md)\n"), &limits), @r#"
    201 lines, 3391 bytes; kept 200 lines, 3379 bytes; cut lines
    > Not all of this index is here: it has 201 lines and 3,391 bytes, and the limit is 200 lines and 25,000 bytes. Left out: 1 line from line 201 on ("- [x](x.md)"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
    insta::assert_snapshot!(check(&long_last_line(25_000), &limits), @"140 lines, 25000 bytes; kept 140 lines, 25000 bytes; cut nothing");
    insta::assert_snapshot!(check(&long_last_line(25_001), &limits), @r#"
    140 lines, 25001 bytes; kept 139 lines, 23768 bytes; cut bytes
    > Not all of this index is here: it has 140 lines and 25,001 bytes, and the limit is 200 lines and 25,000 bytes. Left out: 1 line from line 140 on ("- [e139](e139.md) - yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
    insta::assert_snapshot!(check(&index(150, "条", 'c', &"记".repeat(62)), &limits), @r#"
    150 lines, 31349 bytes; kept 119 lines, 24870 bytes; cut bytes
    > Not all of this index is here: it has 150 lines and 31,349 bytes, and the limit is 200 lines and 25,000 bytes. Left out: 31 lines from line 120 on ("- [条119](c119.md) - 记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记记…"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
    insta::assert_snapshot!(check(&numbered(200, "\r\n"), &limits), @"200 lines, 3578 bytes; kept 200 lines, 3578 bytes; cut nothing");
}

#[test]
fn a_line_that_ends_exactly_at_the_limit_is_kept_whole() {
    let kept = |text: &str, bytes| truncate(text, &Limits::new(9, bytes)).kept().to_owned();
    assert_eq!(kept("ab\ncd\nef", 5), "ab\ncd");
    assert_eq!(kept("ab\ncd\nef", 4), "ab");
    assert_eq!(kept("ab\r\ncd\r\nef", 6), "ab\r\ncd");
    assert_eq!(kept("ab\r\ncd\r\nef", 7), "ab\r\ncd");
    assert_eq!(kept("ab   \ncd", 3), "ab");
}

#[test]
fn both_limits_at_once_are_both_told() {
    insta::assert_snapshot!(check(&index(230, "e", 'e', &"y".repeat(170)), &Limits::default()), @r#"
    230 lines, 43929 bytes; kept 130 lines, 24829 bytes; cut lines and bytes
    > Not all of this index is here: it has 230 lines and 43,929 bytes, and the limit is 200 lines and 25,000 bytes. Left out: 100 lines from line 131 on ("- [e130](e130.md) - yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
}

#[test]
fn white_space_only_is_an_empty_index() {
    for text in ["", "\n", "\n \n\n", "\r\n\t\r\n", "\u{feff}", "\u{feff} \n"] {
        let result = truncate(text, &Limits::default());
        assert_eq!(
            (result.content.as_str(), result.line_count, result.byte_count),
            ("", 0, 0),
            "{text:?}"
        );
    }
}

#[test]
fn a_limit_of_nothing_keeps_nothing_and_says_so() {
    insta::assert_snapshot!(check("- [a](a.md)\n- [b](b.md)\n", &Limits::new(0, 100)), @r#"
    2 lines, 23 bytes; kept 0 lines, 0 bytes; cut lines
    > Not all of this index is here: it has 2 lines and 23 bytes, and the limit is 0 lines and 100 bytes. Left out: 2 lines from line 1 on ("- [a](a.md)"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
    insta::assert_snapshot!(check("- [a](a.md)\n- [b](b.md)\n", &Limits::new(100, 0)), @r#"
    2 lines, 23 bytes; kept 0 lines, 0 bytes; cut bytes
    > Not all of this index is here: it has 2 lines and 23 bytes, and the limit is 100 lines and 0 bytes. Left out: 2 lines from line 1 on ("- [a](a.md)"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
}

#[test]
fn the_warning_repeats_no_control_character_of_the_line_it_names() {
    let hostile = "- [a](a.md)\n\u{1b}[2Jgone\u{202e}\r\u{7}\n";
    insta::assert_snapshot!(check(hostile, &Limits::new(1, 100)), @r#"
    2 lines, 25 bytes; kept 1 lines, 11 bytes; cut lines
    > Not all of this index is here: it has 2 lines and 25 bytes, and the limit is 1 line and 100 bytes. Left out: 1 line from line 2 on ("\u{1b}[2Jgone\u{202e}\r\u{7}"). Keep an entry to one line of under 200 characters and move detail into topic files.
    "#);
}

#[test]
fn the_preset_counts_and_strips_as_the_client_does() {
    let text = "\u{feff}---\r\ntitle: x\r\n---\r\n<!-- note\r\nto people -->\r\n- [a](a.md) — one\r\n\r\n```\r\n<!-- code -->\r\n```\r\n<!-- open\r\n";
    let result = truncate(text, &Limits::claude_code());
    assert_eq!(result.content, "- [a](a.md) — one\n\n```\n<!-- code -->\n```\n<!-- open");
    assert_eq!(
        truncate("<!-- a --> b\n<!-- c -->\nd <!-- e -->", &Limits::claude_code()).content,
        "b\nd <!-- e -->"
    );

    let code = "````\n```\n<!-- code -->\n````\n<!-- gone -->\n~~~\n```\n<!-- code -->\n~~~\nend";
    assert_eq!(truncate(code, &Limits::claude_code()).content, code.replace("<!-- gone -->\n", ""));

    let wide = index(150, "条", 'c', &"记".repeat(110));
    assert!(wide.len() > 50_000);
    assert_eq!(truncate(&wide, &Limits::claude_code()).content, wide.trim_end());
    insta::assert_snapshot!(check(&"👍".repeat(12_501), &Limits::claude_code()), @"
    1 lines, 50004 bytes; kept 1 lines, 50000 bytes; cut bytes
    > Not all of this index is here: it has 1 line and 25,002 UTF-16 units, and the limit is 200 lines and 25,000 UTF-16 units. Left out: all after the first 25,000 UTF-16 units of line 1. Keep an entry to one line of under 200 characters and move detail into topic files.
    ");
}

#[test]
fn a_megabyte_of_comment_openings_is_read_in_one_pass() {
    let text = "<!--\n".repeat(200_000);
    let result = truncate(&text, &Limits::claude_code());
    assert_eq!((result.line_count, result.was_line_truncated), (200_000, true));
}

fn units(text: &str, unit: Unit) -> usize {
    if unit == Unit::Utf16 { text.encode_utf16().count() } else { text.len() }
}

proptest! {
    #[test]
    fn what_is_kept_is_within_both_limits_and_ends_at_a_line_if_it_can(
        text in "(\\PC{0,6}|[ \t]|\r\n|\n|固|👍){0,30}",
        max_lines in 0..12_usize,
        max_units in 0..60_usize,
        utf16 in any::<bool>(),
    ) {
        let mut limits = Limits::new(max_lines, max_units);
        if utf16 {
            limits.unit = Unit::Utf16;
        }
        let result = truncate(&text, &limits);
        let kept = result.kept();
        prop_assert!(kept.lines().count() <= max_lines);
        prop_assert!(units(kept, limits.unit) <= max_units);
        let cut = result.was_line_truncated || result.was_byte_truncated;
        prop_assert_eq!(cut, !warning(&result).is_empty());
        prop_assert!(!warning(&result).contains('\n'));

        let whole = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').trim_end();
        let rest = whole.strip_prefix(kept).expect("a prefix is kept");
        prop_assert_eq!(cut, !rest.is_empty());
        if cut && kept.contains('\n') {
            prop_assert!(rest.starts_with('\n') || rest.starts_with(char::is_whitespace), "{:?} {:?}", kept, rest);
        }
        if cut && !kept.is_empty() && !rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']) && !rest.starts_with(char::is_whitespace) {
            let first = whole.lines().next().expect("a line");
            prop_assert!(first.starts_with(kept) && units(first, limits.unit) > max_units);
        }
        let again = truncate(kept, &limits);
        prop_assert_eq!((again.content.as_str(), warning(&again)), (kept, ""));
    }
}

#[test]
fn no_limit_from_zero_up_panics_or_leaves_the_limits() {
    for text in [long_cjk(), "固".repeat(10_000), emoji()] {
        for max_bytes in (0..400).chain((400..30_100).step_by(97)).chain(24_900..25_100) {
            for strip in [Limits::new(200, max_bytes), Limits::new(max_bytes, 25_000)] {
                let result = truncate(&text, &strip);
                assert!(result.kept().len() <= strip.max_units, "{max_bytes}");
                assert!(result.kept().lines().count() <= strip.max_lines, "{max_bytes}");
            }
        }
    }
}
