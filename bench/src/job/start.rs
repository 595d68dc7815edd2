//! S2: how much longer than nothing the command takes to list 200 memories.

use std::process::Command;

use super::{Setting, succeed};
use crate::input::{self, Recipe};
use crate::measure::{Clock, Pairs};
use crate::table::{Row, Verdict, difference, seconds};

/// Seconds over the start of an empty program.
const GOAL: f64 = 3e-3;
/// Processes are noisy and cheap, so there are more pairs of them.
const MORE: usize = 4;

/// Measures the whole process, from its start to its end.
pub fn run(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let memory = setting.folder()?;
    input::write(memory.path(), Recipe::of(200))?;
    let measure = |clock| {
        Pairs::take(
            clock,
            setting.pairs * MORE,
            || succeed(setting.command(memory.path()).args(["list", "--json"])),
            || succeed(&mut Command::new(&setting.empty)),
        )
    };
    Ok(vec![
        row("CPU", &measure(Clock::Children)?, Some(GOAL)),
        row("wall", &measure(Clock::Wall)?, None),
    ])
}

fn row(time: &str, pairs: &Pairs, limit: Option<f64>) -> Row {
    let excess = pairs.excess();
    Row {
        goal: "S2",
        job: format!("`memdir list --json`, 200 memories, whole process, {time}"),
        ours: seconds(pairs.ours().median),
        theirs: format!("{} empty program", seconds(pairs.theirs().median)),
        result: format!(
            "{} ({} to {})",
            difference(excess.median),
            difference(excess.low),
            difference(excess.high)
        ),
        wanted: limit.map_or_else(String::new, |limit| format!("≤ {}", difference(limit))),
        verdict: limit.map_or(Verdict::NoGoal, |limit| Verdict::at_most(excess.median, limit)),
    }
}
