//! Tests of orders to a model.

use super::lexicon::LEXICON;

#[test]
fn every_pattern_compiles_and_none_matches_nothing() {
    assert!(LEXICON.patterns.len() > 100);
    for pattern in &LEXICON.patterns {
        assert_eq!(pattern.matches(b"").count(), 0, "{pattern:?}");
    }
}
