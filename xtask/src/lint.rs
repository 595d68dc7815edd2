//! Format and clippy.

use crate::Result;
use crate::report::Outcome;
use crate::session::Session;
use crate::shell::Program;

pub(crate) fn fmt(session: &Session) -> Result<Outcome> {
    let formatted = Program::cargo(session.root()).words("fmt --all --check").run()?;
    Ok(Outcome::step("steps", formatted, "not formatted: cargo fmt --all"))
}

pub(crate) fn clippy(session: &Session) -> Result<Outcome> {
    let clean = Program::cargo(session.root())
        .words("clippy --locked --workspace --all-targets --all-features -- -D warnings")
        .run()?;
    Ok(Outcome::step("steps", clean, "clippy has warnings, see above"))
}
