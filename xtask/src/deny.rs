//! Bans, licences and sources of every dependency, by cargo-deny; no network is used.

use crate::Result;
use crate::report::Outcome;
use crate::session::Session;
use crate::shell::{Program, has_cargo_tool};

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    if !has_cargo_tool(session.root(), "deny") {
        let mut outcome = Outcome::of("lists");
        outcome.skip(
            "cargo-deny",
            "not installed (cargo install --locked cargo-deny); tidy checked the licences",
        );
        return Ok(outcome);
    }
    let mut outcome = Outcome::of("lists");
    for list in ["bans", "licenses", "sources"] {
        let held = Program::cargo(session.root())
            .words("deny --offline --locked --all-features check --hide-inclusion-graph")
            .arg(list)
            .run()?;
        outcome.record(held, &format!("cargo deny check {list}, see above"));
    }
    Ok(outcome)
}
