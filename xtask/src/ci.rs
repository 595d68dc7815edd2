//! All checks in order, and one table at the end.

use std::process::ExitCode;
use std::time::Instant;

use crate::report::{Outcome, Row, Verdict, table};
use crate::session::{Generated, Session};
use crate::{
    Check, Result, deny, docs, features, fuzz, layers, lint, msrv, package, snapshots, suite, tidy,
};

/// The checks, cheap and telling ones first; each is also a verb.
pub(crate) const CHECKS: &[(&str, Check)] = &[
    ("fmt", lint::fmt),
    ("clippy", lint::clippy),
    ("layers", layers::check),
    ("tidy", tidy::check),
    ("test", suite::check),
    ("snapshots", snapshots::check),
    ("docs", docs::check),
    ("features", features::check),
    ("fuzz", fuzz::check),
    ("package", package::check),
    ("deny", deny::check),
    ("msrv", msrv::check),
];

pub(crate) fn run(session: &Session) -> Result<ExitCode> {
    let session = Session::load(session.depth, Generated::Compare)?;
    let mut rows = Vec::new();
    for &(name, check) in CHECKS {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = check(&session).unwrap_or_else(|error| Outcome {
            failures: vec![error.to_string()],
            ..Outcome::of("")
        });
        print!("{}", outcome.describe(name));
        rows.push(Row { name, outcome, took: start.elapsed() });
    }
    let failed = rows.iter().any(|row| row.outcome.verdict() == Verdict::Failed);
    print!("\n{}", table(&rows));
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
