//! Measures how well questions are answered: `cargo run --release --example recall_eval -- FOLDER…`
//!
//! A folder holds `docs.jsonl` with lines `{"haystack", "id", "text"}` and `queries.jsonl` with lines
//! `{"haystack", "query", "relevant": […]}`. A question is asked of the documents of its haystack. Each is a memory whose
//! body is the text and whose description is its beginning; `"name"`, `"description"` and `"type"` say otherwise.
//! A question for which nothing is relevant should be answered with nothing.
#![expect(clippy::disallowed_methods, reason = "a program that measures reads files and the clock")]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]
#![expect(clippy::cast_precision_loss, reason = "it counts in thousands")]

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use memdir_core::{MemPath, MemoryType, text::prefix};
use memdir_recall::{Document, Lexical, Query, limits};
use serde_json::Value;

/// Bytes of a text that make its description where it has none.
const DESCRIPTION_BYTES: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if folders.is_empty() {
        return Err("usage: recall_eval FOLDER…".into());
    }
    for folder in folders {
        let set = Set::read(Path::new(&folder))?;
        let tally = set.ask(&Lexical::new());
        println!("{folder}\n{}", tally.table());
    }
    Ok(())
}

struct Set {
    haystacks: BTreeMap<String, Vec<Memory>>,
    questions: Vec<Question>,
}

struct Memory {
    id: String,
    path: MemPath,
    name: Option<String>,
    description: String,
    kind: Option<MemoryType>,
    text: String,
}

struct Question {
    haystack: String,
    text: String,
    relevant: Vec<String>,
}

impl Set {
    fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut haystacks: BTreeMap<String, Vec<Memory>> = BTreeMap::new();
        for line in fs::read_to_string(folder.join("docs.jsonl"))?.lines() {
            let line: Value = serde_json::from_str(line)?;
            let of_haystack = haystacks.entry(string(&line, "haystack")?).or_default();
            let text = string(&line, "text")?;
            of_haystack.push(Memory {
                id: string(&line, "id")?,
                path: MemPath::parse(&format!("{}.md", of_haystack.len()))?,
                name: string(&line, "name").ok(),
                description: string(&line, "description")
                    .unwrap_or_else(|_| prefix(&text, DESCRIPTION_BYTES).to_owned()),
                kind: string(&line, "type").ok().and_then(|kind| MemoryType::parse(&kind)),
                text,
            });
        }
        let mut questions = Vec::new();
        for line in fs::read_to_string(folder.join("queries.jsonl"))?.lines() {
            let line: Value = serde_json::from_str(line)?;
            let relevant = line.get("relevant").and_then(Value::as_array).into_iter().flatten();
            questions.push(Question {
                haystack: string(&line, "haystack")?,
                text: string(&line, "query")?,
                relevant: relevant.filter_map(Value::as_str).map(str::to_owned).collect(),
            });
        }
        Ok(Self { haystacks, questions })
    }

    fn ask(&self, lexical: &Lexical) -> Tally {
        let mut tally = Tally::default();
        for (haystack, memories) in &self.haystacks {
            let documents: Vec<_> = memories.iter().map(Memory::document).collect();
            let start = Instant::now();
            let index = lexical.index(&documents);
            tally.indexing.push(start.elapsed());
            for question in &self.questions {
                let query = Query::new(&question.text);
                if question.haystack != *haystack {
                    // Made for other documents, so that silence would be right, or nearly always.
                    tally.foreign += 1;
                    tally.foreign_silent += usize::from(index.rank(&query).hits.is_empty());
                    continue;
                }
                let start = Instant::now();
                let ranking = index.rank(&query);
                tally.asking.push(start.elapsed());
                let start = Instant::now();
                let at_once = lexical.rank(&query, &documents);
                tally.at_once.push(start.elapsed());
                assert_eq!(ranking, at_once, "an index answers like a single pass");
                let id =
                    |hit: &memdir_recall::Hit| memories.get(hit.index).map(|memory| &memory.id);
                let ranked: Vec<_> = ranking.hits.iter().filter_map(id).collect();
                let best: Vec<_> =
                    ranking.best(limits::MAX_ATTACHMENTS).iter().filter_map(id).collect();
                tally.count(question, &ranked, &best);
            }
        }
        tally
    }
}

impl Memory {
    fn document(&self) -> Document<'_> {
        let mut document = Document::new(&self.path, SystemTime::UNIX_EPOCH);
        document.name = self.name.as_deref();
        document.description = Some(&self.description);
        document.kind = self.kind;
        document.body = &self.text;
        document
    }
}

#[derive(Default)]
struct Tally {
    answerable: usize,
    /// Of the ranking: among the first 1, 5, 10; of what is attached.
    hits: [usize; 4],
    unanswerable: usize,
    silent: usize,
    foreign: usize,
    foreign_silent: usize,
    /// Share of what is attached that is relevant, summed: over answerable questions, over all.
    precise: [f64; 2],
    indexing: Vec<Duration>,
    asking: Vec<Duration>,
    at_once: Vec<Duration>,
}

impl Tally {
    fn count(&mut self, question: &Question, ranked: &[&String], best: &[&String]) {
        if question.relevant.is_empty() {
            self.unanswerable += 1;
            if best.is_empty() {
                self.silent += 1;
                self.precise[1] += 1.0;
            }
            return;
        }
        self.answerable += 1;
        let is_relevant = |id: &&&String| question.relevant.contains(id);
        let place = ranked.iter().position(|id| question.relevant.contains(id));
        for (hits, most) in self.hits.iter_mut().zip([1, 5, 10]) {
            *hits += usize::from(place.is_some_and(|place| place < most));
        }
        let relevant = best.iter().filter(is_relevant).count();
        self.hits[3] += usize::from(relevant > 0);
        let share = relevant as f64 / best.len().max(1) as f64;
        self.precise[0] += share;
        self.precise[1] += share;
    }

    fn table(&self) -> String {
        let of = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        let [first, five, ten, attached] = self.hits.map(|hits| of(hits, self.answerable));
        let [precision, precision_of_all] = self.precise;
        let median = |times: &[Duration]| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        format!(
            "  hit@1 {first:.3}  @5 {five:.3}  @10 {ten:.3}  attached {attached:.3}  of {}\n  \
             precision {:.3} where something is relevant, {:.3} over all questions\n  \
             silent {} of {}; asked of other haystacks {:.3}\n  \
             index {:?}, question {:?}, question without index {:?} (medians)",
            self.answerable,
            precision / self.answerable.max(1) as f64,
            precision_of_all / (self.answerable + self.unanswerable).max(1) as f64,
            self.silent,
            self.unanswerable,
            of(self.foreign_silent, self.foreign),
            median(&self.indexing),
            median(&self.asking),
            median(&self.at_once),
        )
    }
}

fn string(line: &Value, key: &str) -> Result<String, Box<dyn Error>> {
    let text = line.get(key).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| format!("no `{key}` in {line}").into())
}
