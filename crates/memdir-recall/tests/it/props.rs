//! What holds for any question and any memories.

use memdir_recall::{Lexical, Query, limits};
use proptest::prelude::*;

use crate::shelf::Memories;

/// Words from a small stock, so that questions and memories meet; also other scripts, identifiers, and noise.
fn text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(vec![
            "freeze", "database", "test", "testing", "release", "branch", "userEvents", "user_events",
            "the", "use", "next", "数据库", "迁移", "レビュー", "캐시", "Datenbank", "Datenbankverbindung",
            "typescript", "typscript", "went", "go", "库", "7",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
    ];
    proptest::collection::vec(word, words).prop_map(|words| words.join(" "))
}

fn memories(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(String, String)>> {
    proptest::collection::vec((text(0..3), text(0..12)), count)
}

proptest! {
    #[test]
    fn an_index_answers_like_a_single_pass(texts in memories(0..8), question in text(0..8)) {
        let memories = Memories::new(&texts);
        let documents = memories.documents();
        let (lexical, query) = (Lexical::new(), Query::new(&question));
        prop_assert_eq!(lexical.index(&documents).rank(&query), lexical.rank(&query, &documents));
    }

    #[test]
    fn hits_are_documents_each_once_with_a_reason_and_silence_is_their_absence(
        texts in memories(0..20),
        question in text(0..8),
    ) {
        let ranking = Memories::new(&texts).rank(&question);
        prop_assert_eq!(ranking.silence.is_some(), ranking.hits.is_empty());
        prop_assert!(ranking.hits.len() <= limits::RANKED);
        let mut places: Vec<_> = ranking.hits.iter().map(|hit| hit.index).collect();
        places.sort_unstable();
        places.dedup();
        prop_assert_eq!(places.len(), ranking.hits.len());
        for hit in &ranking.hits {
            prop_assert!(hit.index < texts.len());
            prop_assert!(hit.score.is_finite() && (0.0..=1.0).contains(&hit.coverage));
            prop_assert!(!hit.why.reasons.is_empty());
            prop_assert!(hit.why.reasons.iter().all(|reason| !reason.fields.is_empty()));
        }
    }

    #[test]
    fn the_order_of_documents_does_not_matter(texts in memories(0..8), question in text(0..8), turn in 0..8_usize) {
        let memories = Memories::new(&texts);
        let documents = memories.documents();
        let mut turned = documents.clone();
        turned.rotate_left(turn.min(documents.len()));
        let answer = |documents: &[memdir_recall::Document<'_>]| -> Vec<_> {
            let hits = Lexical::new().rank(&Query::new(&question), documents).hits;
            hits.into_iter().map(|hit| (documents[hit.index].path.clone(), hit.score, hit.why)).collect()
        };
        prop_assert_eq!(answer(&documents), answer(&turned));
    }

    #[test]
    fn a_memory_named_by_the_question_stays_first_whatever_is_added(
        texts in memories(0..8),
        name in text(1..4),
        more in memories(1..4),
    ) {
        let mut texts = texts;
        texts.retain(|(other, _)| !Memories::new(&[(other, "")]).rank(&name).hits.iter().any(|hit| hit.why.is_its_name));
        texts.insert(0, (name.clone(), String::new()));
        let before = Memories::new(&texts).rank(&name);
        // A name of nothing but particles cannot be asked for.
        prop_assume!(before.hits.first().is_some_and(|hit| hit.why.is_its_name));
        prop_assert_eq!(before.hits[0].index, 0);
        let unrelated = more.into_iter().filter(|(other, _)| *other != name);
        texts.extend(unrelated.map(|(_, text)| (format!("zz{text}"), text)));
        prop_assert_eq!(Memories::new(&texts).find(&name)[0], 0);
    }

    #[test]
    fn any_text_is_a_question(question in "(\\PC|[\\x00-\\x20\\u{200b}-\\u{200f}]){0,200}", texts in memories(0..4)) {
        let memories = Memories::new(&texts);
        let ranking = memories.rank(&question);
        prop_assert!(ranking.hits.iter().all(|hit| hit.why.to_string().len() < 4_000));
    }
}
