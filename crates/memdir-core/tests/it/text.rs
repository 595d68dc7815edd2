//! Folding, tokens and what is made visible.

use memdir_core::text::{TokenKind, escape_control, escape_control_lines, fold, prefix, tokens};
use proptest::prelude::*;

/// The tokens of a text: words plain, parts behind `+`, pairs in quotation marks.
fn check(text: &str) -> String {
    let shown = tokens(text).map(|token| match token.kind {
        TokenKind::Word => token.text.into_owned(),
        TokenKind::Part => format!("+{}", token.text),
        TokenKind::Cjk => format!("'{}'", token.text),
        kind => format!("{kind:?} {}", token.text),
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn words_are_folded_and_identifiers_are_found_whole_and_in_parts() {
    let texts = [
        "The Straße, the STRASSE!",
        "snake_case camelCase HTTPServer getURL2 __init__ _x SCREAMING_SNAKE utf8 iOS",
        "src/auth/token.rs:42 v1.88.0 foo-bar a@b.c",
        "don't l'été",
        "ｆｕｌｌ①　ﬁne",
        "co\u{ad}operate zero\u{200b}width می\u{200c}خواهم",
        "cafe\u{301} हिन्दी עִבְרִית ru_Русский",
        "_ __ - … 🎉 \u{301}",
    ];
    insta::assert_snapshot!(texts.map(check).join("\n"), @"
    the strasse the strasse
    snake_case +snake +case camelcase +camel +case httpserver +http +server geturl2 +get +url2 init x screaming_snake +screaming +snake utf8 ios +i +os
    src auth token rs 42 v1 88 0 foo bar a b c
    don t l été
    full1 fine
    cooperate zerowidth میخواهم
    café हिन्दी עִבְרִית ru_русский +ru +русский
    ");
}

#[test]
fn scripts_without_spaces_become_pairs() {
    let texts = [
        "数据库测试",
        "库",
        "使用Rust编程，用 SQL 查询。",
        "データベース ﾃﾞｰﾀ ｶ",
        "한국어 \u{1112}\u{1161}\u{11ab}국",
        "ภาษาไทย",
        "数\u{200b}据",
        "々〇 𠮷野家",
    ];
    insta::assert_snapshot!(texts.map(check).join("\n"), @"
    '数据' '据库' '库测' '测试'
    '库'
    '使用' rust '编程' '用' sql '查询'
    'デー' 'ータ' 'タベ' 'ベー' 'ース' 'デー' 'ータ' 'カ'
    '한국' '국어' '한국'
    'ภา' 'าษ' 'ษา' 'าไ' 'ไท' 'ทย'
    '数据'
    '々〇' '𠮷野' '野家'
    ");
}

#[test]
fn folding_is_the_full_case_folding_of_unicode() {
    for (text, folded) in [
        ("", ""),
        ("plain", "plain"),
        ("Straße STRAẞE", "strasse strasse"),
        ("ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ σίσυφοσ"),
        ("ﬀ Ω K Å ſ", "ff ω k å s"),
        ("ıI İ", "ıi i\u{307}"),
        ("ᾳ ΑΙ \u{345}", "αι αι ι"),
        ("Ａ１ ㎏ ½", "a1 kg 1⁄2"),
        ("e\u{301}", "é"),
        ("a\u{200d}\u{ad}b", "ab"),
    ] {
        assert_eq!(fold(text), folded);
    }
}

#[test]
fn what_moves_a_cursor_hides_or_reorders_is_made_visible() {
    let hostile = "\u{1b}]8;;http://x\u{7}a\u{1b}[2J\rb\u{9b}c\u{202e}d\u{2066}e\u{200b}f\u{feff}g\u{e0041}h\0i\u{7f}j\u{2028}k\tl\nm\u{fe0f}n";
    insta::assert_snapshot!(escape_control(hostile), @r"\u{1b}]8;;http://x\u{7}a\u{1b}[2J\rb\u{9b}c\u{202e}d\u{2066}e\u{200b}f\u{feff}g\u{e0041}h\u{0}i\u{7f}j\u{2028}k\tl\nm\u{fe0f}n");
    insta::assert_snapshot!(escape_control_lines("a\r\nb\rc\n\td\u{1b}[31m\r"), @r"
    a
    b\rc
    	d\u{1b}[31m\r
    ");
}

#[test]
fn text_that_needs_its_joiners_and_selectors_stays_as_it_is() {
    for text in ["❤️ 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🏳️‍🌈", "می‌خواهم", "क्‍ष", "日本語 עברית العربية", "tab\\n is text"]
    {
        assert_eq!(escape_control(text), text);
        assert_eq!(escape_control_lines(text), text);
    }
    for payload in [
        "a\u{fe0f}",
        "👍\u{fe0f}\u{fe0f}",
        "\u{200d}👍",
        "👍\u{200d}x",
        "🏴\u{e0061}\u{e0062}\u{e0063}\u{e0064}\u{e0065}\u{e0066}\u{e0067}",
        "\u{e0061}",
    ] {
        assert_ne!(escape_control(payload), payload, "{payload:?}");
    }
}

#[test]
fn a_prefix_ends_between_characters() {
    let cuts: Vec<_> = (0..=10).map(|max| prefix("aé固👍", max)).collect();
    assert_eq!(cuts, ["", "a", "a", "aé", "aé", "aé", "aé固", "aé固", "aé固", "aé固", "aé固👍"]);
    assert_eq!(prefix("ab", usize::MAX), "ab");
}

proptest! {
    #[test]
    fn what_is_passed_over_are_the_tokens_that_were_not_wanted(text in "([a-zA-Z_09]{0,4}|[数据ﾃﾞéß]{0,2}| |-){0,16}") {
        let is_wanted = |word: &str| word.contains(['a', 'e']);
        let (mut searched, mut left, mut passed) = (tokens(&text), Vec::new(), 0);
        loop {
            passed += searched.pass_over(is_wanted);
            let Some(token) = searched.next() else { break };
            left.push(token);
        }
        let is_small = |word: &str| word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
        let (wanted, others): (Vec<_>, Vec<_>) =
            tokens(&text).partition(|token| !is_small(&token.text) || is_wanted(&token.text));
        prop_assert_eq!(left.len() + passed, wanted.len() + others.len());
        left.retain(|token| wanted.contains(token));
        prop_assert_eq!(left, wanted);
    }

    #[test]
    fn tokens_and_folding_take_any_text(text in any::<String>(), mixed in "([a-zA-Z_]{0,4}|[数据ﾃﾞ한ไ]{0,3}|\\PC){0,12}") {
        for text in [&text, &mixed] {
            let folded = fold(text);
            prop_assert_eq!(fold(&folded), folded.as_ref());
            for token in tokens(text) {
                prop_assert!(!token.text.is_empty());
                prop_assert_eq!(&fold(&token.text), &token.text);
            }
            if !text.contains('ı') {
                let upper = text.to_uppercase();
                prop_assert_eq!(fold(&upper), folded.as_ref());
            }
        }
    }

    #[test]
    fn nothing_dangerous_is_left_and_escaping_is_stable(text in "(\\PC|[\0-\u{1f}\u{7f}-\u{9f}]|\u{202e}|\u{200d}|👍|\u{fe0f}|\r\n){0,20}") {
        let once = escape_control(&text);
        let danger = |c: char| c.is_control() || c == '\u{202e}';
        prop_assert!(!once.chars().any(danger));
        prop_assert_eq!(escape_control(&once), once.as_ref());
        let lines = escape_control_lines(&text);
        prop_assert!(!lines.replace("\r\n", "\n").chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(lines.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(escape_control_lines(&lines), lines.as_ref());
    }
}
