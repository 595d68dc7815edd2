//! Forwards to the benchmarks, a package of their own.

use std::process::ExitCode;

use crate::Result;
use crate::session::Session;
use crate::shell::Program;

const PACKAGE: &str = "memdir-bench";

pub(crate) fn run(session: &Session, args: &[String]) -> Result<ExitCode> {
    if session.workspace.package(PACKAGE).is_none() {
        return Err(format!("the workspace has no package `{PACKAGE}`").into());
    }
    let done = Program::cargo(session.root())
        .words("run --locked --release -p")
        .args([PACKAGE, "--"])
        .args(args)
        .run()?;
    Ok(if done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
