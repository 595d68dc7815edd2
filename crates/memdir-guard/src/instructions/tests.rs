//! Tests of the machinery of orders; what is found is tested from outside, on texts of many kinds.

use super::*;

#[test]
fn every_line_of_the_patterns_is_read() {
    let lines = include_str!("patterns.txt").lines();
    let flags = lines.filter(|line| line.starts_with("flag ")).count();
    assert!(LEXICON.sequences.len() >= flags);
    for (_, written) in &LEXICON.written {
        assert_eq!(written.matches(b"").count(), 0, "{written:?}");
    }
}

#[test]
fn every_class_has_words_and_room() {
    for (name, number) in LEXICON.classes.iter() {
        assert!(LEXICON.phrases.has(number) || name == "address", "{name}");
        assert!(number < sequence::MAX_CLASSES, "{name}");
    }
}
