//! Floors under the quality of answers, on labelled questions in many languages.
//!
//! `questions` and `tongues` are our own; `precisionmembench` is that benchmark's, under its MIT licence beside it.
#![expect(clippy::disallowed_methods, reason = "tests read the questions")]

use std::{collections::BTreeMap, fs, path::Path};

use memdir_core::{MemPath, MemoryType, text::prefix};
use memdir_recall::{Document, Hit, Lexical, Query, limits::MAX_ATTACHMENTS};
use serde_json::Value;

use crate::shelf::{day, path};

struct Memory {
    path: MemPath,
    value: Value,
}

impl Memory {
    fn text(&self, key: &str) -> Option<&str> {
        self.value[key].as_str()
    }

    fn document(&self) -> Document<'_> {
        let mut document = Document::new(&self.path, day(0));
        document.body = self.text("text").unwrap();
        document.name = self.text("name");
        document.description = self.text("description").or(Some(prefix(document.body, 512)));
        document.kind = self.text("type").and_then(MemoryType::parse);
        document
    }
}

/// What became of the questions of one kind.
#[derive(Default)]
struct Tally {
    all: usize,
    /// The first of what is attached is right, or silence is.
    first: usize,
    /// One of what is attached is right, or silence is.
    some: usize,
    /// Attached, and of that right.
    attached: [usize; 2],
}

fn lines(set: &str, file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(set);
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Answers the questions of a set, and says for each category, or for what is answerable and what is not, how it went.
fn answers(set: &str, category: fn(&Value) -> String) -> String {
    let mut haystacks: BTreeMap<String, Vec<Memory>> = BTreeMap::new();
    for value in lines(set, "docs.jsonl") {
        let memories = haystacks.entry(value["haystack"].to_string()).or_default();
        memories.push(Memory { path: path(&format!("{}.md", memories.len())), value });
    }
    let mut tally: BTreeMap<String, Tally> = BTreeMap::new();
    for question in lines(set, "queries.jsonl") {
        let memories = &haystacks[&question["haystack"].to_string()];
        let documents: Vec<_> = memories.iter().map(Memory::document).collect();
        let ranking =
            Lexical::new().rank(&Query::new(question["query"].as_str().unwrap()), &documents);
        let relevant = question["relevant"].as_array().unwrap();
        let is_right = |hit: &&Hit| relevant.contains(&memories[hit.index].value["id"]);
        let attached = ranking.best(MAX_ATTACHMENTS);
        // Where there is no answer, silence is right.
        let is_rightly_silent = attached.is_empty() && relevant.is_empty();
        let tally = tally.entry(category(&question)).or_default();
        tally.all += 1;
        tally.first +=
            usize::from(is_rightly_silent || attached.first().is_some_and(|hit| is_right(&hit)));
        let right = attached.iter().filter(is_right).count();
        tally.some += usize::from(is_rightly_silent || right > 0);
        tally.attached[0] += attached.len();
        tally.attached[1] += right;
    }
    let line = |(category, tally): (&String, &Tally)| {
        let Tally { all, first, some, attached: [attached, right] } = tally;
        format!(
            "{category}: of {all} right at once {first}, at all {some}; of {attached} attached right {right}"
        )
    };
    tally.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn category(question: &Value) -> String {
    question["category"].as_str().unwrap().to_owned()
}

#[test]
fn answers_are_as_good_as_they_were() {
    insta::assert_snapshot!(answers("questions", category), @r"
    chinese: of 11 right at once 11, at all 11; of 11 attached right 11
    english: of 46 right at once 43, at all 44; of 62 attached right 46
    european: of 5 right at once 5, at all 5; of 5 attached right 5
    japanese: of 3 right at once 3, at all 3; of 3 attached right 3
    korean: of 3 right at once 3, at all 3; of 3 attached right 3
    silence: of 27 right at once 27, at all 27; of 0 attached right 0
    ");
}

#[test]
fn answers_in_other_languages_are_as_good_as_they_were() {
    insta::assert_snapshot!(answers("tongues", category), @r"
    chinese: of 22 right at once 20, at all 20; of 24 attached right 20
    german: of 23 right at once 23, at all 23; of 24 attached right 23
    japanese: of 16 right at once 16, at all 16; of 17 attached right 16
    korean: of 14 right at once 14, at all 14; of 16 attached right 14
    mixed: of 12 right at once 12, at all 12; of 12 attached right 12
    silence: of 40 right at once 38, at all 38; of 2 attached right 0
    ");
}

#[test]
fn answers_to_a_public_benchmark_are_as_good_as_they_were() {
    let answerable = |question: &Value| {
        let is_empty = question["relevant"].as_array().unwrap().is_empty();
        if is_empty { "not answerable" } else { "answerable" }.to_owned()
    };
    insta::assert_snapshot!(answers("precisionmembench", answerable), @r"
    answerable: of 43 right at once 41, at all 43; of 67 attached right 51
    not answerable: of 30 right at once 22, at all 22; of 11 attached right 0
    ");
}
