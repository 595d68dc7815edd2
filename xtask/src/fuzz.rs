//! Fuzzing: every body on its seeds with the stable toolchain, and libFuzzer for a bounded time.

use std::process::ExitCode;

use crate::Result;
use crate::manifest::Manifest;
use crate::report::Outcome;
use crate::session::{Depth, Session};
use crate::shell::{Program, has_cargo_tool, rustup_lines};

/// How long a target runs where nobody says, in seconds.
const SECONDS: u32 = 60;
const INSTALL: &str = "cargo-fuzz is not installed: cargo install --locked cargo-fuzz";

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("targets");
    let targets = targets(session)?;
    // Without libFuzzer, in the folder where everything else is built.
    let held = Program::cargo(session.root())
        .words("test --quiet --locked --no-default-features --lib --manifest-path fuzz/Cargo.toml")
        .env("CARGO_TARGET_DIR", &session.metadata()?.target_directory)
        .run()?;
    if held {
        outcome.ran += targets.len();
    } else {
        outcome.record(false, "a fuzz body fails on its seeds, see above");
    }
    if session.depth == Depth::Full {
        if let Some(reason) = cannot_run(session) {
            outcome.skip("libFuzzer", reason);
        } else {
            for target in &targets {
                let held = run(session, target, SECONDS)?;
                outcome.record(held, &format!("{target} fails, see above and fuzz/artifacts"));
            }
        }
    }
    Ok(outcome)
}

/// `cargo xtask fuzz <target> [<seconds>]`.
pub(crate) fn run_one(session: &Session, args: &[String]) -> Result<ExitCode> {
    let targets = targets(session)?;
    let (target, seconds) = match args {
        [target] => (target, SECONDS),
        [target, seconds] => (target, seconds.parse()?),
        _ => return Err("usage: cargo xtask fuzz <target> [<seconds>]".into()),
    };
    if !targets.contains(target) {
        return Err(format!("no fuzz target `{target}`; there are {}", targets.join(", ")).into());
    }
    if let Some(reason) = cannot_run(session) {
        return Err(reason.into());
    }
    Ok(if run(session, target, seconds)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cannot_run(session: &Session) -> Option<&'static str> {
    let toolchains = rustup_lines(session.root(), "toolchain list");
    if !toolchains.iter().any(|name| name.starts_with("nightly")) {
        return Some("there is no nightly toolchain: rustup toolchain install nightly");
    }
    (!has_cargo_tool(session.root(), "fuzz")).then_some(INSTALL)
}

fn run(session: &Session, target: &str, seconds: u32) -> Result<bool> {
    let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
    std::fs::create_dir_all(session.root().join(&corpus))?;
    Program::cargo(session.root())
        .words("+nightly fuzz run")
        .args([target, &corpus, &seeds, "--"])
        .args([format!("-max_total_time={seconds}"), "-timeout=10".into(), "-max_len=16384".into()])
        // Its own folder: sanitizer flags would rebuild everything else.
        .env("CARGO_TARGET_DIR", session.scratch()?.join("fuzz"))
        .run()
}

/// The names of the targets, from the manifest of `fuzz/`.
fn targets(session: &Session) -> Result<Vec<String>> {
    let manifest = Manifest::read(&session.root().join("fuzz/Cargo.toml"))?;
    let names =
        manifest.entries.iter().filter(|entry| entry.section == "bin" && entry.key == "name");
    Ok(names.map(|entry| entry.value.trim_matches('"').to_owned()).collect())
}
