//! S5: a question over 200 and 10,000 memories, as a whole process from a cold start, and alone.

use std::process::Command;
use std::time::{Instant, SystemTime};

use anyhow::{Context as _, ensure};
use memdir_recall::{Document, Lexical, Query};
use memdir_scan::{Options, scan_with};

use super::{QUESTION, Setting, succeed};
use crate::input::{self, Recipe};
use crate::measure::{Clock, Pairs};
use crate::ours;
use crate::table::{Row, Verdict, difference, seconds};

/// Memories, and seconds of the whole process.
const GOALS: [(u32, f64); 2] = [(200, 10e-3), (10_000, 60e-3)];
/// Seconds of a question alone over 200 memories that were prepared.
const ALONE: f64 = 0.1e-3;
/// Times that a question is asked.
const ROUNDS: usize = 1_001;

/// Measures `memdir recall` beside the empty program, and the question alone.
pub fn run(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (memories, limit) in GOALS {
        let memory = setting.folder()?;
        input::write(memory.path(), Recipe::of(memories))?;
        let pairs = Pairs::take(
            Clock::Children,
            setting.pairs,
            // It ends with 1 where nothing fits, which would be another measurement.
            || succeed(setting.command(memory.path()).args(["recall", QUESTION])),
            || succeed(&mut Command::new(&setting.empty)),
        )?;
        let ours = pairs.ours().median;
        rows.push(Row {
            goal: "S5",
            job: format!("`memdir recall`, {memories} memories, whole process, CPU"),
            ours: seconds(ours),
            theirs: format!("{} empty program", seconds(pairs.theirs().median)),
            result: format!("{} over it", difference(pairs.excess().median)),
            wanted: format!("≤ {}", seconds(limit)),
            verdict: Verdict::at_most(ours, limit),
        });
        if memories == 200 {
            let alone = alone(memory.path())?;
            rows.push(Row {
                goal: "S5",
                job: "a question alone, 200 memories, p50".to_owned(),
                ours: seconds(alone),
                theirs: String::new(),
                result: seconds(alone),
                wanted: format!("≤ {}", seconds(ALONE)),
                verdict: Verdict::at_most(alone, ALONE),
            });
        }
    }
    Ok(rows)
}

/// Seconds of the median question over memories that were prepared.
fn alone(memory: &std::path::Path) -> anyhow::Result<f64> {
    let options = Options::new(SystemTime::now());
    let (scan, bodies) = scan_with(&ours::open(memory)?, &options, |_, head| head.body.to_owned())?;
    let memories = scan.headers.iter().zip(&bodies);
    let documents: Vec<_> = memories.map(|(header, body)| Document::of(header, body)).collect();
    let index = Lexical::new().index(&documents);
    ensure!(!index.rank(&Query::new(QUESTION)).hits.is_empty(), "no memory answers the question");
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(index.rank(&Query::new(QUESTION)));
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(ROUNDS / 2).copied().context("no question was asked")
}
