//! Documentation: rustdoc without a warning, and the generated parts of `docs/`.

mod cli;
mod dependencies;

use crate::Result;
use crate::report::Outcome;
use crate::session::Session;
use crate::shell::Program;

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("parts");
    // Public first: only there does rustdoc see a public page that links to a private item.
    for private in ["", "--document-private-items"] {
        let clean = Program::cargo(session.root())
            .words("doc --locked --workspace --no-deps --all-features")
            .words(private)
            .env("RUSTDOCFLAGS", "-D warnings")
            .run()?;
        outcome.record(clean, &format!("rustdoc {private} has warnings, see above"));
    }
    dependencies::sync(session, &mut outcome)?;
    cli::sync(session, &mut outcome)?;
    Ok(outcome)
}
