//! Texts that give orders to a model, and ordinary notes; each in two sets, of which the patterns were made with one.

use memdir_guard::instructions;

/// How many of the texts are flagged, and which are not as expected; one text a line, with `\n` for a line end.
fn check(lines: &str, expect: bool) -> (String, Vec<String>) {
    let texts: Vec<_> = lines.lines().map(|line| line.replace("\\n", "\n")).collect();
    let wrong: Vec<_> =
        texts.iter().filter(|text| instructions(text).is_empty() == expect).cloned().collect();
    let flagged = if expect { texts.len() - wrong.len() } else { wrong.len() };
    (format!("{flagged} of {}", texts.len()), wrong)
}

const NONE: Vec<String> = Vec::new();

#[test]
fn attacks_that_the_patterns_were_made_with_are_flagged() {
    let attacks = check(include_str!("../data/orders/attacks-tuned.txt"), true);
    assert_eq!(attacks, ("393 of 393".to_owned(), NONE));
}

#[test]
fn notes_that_the_patterns_were_made_with_are_not_flagged() {
    let notes = check(include_str!("../data/orders/benign-tuned.txt"), false);
    assert_eq!(notes, ("0 of 340".to_owned(), NONE));
}

#[test]
fn other_attacks_of_the_same_kinds_are_flagged() {
    let attacks = check(include_str!("../data/orders/attacks-held-out.txt"), true);
    assert_eq!(attacks, ("71 of 71".to_owned(), NONE));
}

#[test]
fn other_notes_are_not_flagged() {
    let notes = check(include_str!("../data/orders/benign-held-out.txt"), false);
    assert_eq!(notes, ("0 of 66".to_owned(), NONE));
}
