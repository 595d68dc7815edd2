//! R1: the rules that 200 touched files call for, of 1,000.

use std::convert::Infallible;
use std::hint::black_box;

use anyhow::{Context as _, ensure};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use memdir_rules::pattern::Patterns;

use super::Setting;
use crate::input::rules;
use crate::measure::{Clock, Pairs};
use crate::table::Row;

const RULES: u32 = 1_000;
const FILES: u32 = 200;
/// Times of the reference.
const GOAL: f64 = 2.0;

/// Measures one pass over the files beside a `GlobSet` of the same patterns, both compiled before, and the compiling alone.
pub fn run(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let (rules, files) = (rules::patterns(RULES), rules::touched(FILES));
    let (patterns, set, owners) = (Patterns::new(&rules), glob_set(&rules)?, owners(&rules));
    let found = ours(&patterns, &files);
    ensure!(found == theirs(&set, &owners, &files)?, "the two matchers do not agree");
    ensure!(found.len() > files.len(), "the files call for {} rules only", found.len());
    let pass = Pairs::take(
        Clock::Cpu,
        setting.pairs,
        || {
            let mut pass = patterns.pass();
            for file in &files {
                black_box(pass.hits(file));
            }
            Ok::<_, Infallible>(())
        },
        || {
            let mut places = Vec::new();
            for file in &files {
                set.matches_into(file, &mut places);
                black_box(&places);
            }
            Ok(())
        },
    )?;
    let compile = Pairs::take(
        Clock::Cpu,
        setting.pairs,
        || {
            black_box(Patterns::new(&rules));
            Ok(())
        },
        || glob_set(&rules).map(|set| drop(black_box(set))),
    )?;
    let job = format!("{RULES} rules over {FILES} touched files");
    Ok(vec![
        Row::ratio("R1", job, "GlobSet", &pass, Some(GOAL)),
        Row::ratio("R1", format!("compile {RULES} rules"), "GlobSet", &compile, None),
    ])
}

/// File and rule of every match, in the order of both.
fn ours(patterns: &Patterns, files: &[String]) -> Vec<(usize, usize)> {
    let mut pass = patterns.pass();
    let files = files.iter().enumerate();
    files
        .flat_map(|(at, file)| pass.hits(file).into_iter().map(move |hit| (at, hit.group)))
        .collect()
}

fn theirs(
    set: &GlobSet,
    owners: &[usize],
    files: &[String],
) -> anyhow::Result<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    for (at, file) in files.iter().enumerate() {
        for place in set.matches(file) {
            found.push((at, *owners.get(place).context("a glob without a rule")?));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The rule of each pattern.
fn owners(rules: &[Vec<String>]) -> Vec<usize> {
    let rules = rules.iter().enumerate();
    rules.flat_map(|(at, patterns)| patterns.iter().map(move |_| at)).collect()
}

fn glob_set(rules: &[Vec<String>]) -> anyhow::Result<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in rules.iter().flatten() {
        let glob = GlobBuilder::new(pattern).literal_separator(true).case_insensitive(true).build();
        builder.add(glob?);
    }
    Ok(builder.build()?)
}
