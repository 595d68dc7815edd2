//! S1: the headers of the newest 200 memories.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use rustix::fs::{Advice, fadvise};

use super::{Extent, Setting};
use crate::input::{self, Recipe};
use crate::measure::{Clock, Pairs};
use crate::reference::{prefix, scan};
use crate::strace::{self, Calls};
use crate::table::{Row, Verdict, seconds};
use crate::{ours, probe};

/// Headers that a scan keeps.
pub const KEEP: usize = 200;

/// Measures 200 and 10,000 memories, and 100,000 where asked.
pub fn run(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let small = setting.folder()?;
    input::write(small.path(), Recipe::of(200))?;
    let mut rows = vec![against(setting, small.path(), 200, Reference::OpenAll, 1.2)?];
    drop(small);
    let middle = setting.folder()?;
    input::write(middle.path(), Recipe::of(10_000))?;
    rows.push(against(setting, middle.path(), 10_000, Reference::StatNewest, 1.3)?);
    rows.push(listing(setting, middle.path())?);
    rows.push(opens(setting, middle.path(), 10_000)?);
    rows.push(bytes(middle.path())?);
    rows.push(heads(setting, middle.path())?);
    rows.push(python(setting, middle.path())?);
    drop(middle);
    if setting.extent == Extent::Full {
        let large = setting.folder()?;
        input::write(large.path(), Recipe::of(100_000))?;
        rows.push(against(setting, large.path(), 100_000, Reference::StatNewest, 1.3)?);
        rows.push(opens(setting, large.path(), 100_000)?);
    }
    Ok(rows)
}

#[derive(Clone, Copy)]
enum Reference {
    OpenAll,
    StatNewest,
}

impl Reference {
    fn run(self, root: &Path) -> anyhow::Result<Vec<scan::Found>> {
        Ok(match self {
            Self::OpenAll => scan::open_all(root, KEEP)?,
            Self::StatNewest => scan::stat_newest(root, KEEP)?,
        })
    }
}

fn against(
    setting: &Setting,
    root: &Path,
    memories: u32,
    reference: Reference,
    limit: f64,
) -> anyhow::Result<Row> {
    let mut paths: Vec<_> = reference.run(root)?.into_iter().map(|one| one.path).collect();
    let mut found = ours::newest(root)?;
    paths.sort();
    found.sort();
    ensure!(paths == found, "memdir and the reference disagree about the newest {KEEP}");
    let pairs = Pairs::take(
        Clock::Cpu,
        setting.pairs,
        || ours::scan(root).map(|found| drop(std::hint::black_box(found))),
        || reference.run(root).map(|found| drop(std::hint::black_box(found))),
    )?;
    let name = match reference {
        Reference::OpenAll => "open all",
        Reference::StatNewest => "stat200",
    };
    let job = format!("newest {KEEP} of {memories}");
    Ok(Row::ratio("S1", job, name, &pairs, Some(limit)))
}

fn listing(setting: &Setting, root: &Path) -> anyhow::Result<Row> {
    let pairs = Pairs::take(
        Clock::Cpu,
        setting.pairs,
        || ours::visit(root),
        || {
            std::hint::black_box(scan::stat_all(root)?);
            anyhow::Ok(())
        },
    )?;
    let job = "names, times and sizes of 10,000, no file opened";
    Ok(Row::ratio("S1", job, "stat all", &pairs, None))
}

fn heads(setting: &Setting, root: &Path) -> anyhow::Result<Row> {
    let heads = scan::heads(root)?;
    let pairs = Pairs::take(
        Clock::Cpu,
        setting.pairs,
        || {
            for head in &heads {
                ours::frontmatter(std::hint::black_box(head));
            }
            anyhow::Ok(())
        },
        || {
            for head in &heads {
                std::hint::black_box(prefix::prefix(std::hint::black_box(head)));
            }
            anyhow::Ok(())
        },
    )?;
    let job = "frontmatter of 10,000 heads in memory";
    Ok(Row::ratio("S1", job, "prefix parser", &pairs, Some(1.15)))
}

fn opens(setting: &Setting, root: &Path, memories: u64) -> anyhow::Result<Row> {
    let job = format!("files opened, newest {KEEP} of {memories}");
    let log = setting.folder()?;
    let probe = |what: &str| -> anyhow::Result<Option<Calls>> {
        let arguments = [probe::VERB.as_ref(), what.as_ref(), root.as_os_str()];
        Ok(strace::trace(&setting.bench, &arguments, &[], &log.path().join("strace"))?)
    };
    let (Some(ours), Some(theirs)) = (probe(probe::SCAN)?, probe(probe::STAT_NEWEST)?) else {
        return Ok(Row::skipped("S1", job, "strace is absent or may not trace"));
    };
    let limit = KEEP as u64 + memories / 20;
    Ok(Row {
        goal: "S1",
        job,
        ours: ours.opens.to_string(),
        theirs: format!("{} stat200", theirs.opens),
        result: ours.opens.to_string(),
        wanted: format!("≤ {limit}"),
        verdict: if ours.opens <= limit { Verdict::Met } else { Verdict::Missed },
    })
}

/// Bytes that the disk delivers when the files' pages are not in memory.
fn bytes(root: &Path) -> anyhow::Result<Row> {
    const JOB: &str = "bytes from the disk, newest 200 of 10,000, cold";
    rustix::fs::sync();
    let mut samples = Vec::new();
    for _ in 0..3 {
        let ours = cold(root, || ours::scan(root).map(drop))?;
        samples.push((ours, cold(root, || scan::stat_newest(root, KEEP).map(drop))?));
    }
    samples.sort_unstable();
    let Some(&(ours, theirs)) = samples.get(1) else { bail!("no sample") };
    if theirs == 0 {
        return Ok(Row::skipped("S1", JOB, "the file system does not count what it delivers"));
    }
    #[expect(clippy::cast_precision_loss, reason = "a few megabytes")]
    let ratio = ours as f64 / theirs as f64;
    Ok(Row {
        goal: "S1",
        job: JOB.into(),
        ours: format!("{} KiB", ours / 1024),
        theirs: format!("{} KiB stat200", theirs / 1024),
        result: format!("{ratio:.2} ×"),
        wanted: "≤ 1.1 ×".into(),
        verdict: Verdict::at_most(ratio, 1.1),
    })
}

/// Bytes that one scan makes the disk deliver after the files' pages were dropped.
fn cold<E>(root: &Path, scan: impl FnOnce() -> Result<(), E>) -> anyhow::Result<u64>
where
    anyhow::Error: From<E>,
{
    evict(root)?;
    let before = delivered()?;
    scan()?;
    Ok(delivered()? - before)
}

fn evict(folder: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            evict(&entry.path())?;
        } else {
            fadvise(File::open(entry.path())?, 0, None, Advice::DontNeed)?;
        }
    }
    Ok(())
}

/// Bytes that this process caused the disk to deliver so far.
fn delivered() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/io")?;
    let value = text.lines().find_map(|line| line.strip_prefix("read_bytes: "));
    Ok(value.context("no `read_bytes` in /proc/self/io")?.parse()?)
}

fn python(setting: &Setting, root: &Path) -> anyhow::Result<Row> {
    const JOB: &str = "newest 200 of 10,000, memdir against a Python script";
    /// How many times faster than the script.
    const GOAL: f64 = 15.0;
    let script = include_str!("../reference/scan.py");
    let mut samples = Vec::new();
    for _ in 0..setting.pairs {
        let ours = Clock::Cpu.time(|| ours::scan(root).map(drop))?;
        let mut python = Command::new("python3");
        python.args(["-c", script]).arg(root).arg("1").stdin(Stdio::null());
        let Ok(output) = python.output() else {
            return Ok(Row::skipped("S1", JOB, "python3 is absent"));
        };
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        samples.push((ours, String::from_utf8(output.stdout)?.trim().parse()?));
    }
    let pairs = Pairs { samples };
    let faster = pairs.ratio().median.recip();
    Ok(Row {
        goal: "S1",
        job: JOB.into(),
        ours: seconds(pairs.ours().median),
        theirs: format!("{} Python", seconds(pairs.theirs().median)),
        result: format!("{faster:.0} × faster"),
        wanted: format!("≥ {GOAL} ×"),
        verdict: if faster >= GOAL { Verdict::Met } else { Verdict::Missed },
    })
}
