//! One job in a process of its own, so that its system calls can be counted and its time sampled.

use std::ffi::OsString;
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::input::{self, Recipe, transcript};
use crate::job::save;
use crate::job::scan::KEEP;
use crate::ours;
use crate::reference::{prefix::prefix, save::Saver, scan};

/// The first argument that asks for a probe: `probe WHAT DIR [TIMES]`.
pub const VERB: &str = "probe";
/// Scans by memdir.
pub const SCAN: &str = "scan";
/// Scans by the reference that stats all and opens the newest.
pub const STAT_NEWEST: &str = "stat200";
/// Scans by the reference that opens all.
pub const OPEN_ALL: &str = "open-all";
/// Reads the frontmatter of all heads by memdir.
pub const HEADS: &str = "heads";
/// Reads the frontmatter of all heads by the reference.
pub const PREFIX: &str = "prefix";
/// Saves by memdir, new memories one after the other.
pub const SAVE: &str = "save";
/// Saves by the reference.
pub const SAVE_REFERENCE: &str = "save-reference";
/// Follows the active branch of a session, and prints the memory that this took.
pub const BRANCH: &str = "branch";
/// Resumes a session, and prints the memory that this took.
pub const RESUME: &str = "resume";
/// Makes a session, with as many megabytes as the last argument says.
pub const GENERATE_SESSION: &str = "generate-session";
/// Makes the directory, with as many memories as the last argument says.
pub const GENERATE: &str = "generate";

/// Does what the arguments behind the verb say.
pub fn run(arguments: &[OsString]) -> anyhow::Result<()> {
    let (what, root, times) = match arguments {
        [what, root] => (what, root, 1),
        [what, root, times] => (what, root, times.to_string_lossy().parse().context("TIMES")?),
        _ => bail!("usage: memdir-bench {VERB} WHAT DIR [TIMES]"),
    };
    let root = Path::new(root);
    let what = what.to_string_lossy();
    if what == GENERATE {
        std::fs::create_dir(root)?;
        return Ok(input::write(root, Recipe::of(times))?);
    }
    if what == GENERATE_SESSION {
        transcript::write(root, transcript::Recipe::of(times.into()))?;
        return Ok(());
    }
    if what == BRANCH || what == RESUME {
        let before = most_memory()?;
        for _ in 0..times {
            if what == BRANCH {
                black_box(ours::branch(root)?);
            } else {
                black_box(ours::resume(root)?);
            }
        }
        let held = most_memory()? - before;
        return Ok(writeln!(std::io::stdout(), "{held}")?);
    }
    if what == SAVE {
        let store = ours::open(root)?;
        return (1..=times).try_for_each(|number| ours::save(&store, number, save::BODY));
    }
    if what == SAVE_REFERENCE {
        let mut saver = Saver::open(root)?;
        return (1..=times).try_for_each(|number| {
            Ok(saver.save(&format!("feedback_{number}.md"), save::BODY.as_bytes())?)
        });
    }
    let heads = if [HEADS, PREFIX].contains(&&*what) { scan::heads(root)? } else { Vec::new() };
    for _ in 0..times {
        match &*what {
            HEADS => heads.iter().for_each(|head| ours::frontmatter(head)),
            PREFIX => heads.iter().for_each(|head| drop(black_box(prefix(head)))),
            SCAN => drop(ours::scan(root)?),
            STAT_NEWEST => drop(scan::stat_newest(root, KEEP)?),
            OPEN_ALL => drop(scan::open_all(root, KEEP)?),
            other => bail!("no probe `{other}`"),
        }
    }
    Ok(())
}

/// Bytes of the most memory that this process held so far.
fn most_memory() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let value = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = value.and_then(|value| value.trim().strip_suffix(" kB"));
    Ok(kibibytes.context("no `VmHWM` in /proc/self/status")?.parse::<u64>()? * 1024)
}
