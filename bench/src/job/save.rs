//! S7: saving one memory, alone and with nineteen others at the same time.

use std::path::Path;
use std::process::Child;

use anyhow::{Context as _, ensure};

use super::{Setting, succeed};
use crate::measure::{Clock, Pairs};
use crate::ours;
use crate::reference::save::Saver;
use crate::strace;
use crate::table::{Row, Verdict};

const FSYNCS: u64 = 4;
const WRITERS: usize = 20;
/// Times of twenty in a row that twenty at once may take.
const CROWD: f64 = 3.0;
/// The text that is saved.
pub(crate) const BODY: &str =
    "Tests run against a real server.\n\n**Why:** A fake hid a broken migration.\n";

/// Counts fsyncs, compares with the reference saver, and lets twenty processes save at once.
pub fn run(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    Ok(vec![fsyncs(setting)?, alone(setting)?, crowd(setting)?])
}

fn fsyncs(setting: &Setting) -> anyhow::Result<Row> {
    const JOB: &str = "fsyncs of `memdir save`, one memory and its index line";
    let memory = setting.folder()?;
    // The first save makes the folders of the state; the second is the one that counts.
    succeed(setting.command(memory.path()).args(save("first")))?;
    let mut arguments = vec!["--memory-dir".into(), memory.path().as_os_str().to_owned()];
    arguments.extend(save("second").map(Into::into));
    let log = setting.folder()?;
    let environment = [("HOME", setting.scratch.as_os_str())];
    let Some(calls) =
        strace::trace(&setting.memdir, &arguments, &environment, &log.path().join("strace"))?
    else {
        return Ok(Row::skipped("S7", JOB, "strace is absent or may not trace"));
    };
    Ok(Row {
        goal: "S7",
        job: JOB.into(),
        ours: calls.fsyncs.to_string(),
        theirs: format!("{FSYNCS} reference saver"),
        result: calls.fsyncs.to_string(),
        wanted: format!("≤ {FSYNCS}"),
        verdict: if calls.fsyncs <= FSYNCS { Verdict::Met } else { Verdict::Missed },
    })
}

fn alone(setting: &Setting) -> anyhow::Result<Row> {
    let (ours, theirs) = (setting.folder()?, setting.folder()?);
    let store = ours::open(ours.path())?;
    let mut saver = Saver::open(theirs.path())?;
    let (mut number, mut other) = (0, 0);
    let pairs = Pairs::take(
        Clock::Wall,
        setting.pairs,
        || {
            number += 1;
            ours::save(&store, number, BODY)
        },
        || {
            other += 1;
            anyhow::Ok(saver.save(&format!("feedback_{other}.md"), BODY.as_bytes())?)
        },
    )?;
    Ok(Row::ratio("S7", "save one memory, in process", "reference saver", &pairs, None))
}

fn crowd(setting: &Setting) -> anyhow::Result<Row> {
    let (crowd, queue) = (setting.folder()?, setting.folder()?);
    let (mut rounds, mut turns) = (0, 0);
    let pairs = Pairs::take(
        Clock::Wall,
        setting.pairs,
        || {
            rounds += 1;
            let started: Vec<Child> = (0..WRITERS)
                .map(|writer| {
                    let name = format!("round-{rounds}-writer-{writer}");
                    setting.command(crowd.path()).args(save(&name)).spawn().context("memdir save")
                })
                .collect::<Result<_, _>>()?;
            for mut child in started {
                let status = child.wait()?;
                ensure!(status.success(), "one of {WRITERS} writers ended with {status}");
            }
            anyhow::Ok(())
        },
        || {
            turns += 1;
            for writer in 0..WRITERS {
                let name = format!("turn-{turns}-writer-{writer}");
                succeed(setting.command(queue.path()).args(save(&name)))?;
            }
            anyhow::Ok(())
        },
    )?;
    whole(crowd.path(), rounds * WRITERS)?;
    whole(queue.path(), turns * WRITERS)?;
    let job = format!("{WRITERS} processes save at once, nothing lost");
    Ok(Row::ratio("S7", job, "in a row", &pairs, Some(CROWD)))
}

/// Every memory is there, has one line in the index, and no temporary file is left.
fn whole(memory: &Path, expected: usize) -> anyhow::Result<()> {
    let index = std::fs::read_to_string(memory.join("MEMORY.md"))?;
    let mut found = 0;
    for entry in std::fs::read_dir(memory)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        ensure!(!name.contains(".tmp"), "`{name}` was left behind");
        if name.ends_with(".md") && name != "MEMORY.md" {
            let lines = index.matches(&format!("]({name})")).count();
            ensure!(lines == 1, "`{name}` has {lines} lines in the index");
            found += 1;
        }
    }
    ensure!(found == expected, "{found} memories of {expected}");
    Ok(())
}

fn save(name: &str) -> [&str; 9] {
    let description = "Tests run against a real server, never a fake";
    ["save", "--type", "feedback", "--name", name, "--description", description, "--body", BODY]
}
