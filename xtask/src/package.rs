//! Every published crate packs, with all that a stranger needs in it.

use crate::Result;
use crate::report::Outcome;
use crate::session::{Depth, Session};
use crate::shell::Program;

/// Files that each package holds.
const NEEDED: &[&str] =
    &["Cargo.toml", "README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Whole file names and folders that no package holds.
const UNWANTED: &[&str] = &["tests/", "fuzz/", "target/", ".memdir/"];

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("packages");
    let mut pack =
        Program::cargo(session.root()).words("package --locked --workspace --allow-dirty");
    if session.depth == Depth::Quick {
        pack = pack.arg("--no-verify");
    }
    for package in session.workspace.packages.iter().filter(|package| !package.published) {
        pack = pack.args(["--exclude", &package.name]);
    }
    if !pack.run()? {
        outcome.failures.push("cargo package failed, see above".to_owned());
    }
    for package in session.workspace.published() {
        let listed = Program::cargo(session.root())
            .words("package --locked --allow-dirty --list -p")
            .arg(&package.name)
            .read()?;
        let files: Vec<&str> = listed.lines().collect();
        let missing = NEEDED.iter().find(|file| !files.contains(file));
        let unwanted = files.iter().find(|file| UNWANTED.iter().any(|name| file.starts_with(name)));
        let fault = match (missing, unwanted) {
            (None, None) => {
                outcome.record(true, "");
                continue;
            }
            (Some(file), _) => format!("{}: the package lacks {file}", package.name),
            (None, Some(file)) => format!("{}: the package holds {file}", package.name),
        };
        outcome.record(false, &fault);
    }
    Ok(outcome)
}
