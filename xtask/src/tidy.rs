//! House rules that no other tool checks.

mod files;
mod manifests;
mod prose;
mod secrets;
mod sources;
mod third_party;
mod whitespace;

use crate::Result;
use crate::report::Outcome;
use crate::session::Session;
use crate::tidy::files::File;

/// A rule on one file: what is wrong with it, without its name.
type Rule = fn(&File) -> Vec<String>;

const RULES: &[Rule] = &[
    sources::module_docs,
    sources::size,
    sources::attributes,
    sources::place,
    prose::words,
    whitespace::check,
    secrets::keys,
    secrets::machine_paths,
    files::size,
];

/// Files at the root that the package pages and the law ask for.
const ROOT_FILES: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "STABILITY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Cargo.lock",
    "deny.toml",
];

pub(crate) fn check(session: &Session) -> Result<Outcome> {
    let mut outcome = Outcome::of("rules");
    let files = files::list(session.root())?;
    for rule in RULES {
        outcome.ran += 1;
        for file in &files {
            let faults = rule(file);
            outcome.failures.extend(faults.iter().map(|fault| format!("{}: {fault}", file.path)));
        }
    }
    outcome.notes.extend(sources::long(&files));
    outcome.ran += 1;
    outcome.failures.extend(missing(session, &files));
    manifests::check(&session.workspace, &mut outcome);
    third_party::check(session, &mut outcome)?;
    Ok(outcome)
}

/// Files that must be there and are not.
fn missing(session: &Session, files: &[File]) -> Vec<String> {
    let crates = session.workspace.published();
    let of_crates = crates.flat_map(|package| {
        ["README.md", "CHANGELOG.md"].map(|name| format!("{}/{name}", package.folder))
    });
    ROOT_FILES
        .iter()
        .map(|name| (*name).to_owned())
        .chain(of_crates)
        .filter(|name| !files.iter().any(|file| file.path == *name && !file.bytes.is_empty()))
        .map(|name| format!("{name}: missing or empty"))
        .collect()
}
