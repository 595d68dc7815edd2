//! Snapshot files: none waits for a decision, and a test asserts each.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::report::Outcome;
use crate::session::Session;
use crate::suite;

/// Folders that hold no sources.
const APART: &[&str] = &["target", ".git"];

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    if session.snapshots_used.get().is_none() {
        let tests = suite::check(session)?;
        print!("{}", tests.describe("test"));
    }
    let used = session.snapshots_used.get().ok_or("the tests kept no list of snapshots")?;
    let mut files = Vec::new();
    collect(session.root(), &mut files)?;
    Ok(judge(session.root(), &files, used.as_deref()))
}

/// What is wrong with the snapshot `files`, when the tests used `used`, which is unknown where they failed.
fn judge(root: &Path, files: &[PathBuf], used: Option<&[PathBuf]>) -> Outcome {
    let mut outcome = Outcome::of("files");
    for file in files {
        let shown = file.strip_prefix(root).unwrap_or(file).display();
        if file.extension().is_some_and(|extension| extension == "snap") {
            let asserted = used.is_none_or(|used| used.contains(file));
            outcome.record(asserted, &format!("{shown}: no test asserts it"));
        } else {
            outcome.record(false, &format!("{shown}: a snapshot that nobody accepted"));
        }
    }
    if used.is_none() {
        outcome.skip("orphans", "tests failed, so which snapshots they assert is not known");
    }
    if files.is_empty() {
        outcome.skip("snapshot files", "there are none; snapshots are inline");
    }
    outcome
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            let apart =
                APART.contains(&name.as_ref()) || entry.path().join("CACHEDIR.TAG").is_file();
            if !apart {
                collect(&entry.path(), found)?;
            }
        } else if [".snap", ".snap.new", ".pending-snap"].iter().any(|end| name.ends_with(end)) {
            found.push(entry.path().canonicalize()?);
        }
    }
    found.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orphans_and_pending_snapshots_fail() {
        let at = |name: &str| Path::new("/w").join(name);
        let files = [at("a.snap"), at("b.snap"), at("b.snap.new"), at(".c.rs.pending-snap")];
        assert_eq!(
            judge(Path::new("/w"), &files, Some(&[at("a.snap")])),
            Outcome {
                ran: 4,
                unit: "files",
                failures: vec![
                    "b.snap: no test asserts it".into(),
                    "b.snap.new: a snapshot that nobody accepted".into(),
                    ".c.rs.pending-snap: a snapshot that nobody accepted".into(),
                ],
                ..Outcome::default()
            }
        );
    }

    #[test]
    fn nothing_is_called_an_orphan_where_tests_failed() {
        let outcome = judge(Path::new("/w"), &[PathBuf::from("/w/a.snap")], None);
        assert_eq!((outcome.failures.len(), outcome.skips.len()), (0, 1));
    }
}
