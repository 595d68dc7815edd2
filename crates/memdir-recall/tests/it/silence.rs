//! Nothing is said where nothing fits, and it is said why.

use memdir_recall::{Lexical, Query, Silence};

use crate::shelf::Memories;

fn memories() -> Memories {
    Memories::new(&[
        ("db tests", "integration tests hit a real database, never a mock"),
        ("release", "merge freeze on Thursday, then we plan the next steps together"),
        ("数据库迁移", "数据库迁移必须向后兼容"),
        ("background", "the user likes to know why a thing works before they use it"),
    ])
}

#[test]
fn silence_has_a_reason() {
    let check = |question: &str, expect: Silence| {
        let ranking = memories().rank(question);
        assert_eq!((ranking.hits.len(), ranking.silence), (0, Some(expect)), "{question}");
    };
    check("", Silence::NoWords);
    check("  \n", Silence::NoWords);
    check("?!… 🎉", Silence::NoWords);
    check("what is it to you and me?", Silence::NoWords);
    check("怎么的呢", Silence::NoWords);
    check("的", Silence::NoWords);
    check("は", Silence::NoWords);
    check("kubernetes", Silence::NoMatch);
    check("今天天气如何", Silence::NoMatch);
    check("thanks, that works!", Silence::OnlyCommonWords);
    check("let's plan what to do next", Silence::OnlyCommonWords);
    check("do you know why it rains on Mars?", Silence::OnlyCommonWords);
    check(
        "Thursday quarks, gluons, bosons, leptons and hadrons decay",
        Silence::TooLittle { percent: 20 },
    );
}

#[test]
fn a_question_of_common_words_is_answered_by_what_has_them_all() {
    let memories = memories();
    assert_eq!(memories.find("why before use?"), [3]);
    assert_eq!(memories.rank("why before after use?").silence, Some(Silence::OnlyCommonWords));
}

#[test]
fn words_beside_what_a_memory_is_about_are_less_evidence() {
    let others = ["migration", "dashboard", "licence", "printer"].map(|text| ("", text));
    let silence = |text: &'static str| {
        let memories = [("", text)].into_iter().chain(others).collect::<Vec<_>>();
        Memories::new(&memories).rank("sheet music for piano").silence
    };
    assert_eq!(silence("rates are in the sheet"), None);
    assert_eq!(silence("sheet: it has the rates"), None);
    assert_eq!(silence("rates: in the sheet"), Some(Silence::TooLittle { percent: 21 }));
}

#[test]
fn a_part_of_a_name_is_no_subject_and_a_part_of_an_identifier_is_one() {
    let memories = Memories::new(&[("", "TanStack Query"), ("", "rateStack is empty")]);
    assert_eq!(memories.find("what is our stack?"), [1]);
    assert_eq!(memories.find("TanStack?")[0], 0);
    let memories = Memories::new(&[("", "TanStack Query")]);
    assert_eq!(memories.rank("what is our stack?").silence, Some(Silence::OnlyCommonWords));
}

#[test]
fn a_name_that_nothing_has_asks_for_something_else() {
    let memories = Memories::new(&[("", "migration of the path layout"), ("", "linting")]);
    assert_eq!(memories.find("migration path today"), [0]);
    assert_eq!(memories.find("lint migration path today"), [0, 1]);
    let silence = memories.rank("TSLint migration path today").silence;
    assert_eq!(silence, Some(Silence::TooLittle { percent: 17 }));
    // What begins with a small letter is code, and a prompt is full of code that no memory has.
    assert_eq!(memories.find("lintPath migration path today"), [0, 1]);
}

#[test]
fn a_greeting_of_its_own_line_is_no_question() {
    let others = ["database", "migration", "dashboard", "licence"].map(|text| ("", text));
    let memories = [("", "hello to the freeze"), ("", "freeze")].into_iter().chain(others);
    let memories = Memories::new(&memories.collect::<Vec<_>>());
    let rest = "quarks gluons bosons leptons hadrons freeze decay";
    assert_eq!(
        memories.rank(&format!("hello\n{rest}")).silence,
        Some(Silence::TooLittle { percent: 19 })
    );
    assert_eq!(memories.find(&format!("hello freeze\n{rest}"))[0], 0);
}

#[test]
fn there_may_be_no_memories() {
    let ranking = Lexical::new().rank(&Query::new("freeze"), &[]);
    assert_eq!((ranking.hits.len(), ranking.silence), (0, Some(Silence::NoMemories)));
}

#[test]
fn what_is_not_wanted_is_not_asked_for_more_than_once() {
    let memories = memories();
    let mut asked = Vec::new();
    let query = Query::new("database freeze");
    let ranking = Lexical::new().rank_where(&query, &memories.documents(), |at| {
        asked.push(at);
        false
    });
    asked.sort_unstable();
    assert_eq!((asked, ranking.silence), (vec![0, 1], Some(Silence::AllSurfaced)));
}

#[test]
fn reasons_are_clauses() {
    let all = [
        Silence::NoMemories,
        Silence::NoWords,
        Silence::NoMatch,
        Silence::OnlyCommonWords,
        Silence::TooLittle { percent: 12 },
        Silence::AllSurfaced,
        Silence::Unreadable,
    ];
    insta::assert_snapshot!(all.map(|silence| silence.to_string()).join("\n"), @r"
    there are no memories
    the question has no word to look for
    no memory has a word of the question
    memories share only common words with the question
    the best memory has 12 % of what the question asks, and 22 % are needed
    what fits is in the conversation already
    what fits cannot be read
    ");
}
