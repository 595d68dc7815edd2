//! How well labelled questions are answered, and what each part of the selection adds.
//!
//! A set is a folder with `docs.jsonl`, lines `{"haystack", "id", "text"}` and perhaps `"name"`, `"description"`, `"type"`, and
//! `queries.jsonl`, lines `{"haystack", "query", "relevant": […]}`. A document is a memory whose body is the text and whose
//! description is its beginning, where it has none. A question for which nothing is relevant is to be answered with nothing.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use memdir_core::text::prefix;
use memdir_core::{MemPath, MemoryType};
use memdir_recall::{Document, Hit, Lexical, Part, Query, Uses, limits::MAX_ATTACHMENTS};
use serde::Deserialize;

/// The first argument that asks for this.
pub const VERB: &str = "recall";

const USAGE: &str = "\
usage: memdir-bench recall [--data DIR]... [--ablation]

  --data DIR   a set, or a folder of sets; those of the repository are measured too
  --ablation   also without each part of the selection
";

/// Bytes of a text that make its description where it has none.
const DESCRIPTION_BYTES: usize = 512;

/// What is left out, in the order of the table.
const PARTS: [(&str, Part); 8] = [
    ("weights of fields", Part::Fields),
    ("stems", Part::Stems),
    ("stems but English", Part::Languages),
    ("pairs of characters", Part::Pairs),
    ("synonyms", Part::Synonyms),
    ("questions for a time", Part::Times),
    ("topics", Part::Topics),
    ("cut-off", Part::CutOff),
];

/// Measures the sets that the arguments name and prints a table.
///
/// # Errors
///
/// A set cannot be read, or an argument is none.
pub fn run(arguments: &[OsString]) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    let mut folders =
        sets(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/memdir-recall/tests/data"))?;
    let mut is_ablation = false;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--ablation") => is_ablation = true,
            Some("--data") => {
                folders.extend(sets(Path::new(arguments.next().context("--data needs a value")?))?);
            }
            Some("--help" | "-h") => return Ok(stdout.write_all(USAGE.as_bytes())?),
            _ => bail!("unknown argument `{}`\n{USAGE}", argument.display()),
        }
    }
    // One given twice, or a copy of one of ours.
    folders.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
    folders.dedup_by(|a, b| a.file_name() == b.file_name());
    writeln!(stdout, "| set | | hit@1 | @5 | @10 | attached | precision | silent |")?;
    writeln!(stdout, "|---|---|---|---|---|---|---|---|")?;
    for folder in &folders {
        let set = Set::read(folder)?;
        let name = folder.file_name().unwrap_or_default().display();
        writeln!(
            stdout,
            "| {name} | all parts | {} |",
            set.ask(&Lexical::new(), Used::Never).cells()
        )?;
        if !is_ablation {
            continue;
        }
        for (what, part) in PARTS {
            let tally = set.ask(&Lexical::new().without(part), Used::Never);
            writeln!(stdout, "| | without {what} | {} |", tally.cells())?;
        }
        writeln!(
            stdout,
            "| | with usage at random | {} |",
            set.ask(&Lexical::new(), Used::AtRandom).cells()
        )?;
    }
    Ok(())
}

/// The folder itself if it is a set, else those in it, by name.
fn sets(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let is_set = |folder: &Path| folder.join("docs.jsonl").is_file();
    if is_set(folder) {
        return Ok(vec![folder.to_path_buf()]);
    }
    let entries = fs::read_dir(folder).with_context(|| format!("`{}`", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if is_set(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

/// How the memories of a set were used before.
#[derive(Clone, Copy)]
enum Used {
    Never,
    /// By the order in which they are listed, which has nothing to do with the questions: the most that usage can harm.
    AtRandom,
}

struct Set {
    haystacks: BTreeMap<String, Vec<Memory>>,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Line {
    haystack: String,
    id: String,
    text: String,
    name: Option<String>,
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

struct Memory {
    path: MemPath,
    line: Line,
}

#[derive(Deserialize)]
struct Question {
    haystack: String,
    query: String,
    relevant: Vec<String>,
}

impl Set {
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut haystacks: BTreeMap<String, Vec<Memory>> = BTreeMap::new();
        for line in read::<Line>(&folder.join("docs.jsonl"))? {
            let memories = haystacks.entry(line.haystack.clone()).or_default();
            let path = MemPath::parse(&format!("{}.md", memories.len()))?;
            memories.push(Memory { path, line });
        }
        Ok(Self { haystacks, questions: read(&folder.join("queries.jsonl"))? })
    }

    fn ask(&self, lexical: &Lexical, used: Used) -> Tally {
        let mut questions: HashMap<&str, Vec<&Question>> = HashMap::new();
        for question in &self.questions {
            questions.entry(&question.haystack).or_default().push(question);
        }
        let mut tally = Tally::default();
        for (haystack, memories) in &self.haystacks {
            let documents: Vec<_> =
                memories.iter().zip(0..).map(|(memory, at)| memory.document(used, at)).collect();
            let index = lexical.index(&documents);
            for question in questions.get(&**haystack).into_iter().flatten() {
                let ranking = index.rank(&Query::new(&question.query));
                let is_right = |hit: &Hit| {
                    memories
                        .get(hit.index)
                        .is_some_and(|memory| question.relevant.contains(&memory.line.id))
                };
                let ranked: Vec<_> = ranking.hits.iter().map(is_right).collect();
                let attached: Vec<_> = ranking.best(MAX_ATTACHMENTS).iter().map(is_right).collect();
                tally.count(question.relevant.is_empty(), &ranked, &attached);
            }
        }
        tally
    }
}

fn read<T: for<'de> Deserialize<'de>>(file: &Path) -> anyhow::Result<Vec<T>> {
    let text = fs::read_to_string(file).with_context(|| format!("`{}`", file.display()))?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
}

impl Memory {
    fn document(&self, used: Used, at: u32) -> Document<'_> {
        let mut document = Document::new(&self.path, SystemTime::UNIX_EPOCH);
        document.body = &self.line.text;
        document.name = self.line.name.as_deref();
        document.description =
            self.line.description.as_deref().or(Some(prefix(document.body, DESCRIPTION_BYTES)));
        document.kind = self.line.kind.as_deref().and_then(MemoryType::parse);
        if matches!(used, Used::AtRandom) {
            document.uses = Uses { shown: 9, read: at.wrapping_mul(2_654_435_761) >> 29, cited: 0 };
        }
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
    /// The share of what is attached that is right, summed over answerable questions.
    precise: f64,
}

impl Tally {
    fn count(&mut self, is_unanswerable: bool, ranked: &[bool], attached: &[bool]) {
        if is_unanswerable {
            self.unanswerable += 1;
            self.silent += usize::from(attached.is_empty());
            return;
        }
        self.answerable += 1;
        let place = ranked.iter().position(|is_right| *is_right);
        for (hits, most) in self.hits.iter_mut().zip([1, 5, 10]) {
            *hits += usize::from(place.is_some_and(|place| place < most));
        }
        let right = attached.iter().filter(|is_right| **is_right).count();
        self.hits[3] += usize::from(right > 0);
        self.precise += share(right, attached.len());
    }

    fn cells(&self) -> String {
        let [first, five, ten, attached] = self.hits.map(|hits| share(hits, self.answerable));
        #[expect(clippy::cast_precision_loss, reason = "some hundreds of questions")]
        let precision = self.precise / self.answerable.max(1) as f64;
        let silence = match self.unanswerable {
            0 => String::new(),
            all => format!("{} of {all}", self.silent),
        };
        format!("{first:.3} | {five:.3} | {ten:.3} | {attached:.3} | {precision:.3} | {silence}")
    }
}

#[expect(clippy::cast_precision_loss, reason = "some hundreds of questions")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}
