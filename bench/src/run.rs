//! Arguments, the build of what is measured, and the table.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};

use crate::job::{self, Extent, Setting, hook, rules, save, scan, start, transcript};
use crate::{probe, recall, table};

const USAGE: &str = "\
usage: memdir-bench recall [--data DIR]... [--ablation]
       memdir-bench [--full] [--pairs N] [--only S1|S2|S3|S4|S5|S6|S7|R1]... [--scratch DIR] [--memdir PATH]

  --full          also a directory of 100,000 memories, a session of 500 MB
  --pairs N       pairs of each comparison, at least 5 [default: 9]
  --only GOAL     measure this goal; may be given several times
  --scratch DIR   where inputs are made and removed [default: beside this program]
  --memdir PATH   the command to measure [default: built beside this program]
";
const FEWEST_PAIRS: usize = 5;
const PAIRS: usize = 9;

type Job = fn(&Setting) -> anyhow::Result<Vec<table::Row>>;
const JOBS: [(&str, Job); 8] = [
    ("S1", scan::run),
    ("S2", start::run),
    ("S3", transcript::pass),
    ("S4", transcript::resume),
    ("S5", job::recall::run),
    ("S6", hook::run),
    ("S7", save::run),
    ("R1", rules::run),
];

/// Does what the arguments ask, the program's name not among them.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    match act(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let shown = writeln!(std::io::stderr(), "memdir-bench: {error:#}");
            ExitCode::from(if shown.is_ok() { 1 } else { 2 })
        }
    }
}

fn act(arguments: Vec<OsString>) -> anyhow::Result<()> {
    if let [verb, rest @ ..] = arguments.as_slice()
        && verb == probe::VERB
    {
        return probe::run(rest);
    }
    if let [verb, rest @ ..] = arguments.as_slice()
        && verb == recall::VERB
    {
        return recall::run(rest);
    }
    let mut stdout = std::io::stdout().lock();
    let Some(wanted) = Wanted::read(arguments)? else {
        return Ok(stdout.write_all(USAGE.as_bytes())?);
    };
    let setting = wanted.setting()?;
    let mut rows = Vec::new();
    for (goal, job) in JOBS {
        if wanted.goals.is_empty() || wanted.goals.iter().any(|only| only == goal) {
            writeln!(std::io::stderr(), "measuring {goal}")?;
            rows.extend(job(&setting).with_context(|| format!("{goal} could not be measured"))?);
        }
    }
    stdout.write_all(table::render(&rows).as_bytes())?;
    Ok(())
}

struct Wanted {
    extent: Extent,
    pairs: usize,
    goals: Vec<String>,
    scratch: Option<PathBuf>,
    memdir: Option<PathBuf>,
}

impl Wanted {
    /// `None` asks for the usage.
    fn read(arguments: Vec<OsString>) -> anyhow::Result<Option<Self>> {
        let mut wanted = Self {
            extent: Extent::Default,
            pairs: PAIRS,
            goals: Vec::new(),
            scratch: None,
            memdir: None,
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments.next().with_context(|| format!("{} needs a value", argument.display()))
            };
            match argument.to_str() {
                Some("--help" | "-h") => return Ok(None),
                Some("--full") => wanted.extent = Extent::Full,
                Some("--pairs") => {
                    wanted.pairs = value()?.to_string_lossy().parse().context("--pairs")?;
                    if wanted.pairs < FEWEST_PAIRS {
                        bail!("--pairs: at least {FEWEST_PAIRS}, or the median says little");
                    }
                }
                Some("--only") => {
                    let goal = value()?.to_string_lossy().into_owned();
                    if !JOBS.iter().any(|(known, _)| *known == goal) {
                        bail!("--only: no goal `{goal}`");
                    }
                    wanted.goals.push(goal);
                }
                Some("--scratch") => wanted.scratch = Some(value()?.into()),
                Some("--memdir") => wanted.memdir = Some(value()?.into()),
                _ => bail!("unknown argument `{}`\n{USAGE}", argument.display()),
            }
        }
        Ok(Some(wanted))
    }

    fn setting(&self) -> anyhow::Result<Setting> {
        let bench = std::env::current_exe()?;
        let beside = bench.parent().context("this program lies in no folder")?.to_path_buf();
        build(self.memdir.is_none())?;
        let scratch = match &self.scratch {
            Some(scratch) => std::path::absolute(scratch)?,
            None => beside.clone(),
        };
        let memdir = match &self.memdir {
            Some(memdir) => std::path::absolute(memdir)?,
            None => beside.join("memdir"),
        };
        let empty = beside.join("memdir-bench-empty");
        Ok(Setting { scratch, bench, empty, memdir, pairs: self.pairs, extent: self.extent })
    }
}

/// Builds the empty program and the command, optimised like this program.
fn build(command: bool) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(env!("CARGO_MANIFEST_DIR"));
    build.args(["build", "--quiet", "--locked", "--release", "--package", "memdir-bench"]);
    if command {
        build.args(["--package", "memdir-cli"]);
    }
    let status = build.status().context("cargo build")?;
    if !status.success() {
        bail!("cargo build ended with {status}");
    }
    Ok(())
}
