//! Faults that users of such systems reported, on a real directory.
#![expect(clippy::disallowed_methods, reason = "tests read the case")]

use std::{collections::BTreeMap, fs, path::Path, time::SystemTime};

use memdir_recall::{Lexical, Options, Query, recall};
use memdir_store::LocalDir;

#[test]
fn recall_03_the_key_free_selector_finds_chinese_japanese_and_korean() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/recall-03");
    let expect: BTreeMap<String, Option<String>> =
        serde_json::from_str(&fs::read_to_string(case.join("expect.json")).unwrap()).unwrap();
    let store = LocalDir::open(&case.join("memory"), memdir_store::Options::default()).unwrap();
    let first = |question: &String| {
        let options = Options::new(SystemTime::now());
        let recall = recall(&store, &Lexical::new(), &Query::new(question), &options).unwrap();
        let first = recall.attachments.first().map(|attachment| attachment.path.to_string());
        assert_eq!(recall.silence.is_some(), first.is_none());
        first
    };
    let found: BTreeMap<_, _> =
        expect.keys().map(|question| (question.clone(), first(question))).collect();
    assert_eq!(found, expect);
}
