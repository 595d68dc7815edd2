//! Reading and editing MEMORY.md.

use memdir_core::{
    MemPath,
    index::{Change, Edited, Editor, Entry, lines, neutral, remove, restore_line, upsert},
};
use proptest::prelude::*;
use serde_json::Value;

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("a path")
}

fn set(text: &str, target: &str, title: &str, hook: &str) -> Edited {
    upsert(text, &Entry { path: &path(target), title, hook })
}

/// What was done, the line before and after, and the text with its line ends made visible.
fn check(edited: &Edited) -> String {
    let shown = edited.text.replace('\r', "␍");
    format!("{:?} {:?} → {:?}\n{shown}", edited.action, edited.before, edited.after)
}

#[test]
fn pointers_are_read_in_every_form_that_people_write() {
    let text = "\u{feff}# Memory\n\
        - [Role](user_role.md) — data engineer\n\
        * [Role](./user_role.md) - dash\n\
        + [Role](user_role.md) -- two dashes\n\
        1. [Role](user_role.md): colon\n\
        - [ ] [Role](<user role.md>) – angle\n\
        - **[Role](user%20role.md)** — bold\n\
        - [Role](user_role.md \"a title\") — titled\n\
        - [Role](user role.md#part) — space and fragment\n\
        - [Role](user_role_(old).md) — balanced\n\
        \t- [角色](用户_角色.md)：全角\n\
        [Role](user\\_role.md)\n\
        - [Role](user_role.md) without a mark\n\
        - [Role](user_role.md) —\n\
        - [Docs](https://example.com/a.md) - outside\n\
        - [Up](../secret.md) - outside\n\
        - [A](a.md), [B](b.md) - two at once\n\
        - [C#](C# notes.md) - a hash in the name\n\
        See also [Role](user_role.md) in prose.\n\
        ## [Heading](h.md)\n\
        \n\
        - plain item\n\
        - [broken](a.md";
    let shown: String = lines(text)
        .map(|line| match line.pointer {
            Some(p) => format!(
                "{:2} {:?} {:?} {:?} {:?} = {:?}\n",
                line.number,
                p.title,
                p.target,
                p.separator,
                p.hook,
                p.path().map(|path| path.to_string())
            ),
            None => format!("{:2} no pointer: {}\n", line.number, line.text),
        })
        .collect();
    insta::assert_snapshot!(shown, @r#"
     1 no pointer: ﻿# Memory
     2 "Role" "user_role.md" " — " "data engineer" = Some("user_role.md")
     3 "Role" "./user_role.md" " - " "dash" = Some("user_role.md")
     4 "Role" "user_role.md" " -- " "two dashes" = Some("user_role.md")
     5 "Role" "user_role.md" ": " "colon" = Some("user_role.md")
     6 "Role" "user role.md" " – " "angle" = Some("user role.md")
     7 "Role" "user%20role.md" " — " "bold" = Some("user role.md")
     8 "Role" "user_role.md" " — " "titled" = Some("user_role.md")
     9 "Role" "user role.md#part" " — " "space and fragment" = Some("user role.md")
    10 "Role" "user_role_(old).md" " — " "balanced" = Some("user_role_(old).md")
    11 "角色" "用户_角色.md" "：" "全角" = Some("用户_角色.md")
    12 "Role" "user\\_role.md" "" "" = Some("user_role.md")
    13 "Role" "user_role.md" "" "without a mark" = Some("user_role.md")
    14 "Role" "user_role.md" "" "" = Some("user_role.md")
    15 "Docs" "https://example.com/a.md" " - " "outside" = None
    16 "Up" "../secret.md" " - " "outside" = None
    17 no pointer: - [A](a.md), [B](b.md) - two at once
    18 "C#" "C# notes.md" " - " "a hash in the name" = Some("C# notes.md")
    19 no pointer: See also [Role](user_role.md) in prose.
    20 no pointer: ## [Heading](h.md)
    21 no pointer: 
    22 no pointer: - plain item
    23 no pointer: - [broken](a.md
    "#);
}

#[test]
fn case_index_07_a_line_is_appended_whole_and_with_the_line_ends_in_use() {
    let expect: Value =
        serde_json::from_str(include_str!("../cases/index-07/expect.json")).expect("JSON");
    for (name, text) in [
        ("nonl.md", include_str!("../cases/index-07/nonl.md")),
        ("crlf.md", include_str!("../cases/index-07/crlf.md")),
    ] {
        let edited = set(text, "new.md", "New", "hook");
        assert_eq!(Some(edited.text.as_str()), expect[name].as_str(), "{name}");
        assert_eq!(edited.after.as_deref(), Some("- [New](new.md) - hook"));
    }
}

#[test]
fn an_entry_that_is_there_is_updated_in_place() {
    let text = "# Memory\r\n\r\n  * **[Old](./sub/a%20b.md \"t\")** -- old hook  \r\n* [B](b.md): two\n\nprose";
    insta::assert_snapshot!(check(&set(text, "sub/a b.md", "New", "new hook")), @r#"
    Updated Some("  * **[Old](./sub/a%20b.md \"t\")** -- old hook  ") → Some("  * **[New](./sub/a%20b.md \"t\")** -- new hook")
    # Memory␍
    ␍
      * **[New](./sub/a%20b.md "t")** -- new hook␍
    * [B](b.md): two

    prose
    "#);
    insta::assert_snapshot!(check(&set(text, "sub/a b.md", "New", "")), @r#"
    Updated Some("  * **[Old](./sub/a%20b.md \"t\")** -- old hook  ") → Some("  * **[New](./sub/a%20b.md \"t\")**")
    # Memory␍
    ␍
      * **[New](./sub/a%20b.md "t")**␍
    * [B](b.md): two

    prose
    "#);
    insta::assert_snapshot!(check(&set(text, "b.md", "B", "two")), @r#"
    Unchanged Some("* [B](b.md): two") → Some("* [B](b.md): two")
    # Memory␍
    ␍
      * **[Old](./sub/a%20b.md "t")** -- old hook  ␍
    * [B](b.md): two

    prose
    "#);
    insta::assert_snapshot!(check(&set(text, "c (1) 100%.md", "", "")), @r#"
    Added None → Some("* [c (1) 100%](c%20%281%29%20100%25.md)")
    # Memory␍
    ␍
      * **[Old](./sub/a%20b.md "t")** -- old hook  ␍
    * [B](b.md): two

    prose
    * [c (1) 100%](c%20%281%29%20100%25.md)
    "#);
}

#[test]
fn normal_forms_and_encodings_of_one_name_are_one_entry() {
    for target in
        ["caf\u{e9}.md", "cafe\u{301}.md", "caf%C3%A9.md", "cafe%CC%81.md", "./caf\u{e9}.md#top"]
    {
        let text = format!("- [Café]({target}) — old\n");
        let edited = set(&text, "caf\u{e9}.md", "Café", "new");
        assert_eq!(edited.text, format!("- [Café]({target}) — new\n"));
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let edited = set("\u{feff}* [A](a.md) - one\n", "a.md", "A", "two");
    assert_eq!(edited.text, "\u{feff}* [A](a.md) - two\n");
    assert_eq!(set(&edited.text, "b.md", "B", "").after.as_deref(), Some("* [B](b.md)"));
}

#[test]
fn a_megabyte_of_link_openings_is_read_in_one_pass() {
    for piece in ["](", "](<", "[[", "[a](b", "[](("] {
        let text = piece.repeat((1 << 20) / piece.len());
        assert_eq!(lines(&text).filter(|line| line.pointer.is_some()).count(), 0, "{piece}");
        let found = memdir_core::index::check(&text, &[], |_| None);
        assert_eq!(found.orphans, [], "{piece}");
    }
}

#[test]
fn a_new_line_takes_the_commonest_separator_and_of_equals_the_last() {
    let added = |text: &str| set(text, "new.md", "New", "hook").after.expect("a line");
    assert_eq!(added("- [A](a.md) - x\n- [B](b.md): x\n- [C](c.md): x\n"), "- [New](new.md): hook");
    assert_eq!(added("- [A](a.md) - x\n- [B](b.md): x\n"), "- [New](new.md): hook");
    assert_eq!(added("- [A](a.md)\n- [B](b.md) x\n"), "- [New](new.md) — hook");

    let spaces = |n: usize| format!("{n:018b}").replace('0', " ").replace('1', "\t");
    let unlike: Vec<_> = (0..100_000).map(|n| format!("[A](a.md){}— x\n", spaces(n))).collect();
    assert_eq!(added(&unlike.concat()), format!("- [New](new.md){}— hook", spaces(99_999)));
}

#[test]
fn a_hostile_title_or_hook_is_one_harmless_line() {
    let cases = [
        "a\nb",
        "a\r\n- [x](y.md)",
        "a] b",
        "a](evil.md) [b",
        "a | b",
        "<!-- a",
        "a --> b",
        "<!<!-- ----> -->",
        "a\\",
        "a\u{202e}b\u{2066}c",
        "a\u{200b}b\u{e0041}c\u{feff}",
        "\u{1b}[2Ja\u{7}\u{9b}b",
        "a\u{2028}b\u{85}c",
        "👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "می‌خواهم",
        "x\u{fe0f}\u{200d}👩",
        " \t ",
    ];
    let shown: Vec<_> = cases.iter().map(|text| format!("{:?}", neutral(text))).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    "a b"
    "a - (x)(y.md)"
    "a) b"
    "a)(evil.md) (b"
    "a / b"
    "<! -- a"
    "a -- > b"
    "<!<! -- ---- > -- >"
    "a"
    "abc"
    "abc"
    "(2Jab"
    "a b c"
    "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f} 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"
    "می\u{200c}خواهم"
    "x👩"
    ""
    "#);
    for text in cases {
        let edited = set("- [A](a.md) - one\n", "new.md", text, text);
        let pointers: Vec<_> =
            lines(&edited.text).filter_map(|line| line.pointer?.path()).collect();
        assert_eq!(pointers, [path("a.md"), path("new.md")], "{text:?}");
    }
}

#[test]
fn removing_takes_every_line_of_that_memory_and_no_other() {
    let text = "# A\n- [A](a.md) — one\nprose [A](a.md)\n- [A again](./a.md)\n- [B](b.md) — not [A](a.md)\n- [A](a.md), [B](b.md)\n- [C](a.md.md)";
    insta::assert_snapshot!(check(&remove(text, &path("a.md"))), @r#"
    Removed Some("- [A](a.md) — one\n- [A again](./a.md)") → None
    # A
    prose [A](a.md)
    - [B](b.md) — not [A](a.md)
    - [A](a.md), [B](b.md)
    - [C](a.md.md)
    "#);
    insta::assert_snapshot!(check(&remove(text, &path("A.md"))), @"
    Unchanged None → None
    # A
    - [A](a.md) — one
    prose [A](a.md)
    - [A again](./a.md)
    - [B](b.md) — not [A](a.md)
    - [A](a.md), [B](b.md)
    - [C](a.md.md)
    ");
}

#[test]
fn restoring_brings_back_what_an_edit_reported_as_before() {
    let text = "# A\n* [A](./a.md): one\n* [B](b.md): two\n";
    let updated = set(text, "a.md", "A", "three");
    let back = restore_line(&updated.text, &path("a.md"), updated.before.as_deref());
    assert_eq!(back.text, text);

    let added = set(text, "c.md", "C", "new");
    assert_eq!(restore_line(&added.text, &path("c.md"), added.before.as_deref()).text, text);

    let twice = "- [A](a.md) x\r\n- [B](b.md)\r\n- [A](a.md) y\r\n";
    let removed = remove(twice, &path("a.md"));
    insta::assert_snapshot!(check(&restore_line(&removed.text, &path("a.md"), removed.before.as_deref())), @r#"
    Added None → Some("- [A](a.md) x\n- [A](a.md) y")
    - [B](b.md)␍
    - [A](a.md) x␍
    - [A](a.md) y␍
    "#);
    let again = restore_line(text, &path("a.md"), Some("* [A](./a.md): one"));
    insta::assert_snapshot!(check(&again), @r#"
    Unchanged Some("* [A](./a.md): one") → Some("* [A](./a.md): one")
    # A
    * [A](./a.md): one
    * [B](b.md): two
    "#);
}

#[test]
fn a_line_becomes_several_at_one_spot_any_number_of_times() {
    let text = "- [A](a.md) 0\n- [B](b.md)\n- [A](a.md) last";
    let mut editor = Editor::new(text);
    let mut expected = text.to_owned();
    for round in 1..200 {
        let lines = format!("- [A](a.md) {round}\n- [A](a.md) below {round}");
        editor.restore_line(&path("a.md"), Some(&lines));
        expected = restore_line(&expected, &path("a.md"), Some(&lines)).text;
    }
    assert_eq!(editor.clone().finish(), expected);
    editor.remove(&path("a.md"));
    assert_eq!(editor.finish(), "- [B](b.md)\n");
}

#[test]
fn what_only_a_later_line_ended_is_read_anew() {
    // The line break that is added makes the carriage return a part of one, or leaves it in the line.
    let mut editor = Editor::new("- [A](a.md): x\r");
    let added = editor.upsert(&Entry { path: &path("b.md"), title: "B", hook: "y" });
    assert_eq!(added.after.as_deref(), Some("- [B](b.md): y"));
    let added = editor.restore_line(&path("c.md"), Some("- [C](c.md)\n- [D](d.md)"));
    assert_eq!(added.before, None);
    assert_eq!(editor.remove(&path("a.md")).before.as_deref(), Some("- [A](a.md): x"));
    assert_eq!(editor.finish(), "- [B](b.md): y\n- [C](c.md)\n- [D](d.md)\n");
}

#[test]
fn an_index_that_nobody_edits_stays_as_it_is() {
    for text in ["", "\n", "\r", "\u{feff}", "- [A](a.md)\r\n\r\n- [A](a.md)\n\r"] {
        assert_eq!(Editor::new(text).finish(), text);
    }
}

/// Lines of every kind that an index holds, with any line break, or none at the end.
fn index() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[-*+] \\[[a-z]{0,3}\\]\\((\\./)?[a-c]\\.md\\)( - | — | -- |: )[a-z ]{0,6}",
        "- \\[[a-z]\\]\\([a-c]\\.md\\)",
        "#{1,2} [a-z]{1,5}",
        "[a-z ]{0,9}",
        "\\PC{0,12}",
        "[-\\[\\]()<>|:. a\"\\\\]{0,12}",
    ];
    let ended = (line, prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n")])
        .prop_map(|(line, end)| line + end);
    (prop::collection::vec(ended, 0..8), "[a-z]{0,3}")
        .prop_map(|(lines, last)| lines.concat() + &last)
}

fn name() -> impl Strategy<Value = MemPath> {
    prop_oneof!["[a-c]\\.md", "(sub/)?[a-z%()# é项]{1,6}\\.md", "\\PC{1,8}"]
        .prop_filter_map("a path", |text| MemPath::parse(&text).ok())
}

fn others<'a>(text: &'a str, path: &MemPath) -> Vec<&'a str> {
    let own: Vec<_> = lines(text)
        .map(|line| line.pointer.is_some_and(|pointer| pointer.path().as_ref() == Some(path)))
        .collect();
    let raw = text.split_inclusive('\n').zip(own);
    raw.filter(|(_, own)| !own).map(|(raw, _)| raw).collect()
}

#[derive(Debug, Clone)]
enum Op {
    Upsert(MemPath, String, String),
    Remove(MemPath),
    Restore(MemPath, Option<String>),
    /// Takes back one of the edits so far.
    Undo(usize),
}

fn op() -> impl Strategy<Value = Op> {
    let name = || prop_oneof![4 => "[a-c]\\.md".prop_filter_map("a path", |text| MemPath::parse(&text).ok()), 1 => name()];
    prop_oneof![
        (name(), "[a-z]{0,3}|\\PC{0,4}", "[a-z]{0,2}|\\PC{0,3}")
            .prop_map(|(path, title, hook)| Op::Upsert(path, title, hook)),
        name().prop_map(Op::Remove),
        (name(), prop::option::of(index())).prop_map(|(path, line)| Op::Restore(path, line)),
        any::<usize>().prop_map(Op::Undo),
    ]
}

proptest! {
    #[test]
    fn edits_in_one_go_come_to_what_they_come_to_one_by_one(
        text in index(), last in "\r?|- \\[[a-c]\\]\\([a-c]\\.md\\)( - x)?\r?", ops in prop::collection::vec(op(), 1..16),
    ) {
        let text = text + &last;
        let mut editor = Editor::new(&text);
        let mut now = text.clone();
        let mut done: Vec<(MemPath, Option<String>)> = Vec::new();
        for op in ops {
            let op = match op {
                Op::Undo(at) => {
                    let Some((path, line)) = done.get(at % done.len().max(1)).cloned() else { continue };
                    Op::Restore(path, line)
                }
                op => op,
            };
            let (alone, change, path): (Edited, Change, MemPath) = match op {
                Op::Upsert(path, title, hook) => {
                    let entry = Entry { path: &path, title: &title, hook: &hook };
                    (upsert(&now, &entry), editor.upsert(&entry), path)
                }
                Op::Remove(path) => (remove(&now, &path), editor.remove(&path), path),
                Op::Restore(path, line) => (
                    restore_line(&now, &path, line.as_deref()),
                    editor.restore_line(&path, line.as_deref()),
                    path,
                ),
                Op::Undo(_) => continue,
            };
            prop_assert_eq!(alone.action, change.action);
            prop_assert_eq!(&alone.before, &change.before);
            prop_assert_eq!(&alone.after, &change.after);
            now = alone.text;
            prop_assert_eq!(&editor.clone().finish(), &now);
            done.push((path, change.before));
        }
    }

    #[test]
    fn an_edit_leaves_every_other_line_as_it_is(
        text in index(), path in name(), title in "\\PC{0,8}|[a\\]|\n-]{0,5}", hook in "\\PC{0,8}|[-: —]{0,4}",
    ) {
        let entry = Entry { path: &path, title: &title, hook: &hook };
        let once = upsert(&text, &entry);
        let mut expected = text.clone();
        if once.before.is_none() && !text.is_empty() && !text.ends_with('\n') {
            expected.push_str(if text.rsplit_once('\n').is_some_and(|(l, _)| l.ends_with('\r')) { "\r\n" } else { "\n" });
        }
        prop_assert_eq!(others(&once.text, &path), others(&expected, &path));

        let twice = upsert(&once.text, &entry);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!(twice.action, memdir_core::index::Action::Unchanged);

        let line = once.after.expect("the line");
        let shown: Vec<_> = lines(&once.text).filter(|l| l.text == line).filter_map(|l| l.pointer?.path()).collect();
        prop_assert!(shown.contains(&path));

        let gone = remove(&once.text, &path);
        if once.before.is_none() {
            prop_assert_eq!(&gone.text, &expected);
        }
        prop_assert_eq!(others(&gone.text, &path).concat(), gone.text.clone());
        prop_assert_eq!(restore_line(&once.text, &path, once.before.as_deref()).text, expected);
    }

    #[test]
    fn lines_and_neutral_take_any_text(text in any::<String>()) {
        prop_assert_eq!(lines(&text).count(), text.split_inclusive('\n').count());
        let once = neutral(&text);
        prop_assert!(!once.contains(['\n', '\r', '[', ']', '|']) && !once.contains("<!--"));
        prop_assert_eq!(neutral(&once), once);
    }
}

#[test]
fn a_carriage_return_at_the_end_becomes_a_line_break_and_no_part_of_the_line() {
    let path = MemPath::parse("b.md").unwrap();
    let entry = Entry { path: &path, title: "B", hook: "more" };
    let added = upsert("- [A](a.md) — one\r\n- [C](c.md) — two\r", &entry);
    assert_eq!(added.text, "- [A](a.md) — one\r\n- [C](c.md) — two\r\n- [B](b.md) — more\r\n");
}
