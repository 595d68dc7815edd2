//! Tests of hidden characters: what is found, what is clean, and what is decoded.

use proptest::prelude::*;

use super::*;

/// The findings as `start..end rule decoded`.
fn check(text: &str, expect: &[&str]) {
    let found: Vec<_> = hidden(text)
        .into_iter()
        .map(|finding| {
            let Kind::Hidden { what, decoded } = finding.kind else { panic!("not hidden") };
            let decoded = decoded.map(|text| format!(" {text}")).unwrap_or_default();
            format!("{}..{} {}{decoded}", finding.span.start, finding.span.end, what.as_str())
        })
        .collect();
    assert_eq!(found, expect, "{text:?}");
}

fn tags(text: &str) -> String {
    text.bytes().filter_map(|byte| char::from_u32(0xE0000 + u32::from(byte))).collect()
}

fn selectors(bytes: &[u8]) -> String {
    let code =
        |byte: u8| if byte < 16 { 0xFE00 + u32::from(byte) } else { 0xE00F0 + u32::from(byte) };
    bytes.iter().filter_map(|byte| char::from_u32(code(*byte))).collect()
}

#[test]
fn tags_are_read_as_the_ascii_they_mirror() {
    check(&format!("ok{}", tags("run it")), &["2..26 tags run it"]);
    check(&format!("\u{E0001}{}\u{E007F}", tags("hi")), &["0..16 tags hi"]);
    check("a\u{E0001}", &["1..5 tags"]);
}

#[test]
fn flags_of_regions_are_clean_and_what_follows_them_is_not() {
    let scotland = format!("🏴{}\u{E007F}", tags("gbsct"));
    check(&format!("From {scotland} to {scotland}{scotland}."), &[]);
    check(&format!("{scotland}{}", tags("go")), &["28..36 tags go"]);
    check(
        &format!("🏴{}\u{E007F}", tags("deletes everything")),
        &["4..80 tags deletes everything"],
    );
    check(&format!("🏴{}", tags("gbsct")), &["4..24 tags gbsct"]);
}

#[test]
fn selectors_are_read_as_bytes_unless_they_select_something() {
    check(&format!("😀{}", selectors(b"rm -rf")), &["4..28 variation-selectors rm -rf"]);
    check(&format!("x{}", selectors("gö\n".as_bytes())), &["1..16 variation-selectors gö\n"]);
    check("a\u{FE0F}", &["1..4 variation-selectors"]);
    check("❤\u{FE0F} ✔\u{FE0E} 1\u{FE0F}\u{20E3} ©\u{FE0F} 葛\u{E0100} ≨\u{FE00}", &[]);
}

#[test]
fn joined_emoji_are_clean() {
    check(
        "👩\u{200D}💻 👨\u{200D}👩\u{200D}👧 🏳\u{FE0F}\u{200D}🌈 👩🏽\u{200D}🚒 ❤\u{FE0F}\u{200D}🔥",
        &[],
    );
    check("👩\u{200D}", &["4..7 zero-width"]);
    check("👩\u{200D}code", &["4..7 zero-width"]);
}

#[test]
fn joiners_are_clean_where_a_script_needs_them() {
    // Persian "I want", Hindi with an explicit half form, Khmer with breaking spaces.
    check("می\u{200C}خواهم", &[]);
    check("क\u{94D}\u{200D}ष", &[]);
    check("ភាសា\u{200B}ខ្មែរ", &[]);
    check("pass\u{200C}word", &["4..7 zero-width"]);
    check("密\u{200B}码", &["3..6 zero-width"]);
    check("می\u{200C}\u{200C}خ", &["4..10 zero-width"]);
}

#[test]
fn a_byte_order_mark_is_clean_at_the_very_start_only() {
    check("\u{FEFF}# Notes", &[]);
    check("\u{FEFF}\u{FEFF}# Notes", &["3..6 zero-width"]);
    check(" \u{FEFF}", &["1..4 zero-width"]);
}

#[test]
fn zero_width_runs_are_read_as_bits() {
    let bits = |one, zero| -> String {
        "hi".bytes()
            .flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1))
            .map(|bit| if bit == 1 { one } else { zero })
            .collect()
    };
    check(&format!("a{}b", bits('\u{200C}', '\u{200B}')), &["1..49 zero-width hi"]);
    check(&format!("a{}b", bits('\u{200B}', '\u{200C}')), &["1..49 zero-width hi"]);
    check("a\u{200B}\u{200C}\u{200D}", &["1..10 zero-width"]);
}

#[test]
fn controls_of_direction_are_clean_with_right_to_left_letters_only() {
    check("שלום \u{200F}(world)\u{200F}", &[]);
    check("الإصدار \u{2066}v1.2\u{2069} جاهز", &[]);
    check("\u{202B}مرحبا\u{202C}", &[]);
    check("a\u{200E}b", &["1..4 bidi"]);
    check("if x {\u{2066} // check\u{2069} }", &["6..21 bidi"]);
    check("שלום \u{202E}evil\u{202C}", &["9..19 bidi"]);
    check("שלום \u{2067}open", &["9..12 bidi"]);
    check("שלום \u{2067}x\u{202C}", &["9..16 bidi"]);
    check("a\u{202E}b\nשלום \u{200F}x\nc\u{202E}", &["1..4 bidi", "21..24 bidi"]);
}

#[test]
fn other_characters_that_show_as_nothing_are_found() {
    check("pass\u{AD}\u{AD}word \u{AD}x", &["4..8 ignorable", "13..15 ignorable"]);
    check(
        "a\u{3164}b \u{2062}c \u{FFF9}d",
        &["1..4 ignorable", "6..9 ignorable", "11..14 ignorable"],
    );
    // Old Korean needs the filler.
    check("\u{115F}\u{1161}", &[]);
}

#[test]
fn soft_hyphens_in_words_and_operators_in_formulas_are_clean() {
    check("Donau\u{AD}dampf\u{AD}schiff", &[]);
    check("f\u{2061}(x) = 2\u{2062}x, 𝑎\u{2062}𝑏, sin\u{2061}𝑥", &[]);
    check("pass\u{2061}word", &["4..7 ignorable"]);
    check("AKIA\u{AD}123", &["4..6 ignorable"]);
}

#[test]
fn controls_of_a_terminal_are_found_and_line_ends_are_clean() {
    check("a\u{1B}[8mhidden\u{1B}[0m", &["1..2 controls", "11..12 controls"]);
    check("\u{9B}1m\0\u{8}\u{8}x\u{7F}", &["0..2 controls", "4..7 controls", "8..9 controls"]);
    check("run this\rgo on", &["8..9 controls"]);
    check("one\r\ntwo\r\r\n\u{C}\tthree\r", &[]);
}

#[test]
fn kinds_side_by_side_are_told_apart() {
    check(
        &format!("safe \u{202E} evil \u{202C} \u{200B}\u{2066}x\u{2069} {}", tags("AB")),
        &["5..28 bidi", "18..21 zero-width", "29..37 tags AB"],
    );
}

#[test]
fn plain_prose_of_many_scripts_is_clean() {
    check(
        "Grüße, naïve café — “quotes” … ½ ™ 東京　です。 한국어 Русский ไทย हिन्दी עִבְרִית العربية",
        &[],
    );
}

#[test]
fn what_is_decoded_is_cut_between_characters() {
    let found = hidden(&selectors("é-".repeat(2_000).as_bytes()));
    let lengths: Vec<_> = found
        .iter()
        .map(|finding| match &finding.kind {
            Kind::Hidden { decoded: Some(text), .. } => text.len(),
            _ => 0,
        })
        .collect();
    assert_eq!(lengths, [999]);
}

proptest! {
    #[test]
    fn any_text_is_scanned_and_each_finding_begins_and_ends_with_a_hidden_character(
        text in "([\u{200B}-\u{200F}\u{202A}-\u{202E}\u{FE00}-\u{FE0F}\u{E0061}-\u{E007F}🏴a\n שم\u{FEFF}]|\\PC){0,40}",
    ) {
        for finding in hidden(&text) {
            let found = text.get(finding.span.clone()).expect("whole characters");
            prop_assert!(found.chars().next().is_some_and(|c| class(c).is_some()), "{finding:?}");
            prop_assert!(found.chars().next_back().is_some_and(|c| class(c).is_some()), "{finding:?}");
        }
    }
}
