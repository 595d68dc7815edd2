//! Which memories come first, and what is said about it.

use memdir_core::MemoryType;
use memdir_recall::{Document, Lexical, Query};

use crate::shelf::{Memories, day, path};

fn english() -> Memories {
    Memories::new(&[
        ("db tests", "integration tests hit a real database, never a mock"),
        ("release", "merge freeze on Thursday while mobile cuts the branch"),
        ("language typescript", "Writes TypeScript with strict mode"),
        ("cluster", "services run on Kubernetes (k8s) at EKS"),
        ("", "the `userEventsConsumer` loses messages"),
        ("background", "ten years of Go, bought a keyboard and went to a conference"),
    ])
}

#[test]
fn a_question_finds_what_shares_its_subject() {
    let check = |question: &str, expect: &[usize], why: &str| {
        let memories = english();
        assert_eq!(
            (&*memories.find(question), &*memories.why(question)),
            (expect, why),
            "{question}"
        );
    };
    check(
        "How do we test against the database?",
        &[0],
        "`test` in name and description; `database` in description",
    );
    check(
        "TESTING databases",
        &[0],
        "`testing` in name and description; `databases` in description",
    );
    check("is there a freeze?", &[1], "`freeze` in description");
    check("k8s?", &[3], "`k8s` in description");
    check("did she go to conferences?", &[5], "`conferences`, `go` in description");
    check("which keyboard did they buy", &[5], "`keyboard`, `buy` in description");
    check("m3.md", &[3], "`m3` in path");
}

#[test]
fn irregular_forms_and_stems_meet() {
    let memories =
        Memories::new(&[("", "Melanie ran a charity race"), ("", "children painted houses")]);
    assert_eq!(memories.find("charities where she is running"), [0]);
    assert_eq!(memories.find("which child paints a house?"), [1]);
}

#[test]
fn a_synonym_stands_for_a_word_that_a_memory_lacks() {
    let memories = Memories::new(&[
        ("", "k8s and kubernetes run on EKS"),
        ("", "kubernetes runs on EKS"),
        ("", "nothing of the kind"),
    ]);
    assert_eq!(memories.find("k8s?"), [0, 1]);
    let why = |at: usize| memories.rank("k8s?").hits[at].why.to_string();
    assert_eq!(why(0), "`k8s` in description");
    assert_eq!(why(1), "`k8s` (as `kubernetes`) in description");
}

#[test]
fn who_asks_when_is_told_by_what_tells_a_time() {
    let memories = Memories::new(&[("", "a freeze"), ("", "a freeze since Thursday")]);
    assert_eq!(memories.find("when is the freeze?"), [1, 0]);
    assert_eq!(memories.find("what is the freeze?"), [0, 1]);
}

#[test]
fn a_name_in_every_memory_tells_them_from_those_without() {
    let about = |name: &str, what: &str| (String::new(), format!("{name} {what}"));
    let mut texts = vec![about("Anna", "likes pottery"), about("Ben", "likes pottery and clay")];
    texts.extend((0..20).map(|at| about("Anna", &format!("likes hobby{at}"))));
    assert_eq!(Memories::new(&texts).find("Which pottery does Anna like?")[0], 0);
}

#[test]
fn identifiers_are_found_whole_and_by_their_parts() {
    let check = |question: &str, why: &str| assert_eq!(english().why(question), why, "{question}");
    check("userEventsConsumer", "`usereventsconsumer` in description");
    check("USEREVENTSCONSUMER", "`usereventsconsumer` in description");
    check("user_events_consumer", "`user`, `events`, `consumer` in description");
    check("what about the consumer", "`consumer` in description");
    check("userEventsConsumer events", "`usereventsconsumer`, `events` in description");
    check("TypeScriptStrict", "`type`, `script`, `strict` in description");
}

#[test]
fn a_word_that_stands_for_itself_counts_more_than_one_within_identifiers() {
    let memories = Memories::new(&[
        ("", "a userService beside a userService"),
        ("", "a userService beside a service"),
    ]);
    assert_eq!(memories.find("which service"), [1, 0]);
}

#[test]
fn slips_and_beginnings_stand_in_for_words_that_nothing_has() {
    let check = |question: &str, expect: &[usize], why: &str| {
        let memories = english();
        assert_eq!(
            (&*memories.find(question), &*memories.why(question)),
            (expect, why),
            "{question}"
        );
    };
    check("typscript", &[2], "`typscript` (taken for `typescript`) in name and description");
    check("kuberntes", &[3], "`kuberntes` (taken for `kubernetes`) in description");
    check("conference-room", &[5], "`conference` in description");
    check("integrationtests", &[], "");
    check("databaseless", &[], "");
    check("integ", &[0], "`integ` (as beginning of `integration`) in description");
    // What is there is not replaced by what is like it.
    check("test", &[0], "`test` in name and description");
}

#[test]
fn german_is_found_as_written_by_ending_and_within_compounds() {
    let memories = Memories::new(&[
        ("Kontoauszüge", "Kontoauszüge werden nachts über die Bankschnittstelle abgeholt"),
        ("Fehlermeldungen", "Fehlermeldungen immer auf Deutsch und ohne Fachbegriffe"),
        ("Datenbankverbindung", "Die Datenbankverbindung läuft über einen Tunnel"),
        ("Straße", "Adressen mit Straße und Größe"),
    ]);
    let check = |question: &str, expect: &[usize]| {
        assert_eq!(memories.find(question), expect, "{question}");
    };
    check("Wie werden die Kontoauszüge abgeholt?", &[0]);
    check("KONTOAUSZÜGE", &[0]);
    check("Fehlermeldung formulieren", &[1]);
    check("Was ist mit der Datenbank los?", &[2]);
    check("STRASSE", &[3]);
    check("groesse", &[3]);
    check("und wie ist das mit der", &[]);
}

#[test]
fn chinese_japanese_and_korean_are_found_without_spaces() {
    let memories = Memories::new(&[
        ("数据库迁移", "数据库迁移必须向后兼容，先加列再删列"),
        ("日志平台", "线上日志在 Kibana 的 booking-prod 索引里"),
        ("レビューの方針", "コードレビューでは設計を先に指摘する"),
        ("캐시 만료", "상품 목록 캐시의 만료 시간은 십 분이다"),
        ("gRPC 网关", "gRPC gateway 超时统一设置为 3 秒"),
        ("猫", "用户养了一只猫"),
    ]);
    let check = |question: &str, expect: &[usize], why: &str| {
        assert_eq!(
            (&*memories.find(question), &*memories.why(question)),
            (expect, why),
            "{question}"
        );
    };
    check("我们的数据库怎么迁移？", &[0], "`数据`, `据库`, `迁移` in name and description");
    check("kibana的日志", &[1], "`kibana` in description; `日志` in name and description");
    check("设计レビュー", &[2], "`レビ`, `ビュ`, `ュー` in name and description");
    check("ﾚﾋﾞｭｰ", &[2], "`レビ`, `ビュ`, `ュー` in name and description");
    check("캐시가 언제 만료되나요?", &[3], "`캐시`, `만료` in name and description");
    check(
        "gRPC网关的超时",
        &[4],
        "`grpc` in name and description; `网关` in name; `超时` in description",
    );
    check("库", &[0], "`库` in name and description");
    check("猫", &[5], "the question is its name");
    check("怎么的呢", &[], "");
}

#[test]
fn a_memory_that_bears_the_question_as_its_name_comes_first() {
    let long = "release release release branch. ".repeat(20);
    let memories = Memories::new(&[("notes", &*long), ("Release branch", "x"), ("branch", &*long)]);
    assert_eq!(memories.find("release branch"), [1, 2, 0]);
    assert_eq!(memories.find("Release-Branch?")[0], 1);
    assert_eq!(memories.why("release branch"), "the question is its name");
    // Also if the name is nothing but words that any talk is full of.
    let common =
        Memories::new(&[("next steps", "x"), ("other", "the next steps are the next steps")]);
    assert_eq!(common.find("next steps"), [0, 1]);
    assert_eq!(memories.find("m2"), [2], "the file name is a name as well");
}

#[test]
fn equals_come_newest_first_and_then_by_path() {
    let paths = ["b.md", "a.md", "c.md"].map(path);
    let days = [3, 3, 5];
    let documents: Vec<_> = paths
        .iter()
        .zip(days)
        .map(|(path, at)| {
            let mut document = Document::new(path, day(at));
            document.description = Some("merge freeze");
            document
        })
        .collect();
    let ranking = Lexical::new().rank(&Query::new("freeze"), &documents);
    assert_eq!(ranking.hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [2, 1, 0]);
}

#[test]
fn name_and_description_count_more_than_a_body_and_a_body_more_than_nothing() {
    let file = path("x.md");
    let document = |name, description, body| {
        let mut document = Document::new(&file, day(0));
        (document.name, document.description, document.body) = (name, description, body);
        document
    };
    let documents = [
        document(None, None, "the freeze"),
        document(None, Some("the freeze"), ""),
        document(Some("the freeze"), None, ""),
        document(None, None, "nothing"),
    ];
    let ranking = Lexical::new().rank(&Query::new("what freeze"), &documents);
    assert_eq!(ranking.hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [2, 1, 0]);
}

#[test]
fn the_type_is_a_word_of_the_memory() {
    let file = path("x.md");
    let mut documents = [Document::new(&file, day(0)); 2];
    documents[1].kind = Some(MemoryType::Feedback);
    let ranking = Lexical::new().rank(&Query::new("feedback"), &documents);
    let found: Vec<_> = ranking.hits.iter().map(|hit| (hit.index, hit.why.to_string())).collect();
    assert_eq!(found, [(1, "`feedback` in type".to_owned())]);
}

#[test]
fn hits_end_where_they_score_far_below_the_first_or_where_nobody_wants_more() {
    let weak = |at: usize| ("", format!("the release of part {at}"));
    let strong = ("", "release branch freeze on Thursday".to_owned());
    let texts: Vec<_> = (0..30).map(weak).chain([strong.clone(), strong]).collect();
    let memories = Memories::new(&texts);
    let ranking = memories.rank("release branch freeze on Thursday");
    let best = |max: usize| ranking.best(max).iter().map(|hit| hit.index).collect::<Vec<_>>();
    assert_eq!(ranking.hits.len(), memdir_recall::limits::RANKED);
    assert_eq!((best(0), best(1), best(5)), (vec![], vec![30], vec![30, 31]));
    let ranking = Lexical::new().rank(&Query::new("release branch").most(3), &memories.documents());
    assert_eq!(ranking.hits.len(), 3);
}

#[test]
fn a_reason_names_the_most_telling_words_and_counts_the_rest() {
    let memories = Memories::new(&[("", "alpha beta gamma delta epsilon zeta eta theta")]);
    assert_eq!(
        memories.why("alpha beta gamma delta epsilon zeta eta theta"),
        "`alpha`, `beta`, `gamma`, `delta`, `epsilon`, `zeta` in description; and 2 more"
    );
}

#[test]
fn a_pasted_log_does_not_drown_the_question_before_or_behind_it() {
    let log = "unrelated stack trace line with many words 0123\n".repeat(5_000);
    for question in [
        format!("why does the freeze matter?\n{log}"),
        format!("{log}\nwhy does the freeze matter?"),
    ] {
        assert_eq!(english().find(&question), [1]);
    }
}
