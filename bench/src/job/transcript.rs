//! S3: a whole session read forwards. S4: what it resumes with, read from its end.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use super::{Extent, Setting};
use crate::input::transcript::{self as input, Made, Recipe};
use crate::measure::{Clock, Pairs};
use crate::reference::transcript as reference;
use crate::table::{Row, Verdict};
use crate::{ours, probe};

/// Times the reference that a pass may take.
const LIMIT: f64 = 1.5;
/// Bytes that a pass may hold besides its index.
const HELD_BYTES: u64 = 64 << 20;
/// Bytes of the index, a line.
const LINE_BYTES: u64 = 48;

/// Measures the pass over sessions of 1 and 50 MB, and of 500 MB where asked.
pub fn pass(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    each(setting, |path, made, megabytes| {
        let bytes = std::fs::read(path)?;
        let theirs = reference::branch(&bytes);
        let ours = ours::branch(path)?;
        ensure!(
            ours == (made.lines, theirs.entries),
            "memdir and the reference disagree: {ours:?}, {theirs:?}"
        );
        let file = Pairs::take(
            Clock::Cpu,
            setting.pairs,
            || {
                black_box(ours::branch(path)?);
                anyhow::Ok(())
            },
            || {
                black_box(reference::branch(&bytes));
                anyhow::Ok(())
            },
        )?;
        let job = format!("branch of {megabytes} MB, from the file");
        let mut rows = vec![Row::ratio("S3", job, "from memory", &file, Some(LIMIT))];
        let memory = Pairs::take(
            Clock::Cpu,
            setting.pairs,
            || {
                black_box(ours::branch_of(&bytes[..])?);
                anyhow::Ok(())
            },
            || {
                black_box(reference::branch(&bytes));
                anyhow::Ok(())
            },
        )?;
        let job = format!("branch of {megabytes} MB, from memory");
        rows.push(Row::ratio("S3", job, "from memory", &memory, None));
        drop(bytes);
        let limit = HELD_BYTES + LINE_BYTES * made.lines;
        rows.push(peak(setting, path, probe::BRANCH, "S3", megabytes, limit)?);
        Ok(rows)
    })
}

/// Measures resuming from the end of the same sessions.
pub fn resume(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    each(setting, |path, made, megabytes| {
        let theirs = reference::tail(path)?;
        let (entries, read) = ours::resume(path)?;
        ensure!(entries == theirs.entries, "memdir resumes with {entries}, {theirs:?}");
        let pairs = Pairs::take(
            Clock::Cpu,
            setting.pairs,
            || {
                black_box(ours::resume(path)?);
                anyhow::Ok(())
            },
            || {
                black_box(reference::tail(path)?);
                anyhow::Ok(())
            },
        )?;
        let job = format!("resume {} of {megabytes} MB", tail_name(made));
        let mut rows = vec![Row::ratio("S4", job, "tail", &pairs, Some(LIMIT))];
        #[expect(clippy::cast_precision_loss, reason = "some megabytes")]
        let ratio = read as f64 / made.tail as f64;
        rows.push(Row {
            goal: "S4",
            job: format!("bytes read to resume, {megabytes} MB"),
            ours: format!("{} KiB", read / 1024),
            theirs: format!("{} KiB behind the boundary", made.tail / 1024),
            result: format!("{ratio:.3} ×"),
            wanted: "≤ 1.1 ×".into(),
            verdict: Verdict::at_most(ratio, 1.1),
        });
        rows.push(peak(setting, path, probe::RESUME, "S4", megabytes, HELD_BYTES)?);
        Ok(rows)
    })
}

fn tail_name(made: Made) -> String {
    format!("behind the last {:.1} MB", megabytes(made.tail))
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn each(
    setting: &Setting,
    measure: impl Fn(&Path, Made, u64) -> anyhow::Result<Vec<Row>>,
) -> anyhow::Result<Vec<Row>> {
    let sizes: &[u64] = if setting.extent == Extent::Full { &[1, 50, 500] } else { &[1, 50] };
    let mut rows = Vec::new();
    for &megabytes in sizes {
        let folder = setting.folder()?;
        let path = folder.path().join("session.jsonl");
        let made = input::write(&path, Recipe::of(megabytes))?;
        rows.extend(measure(&path, made, megabytes)?);
    }
    Ok(rows)
}

/// The most memory that a process of its own held, over that of one that does nothing.
fn peak(
    setting: &Setting,
    path: &Path,
    what: &str,
    goal: &'static str,
    megabytes: u64,
    limit: u64,
) -> anyhow::Result<Row> {
    let output = Command::new(&setting.bench)
        .args([probe::VERB, what])
        .arg(path)
        .stdin(Stdio::null())
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let held: u64 =
        String::from_utf8(output.stdout)?.trim().parse().context("a number of bytes")?;
    let mib = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
    Ok(Row {
        goal,
        job: format!("most memory held, {megabytes} MB"),
        ours: mib(held),
        theirs: String::new(),
        result: mib(held),
        wanted: format!("≤ {}", mib(limit)),
        verdict: if held <= limit { Verdict::Met } else { Verdict::Missed },
    })
}
