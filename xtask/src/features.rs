//! Each crate alone, with no and with all of its features; on other systems where they are installed.

use crate::Result;
use crate::report::Outcome;
use crate::session::{Depth, Session};
use crate::shell::{Program, rustup_lines};
use crate::workspace::Package;

/// The layers that promise to build alone in every change.
const QUICK_LAYERS: u8 = 1;
/// Systems that layers 0 and 1 are checked for, beside the one that runs the checks.
const OTHER_SYSTEMS: &[&str] = &["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("builds");
    for package in session.workspace.up_to(QUICK_LAYERS) {
        alone(session, package, &mut outcome)?;
    }
    if session.depth == Depth::Full {
        for package in session.workspace.published() {
            if package.layer.is_none_or(|layer| layer > QUICK_LAYERS) {
                alone(session, package, &mut outcome)?;
            }
        }
        other_systems(session, &mut outcome)?;
    }
    Ok(outcome)
}

fn alone(session: &Session, package: &Package, outcome: &mut Outcome) -> Result<()> {
    let mut sets =
        vec![vec!["--no-default-features".to_owned()], vec!["--all-features".to_owned()]];
    if session.depth == Depth::Full {
        let features = package.manifest.entries.iter().filter(|entry| entry.section == "features");
        sets.extend(features.map(|feature| {
            vec!["--no-default-features".into(), "--features".into(), feature.key.clone()]
        }));
    }
    for set in sets {
        let clean = Program::cargo(session.root())
            .words("clippy --locked -p")
            .arg(&package.name)
            .args(&set)
            .words("-- -D warnings")
            .run()?;
        outcome.record(clean, &format!("{} alone with {}", package.name, set.join(" ")));
    }
    Ok(())
}

fn other_systems(session: &Session, outcome: &mut Outcome) -> Result<()> {
    let installed = rustup_lines(session.root(), "target list --installed");
    for &system in OTHER_SYSTEMS {
        if !installed.iter().any(|target| target == system) {
            outcome.skip(format!("cargo check for {system}"), "the target is not installed");
            continue;
        }
        for package in session.workspace.up_to(QUICK_LAYERS) {
            let builds = Program::cargo(session.root())
                .words("check --locked --all-features --target")
                .args([system, "-p", &package.name])
                .run()?;
            outcome.record(builds, &format!("{} for {system}", package.name));
        }
    }
    Ok(())
}
