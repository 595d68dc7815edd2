//! One scan in a process of its own, so that its system calls can be counted.

use std::path::Path;

use anyhow::bail;

use crate::job::scan::KEEP;
use crate::ours;
use crate::reference::scan;

/// The hidden first argument.
pub const VERB: &str = "probe";
/// One scan by memdir.
pub const SCAN: &str = "scan";
/// One scan by the reference.
pub const STAT_NEWEST: &str = "stat200";

/// Does what the name says, once.
pub fn run(what: &str, root: &Path) -> anyhow::Result<()> {
    match what {
        SCAN => drop(ours::scan(root)?),
        STAT_NEWEST => drop(scan::stat_newest(root, KEEP)?),
        other => bail!("no probe `{other}`"),
    }
    Ok(())
}
