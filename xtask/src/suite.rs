//! The tests: nextest where it is installed, `cargo test` elsewhere, then doctests.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::report::Outcome;
use crate::session::{Depth, Session};
use crate::shell::{Program, has_cargo_tool};
use crate::skips::{Machine, attribute};

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("tests");
    let built = Program::cargo(session.root())
        .words("build --locked --workspace --exclude xtask --all-features --bins")
        .words(&format!("--profile {}", profile(session.depth).name))
        .run()?;
    if !built {
        outcome.failures.push("the binaries do not build".to_owned());
    }
    let used = session.scratch()?.join("snapshots-used.txt");
    remove(&used)?;
    let machine = Machine::look(session.root(), session.depth);
    if has_cargo_tool(session.root(), "nextest") {
        nextest(session, machine, &used, &mut outcome)?;
    } else {
        outcome.notes.push("cargo-nextest is not installed: used cargo test".to_owned());
        cargo_test(session, machine, &used, &mut outcome)?;
    }
    doctests(session, &mut outcome)?;
    let snapshots = snapshots_in(&used, session.root())?;
    outcome.notes.push(format!("{} snapshot files used", snapshots.len()));
    let all_ran = outcome.failures.is_empty();
    session.snapshots_used.get_or_init(|| all_ran.then_some(snapshots));
    Ok(outcome)
}

/// How tests are compiled, and the folder below the target folder where that puts them.
struct Profile {
    name: &'static str,
    folder: &'static str,
}

/// Tests at full size spend their time running, the others in the compiler.
fn profile(depth: Depth) -> Profile {
    match depth {
        Depth::Quick => Profile { name: "dev", folder: "debug" },
        Depth::Full => Profile { name: "full", folder: "full" },
    }
}

/// Cargo with what every test may rely on.
fn cargo(session: &Session, used: &Path) -> Result<Program> {
    let name = format!("memdir{}", std::env::consts::EXE_SUFFIX);
    let folder = session.metadata()?.target_directory.join(profile(session.depth).folder);
    let program = Program::cargo(session.root())
        .env("MEMDIR_BIN", folder.join(name))
        .env("INSTA_UPDATE", "no")
        .env("INSTA_SNAPSHOT_REFERENCES_FILE", used);
    Ok(match session.depth {
        Depth::Quick => program,
        Depth::Full => program.env("MEMDIR_FULL", "1"),
    })
}

fn nextest(session: &Session, machine: Machine, used: &Path, outcome: &mut Outcome) -> Result<()> {
    // nextest's store does not follow the target folder.
    let junit = session.root().join("target/nextest/ci/junit.xml");
    remove(&junit)?;
    let passed = cargo(session, used)?
        .words("nextest run --locked --workspace --all-features --profile ci")
        .words(&format!("--cargo-profile {}", profile(session.depth).name))
        .run()?;
    if !passed {
        outcome.failures.push("tests failed, see above".to_owned());
    }
    let Ok(xml) = std::fs::read_to_string(&junit) else {
        outcome.failures.push(format!("nextest left no report at {}", junit.display()));
        return Ok(());
    };
    let count = xml
        .split_once("<testsuites")
        .and_then(|(_, suites)| attribute(suites, "tests"))
        .and_then(|count| count.parse::<usize>().ok());
    outcome.ran += count.ok_or("nextest's report holds no count of tests")?;
    outcome.skips.extend(machine.skips_of_junit(&xml));
    Ok(())
}

fn cargo_test(
    session: &Session,
    machine: Machine,
    used: &Path,
    outcome: &mut Outcome,
) -> Result<()> {
    let printed = cargo(session, used)?
        .words("test --locked --workspace --all-features --no-fail-fast")
        .words(&format!("--profile {}", profile(session.depth).name))
        .words("--lib --bins --tests --examples -- --show-output")
        .tee()?;
    if !printed.success {
        outcome.failures.push("tests failed, see above".to_owned());
    }
    outcome.ran += passed_in(&printed.stdout);
    outcome.skips.extend(machine.skips_of_output(&printed.stdout));
    Ok(())
}

fn doctests(session: &Session, outcome: &mut Outcome) -> Result<()> {
    let printed = Program::cargo(session.root())
        .words("test --locked --workspace --all-features --no-fail-fast --doc")
        .tee()?;
    let ran = passed_in(&printed.stdout);
    outcome.ran += ran;
    outcome.notes.push(format!("{ran} of them doctests"));
    if !printed.success {
        outcome.failures.push("doctests failed, see above".to_owned());
    }
    Ok(())
}

/// The sum of `N passed` and `N failed` over every `test result:` line.
fn passed_in(output: &str) -> usize {
    let results = output.lines().filter(|line| line.starts_with("test result: "));
    results
        .flat_map(|line| line.split([';', '.']))
        .filter_map(|part| {
            let (number, word) = part.trim().split_once(' ')?;
            if word != "passed" && word != "failed" {
                return None;
            }
            number.parse::<usize>().ok()
        })
        .sum()
}

fn snapshots_in(used: &Path, root: &Path) -> Result<Vec<PathBuf>> {
    let text = match std::fs::read_to_string(used) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", used.display()).into()),
    };
    let mut found: Vec<PathBuf> =
        text.lines().filter_map(|line| root.join(line).canonicalize().ok()).collect();
    found.sort();
    found.dedup();
    Ok(found)
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", path.display()).into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_the_tests_of_every_binary() {
        let output = "test a ... ok\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s\n\
            test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
        assert_eq!(passed_in(output), 6);
    }
}
