//! A floor under the quality of answers, on labelled questions in six languages.
#![expect(clippy::disallowed_methods, reason = "tests read the questions")]

use std::{collections::BTreeMap, fs, path::Path};

use memdir_core::{MemPath, MemoryType};
use memdir_recall::{Document, Hit, Lexical, Query, limits::MAX_ATTACHMENTS};
use serde_json::Value;

use crate::shelf::{day, path};

struct Memory {
    path: MemPath,
    value: Value,
}

impl Memory {
    fn text(&self, key: &str) -> &str {
        self.value[key].as_str().unwrap()
    }

    fn document(&self) -> Document<'_> {
        let mut document = Document::new(&self.path, day(0));
        document.name = Some(self.text("name"));
        document.description = Some(self.text("description"));
        document.kind = MemoryType::parse(self.text("type"));
        document.body = self.text("text");
        document
    }
}

fn lines(file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/questions");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn answers_are_as_good_as_they_were() {
    let memories: Vec<_> = lines("docs.jsonl")
        .into_iter()
        .enumerate()
        .map(|(at, value)| Memory { path: path(&format!("{at}.md")), value })
        .collect();
    let documents: Vec<_> = memories.iter().map(Memory::document).collect();
    let lexical = Lexical::new();
    let index = lexical.index(&documents);
    let mut tally: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for question in lines("queries.jsonl") {
        let ranking = index.rank(&Query::new(question["query"].as_str().unwrap()));
        let relevant = question["relevant"].as_array().unwrap();
        let is_right = |hit: &Hit| relevant.contains(&memories[hit.index].value["id"]);
        let attached = ranking.best(MAX_ATTACHMENTS);
        // Where there is no answer, silence is right.
        let is_rightly_silent = attached.is_empty() && relevant.is_empty();
        let [all, first, some] = tally.entry(question["category"].to_string()).or_default();
        *all += 1;
        *first += usize::from(is_rightly_silent || attached.first().is_some_and(is_right));
        *some += usize::from(is_rightly_silent || attached.iter().any(is_right));
    }
    let line = |(category, [all, first, some]): (&String, &[usize; 3])| {
        format!(
            "{category}: of {all} the first is right for {first}, one of those attached for {some}"
        )
    };
    insta::assert_snapshot!(tally.iter().map(line).collect::<Vec<_>>().join("\n"), @r#"
    "chinese": of 11 the first is right for 11, one of those attached for 11
    "english": of 46 the first is right for 43, one of those attached for 44
    "european": of 5 the first is right for 5, one of those attached for 5
    "japanese": of 3 the first is right for 3, one of those attached for 3
    "korean": of 3 the first is right for 3, one of those attached for 3
    "silence": of 27 the first is right for 27, one of those attached for 27
    "#);
}
